"""An answer is filled with the best first, and no page is looked at that it has no room for."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

import pytest

from memory_wiki.errors import PageNotFound
from memory_wiki.index.entries import Entry, Filter
from memory_wiki.index.records import prepared
from memory_wiki.index.words import Words
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.recall.recall import CANDIDATES, Answer, Question, recall

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class Told:
    """An index, the pages it was told of, and which of them were read."""

    words: Words
    pages: dict[str, bytes] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)

    def tell(self, **pages: str) -> None:
        self.pages |= {f"{name}.md": text.encode() for name, text in pages.items()}
        come = (parse(PagePath(path), data) for path, data in self.pages.items())
        self.words.update([], (prepared(Entry(page, "", "", NOON)) for page in come), lambda: "")

    def ask(self, text: str, budget: int = 2000, limit: int = 10) -> Answer:
        self.read.clear()
        return recall(Question(text, project="", limit=limit), budget, self.words, self.bytes_of, NOON)

    def bytes_of(self, path: PagePath) -> bytes:
        self.read.append(path)
        if path not in self.pages:
            raise PageNotFound(path)
        return self.pages[path]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    words = Words.open(tmp_path / "words")
    yield Told(words)
    words.close()


def walrus(number: int) -> str:
    """A page about a walrus, the less of it the higher its number; no near-copy of another one."""
    return "walrus " + " ".join(f"word{number}x{n}" for n in range(5 + number))


def paths(answer: Answer) -> list[str]:
    return [hit.path for hit in answer.hits]


@pytest.mark.parametrize(("limit", "budget"), [(3, 2000), (50, 90)])
def test_no_page_is_read_but_those_quoted_and_one_to_know_that_there_is_more(
    told: Told, limit: int, budget: int
) -> None:
    told.tell(**{f"p{n:02}": walrus(n) for n in range(30)})
    answer = told.ask("walrus", budget, limit)
    assert paths(answer) == [f"p{n:02}.md" for n in range(len(answer.hits))]
    assert told.read == [f"p{n:02}.md" for n in range(len(answer.hits) + 1)]
    assert (len(answer.hits) <= limit, answer.left_out) == (True, 1)


def test_an_answer_that_holds_all_leaves_none_out(told: Told) -> None:
    told.tell(**{f"p{n}": walrus(n) for n in range(3)})
    assert (len(told.ask("walrus", limit=3).hits), told.ask("walrus", limit=3).left_out) == (3, 0)


def test_a_budget_with_room_for_nothing_says_what_was_found(told: Told) -> None:
    told.tell(**{f"p{n}": walrus(n) for n in range(4)})
    answer = told.ask("walrus", budget=5)
    assert (answer.hits, answer.left_out) == ((), 4)


def test_a_smaller_passage_takes_the_room_that_a_better_one_could_not(told: Told) -> None:
    told.tell(**{"x" * 75: walrus(0), "y": f"{walrus(1)} {walrus(2)}"})
    answer = told.ask("walrus", budget=20)
    assert (paths(answer), answer.left_out) == (["y.md"], 1)


def test_near_copies_before_the_last_hit_are_named_with_the_best_of_them(told: Told) -> None:
    text = "walrus on the ice of the far and quiet north sea"
    told.tell(a=text, b=text, c=walrus(30), d=walrus(40))
    (first, second) = told.ask("walrus ice", limit=2).hits
    assert (first.path, first.copies, second.path) == ("a.md", ("b.md",), "c.md")


def test_a_larger_search_finds_what_near_copies_of_one_page_crowd_out(told: Told) -> None:
    copies = {f"c{n:03}": "walrus on the ice of the far and quiet north sea" for n in range(CANDIDATES[0] + 5)}
    told.tell(**copies, other=walrus(90))
    answer = told.ask("walrus")
    assert paths(answer) == ["c000.md", "other.md"]
    assert len(answer.hits[0].copies) == CANDIDATES[0] + 4


def test_a_line_that_is_many_passages_is_looked_at_once(told: Told) -> None:
    told.tell(log="walrus ice " * 60_000, other=walrus(3))
    began = process_time()
    answer = told.ask("walrus")
    assert process_time() - began < 3  # 20 where it is looked at for each
    assert (paths(answer), answer.left_out) == (["log.md"], 1)


def test_a_page_that_moved_on_or_went_is_passed_over(told: Told) -> None:
    told.tell(a=walrus(0), b=walrus(1), c=walrus(2))
    told.pages["a.md"] = b"walrus of another text"
    del told.pages["b.md"]
    assert paths(told.ask("walrus")) == ["c.md"]


CUT_LIST = "- top\n" + "".join(f"    - [fact] Item {n} {'is long ' * 15}^f{n}\n" for n in range(30))
CUT_CODE = "```\n" + "".join(f"- [fact] Item {n} {'is long ' * 15}^f{n}\n" for n in range(60)) + "```\n"


@pytest.mark.parametrize(("text", "fact"), [(CUT_LIST, "f{}"), (CUT_CODE, "")])
def test_a_fact_is_told_from_an_example_of_one_also_in_a_part_of_a_block(told: Told, text: str, fact: str) -> None:
    told.tell(a=text)
    for number in range(30):
        assert told.ask(f"item {number}").hits[0].fact == fact.format(number)


@pytest.mark.parametrize("much", ["5000 years before", "999999999 days after", "99999999999999999 weeks before"])
def test_a_time_beyond_all_years_bounds_nothing(told: Told, much: str) -> None:
    told.tell(a="The walrus came ashore.")
    assert paths(told.ask(f"what was {much} the walrus came?")) == ["a.md"]


def page(type_: str, day: str, text: str) -> str:
    return f"---\ntitle: {text}\ntype: {type_}\ncreated: {day}\n---\n{text}.\n"


def test_what_is_asked_for_by_type_and_time_alone_is_listed_the_newest_first(told: Told) -> None:
    told.tell(
        goose=page("decision", "2026-03-02", "The goose flies south"),
        heron=page("decision", "2026-03-30", "A heron stays"),
        crane=page("decision", "2026-04-01", "Cranes rest"),
        stork=page("error", "2026-03-15", "The stork fell"),
    )
    march = told.ask("what did we decide in March?")
    assert (paths(march), march.near_misses) == (["heron.md", "goose.md"], ())
    assert march.confidence > 0.9
    assert paths(told.ask("recent errors")) == ["stork.md"]
    assert paths(told.ask("the first decisions", limit=2)) == ["goose.md", "heron.md"]
    assert paths(told.ask("what errors did we have in April?")) == []


def test_a_listing_has_what_is_not_current_any_more_last(told: Told) -> None:
    old = page("decision", "2026-03-31", "The stork stays").replace("type:", "status: superseded\ntype:")
    told.tell(old=old, goose=page("decision", "2026-03-02", "The goose flies south"))
    assert paths(told.ask("what did we decide in March?")) == ["goose.md", "old.md"]


def test_a_listing_is_of_what_passes_the_filters(told: Told) -> None:
    told.tell(
        goose=page("decision", "2026-03-02", "The goose flies south"), stork=page("error", "2026-03-15", "It fell")
    )
    asked = Question("what did we decide in March?", Filter(types=("error",)))
    found = recall(asked, 2000, told.words, told.bytes_of, NOON)
    assert paths(found) == ["stork.md"]
    found = recall(replace(asked, without=frozenset({"time"})), 2000, told.words, told.bytes_of, NOON)
    assert paths(found) == []


def test_a_page_passes_by_the_time_it_tells_of_or_by_its_last_change(told: Told) -> None:
    told.tell(goose=page("decision", "2026-03-02", "The goose flies south"))  # changed at noon of 30 November
    for since, until, is_found in (
        (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC), True),
        (datetime(2026, 11, 1, tzinfo=UTC), None, True),
        (datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC), False),
    ):
        answer = recall(Question("goose", Filter(since=since, until=until)), 2000, told.words, told.bytes_of, NOON)
        assert bool(answer.hits) == is_found
