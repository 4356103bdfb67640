"""An answer by words and meaning together: what is found, what comes last, what is quoted, and what is near enough."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from memory_wiki.errors import ModelBroken, PageNotFound
from memory_wiki.index.entries import EVERYTHING, Entry, Filter
from memory_wiki.index.gist import gist, mark
from memory_wiki.index.passages import passages
from memory_wiki.index.records import prepared
from memory_wiki.index.vectors import Vectors
from memory_wiki.index.words import Words
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.recall.answer import Answer, Question
from memory_wiki.recall.reading import Scorer
from memory_wiki.recall.recall import PREFERENCES, REQUESTS, THEIR_SHARE, recall
from memory_wiki.recall.senses import Senses
from toy import DIM, vector

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
CALIBRATED = "e5-small-v2"


@dataclass
class Told:
    """An index and vectors, the pages that they were told of, and what is on disk of them now."""

    words: Words
    vectors: Vectors
    disk: dict[str, bytes] = field(default_factory=dict)

    def tell(self, pages: dict[str, str], *, embeds: bool = True) -> None:
        """A page for each path; the first folder of a path below `projects/` is its project."""
        told = [parse(PagePath(f"{path}.md"), text.encode()) for path, text in pages.items()]
        self.disk |= {page.path: page.data for page in told}
        days = (NOON + timedelta(days=n) for n in range(len(told)))
        projects = [page.path.split("/")[1] if page.path.startswith("projects/") else "" for page in told]
        entries = [Entry(page, project, "", day) for page, project, day in zip(told, projects, days, strict=True)]
        self.words.update([], map(prepared, entries), lambda: "")
        texts = {mark(text): text for page in told for text in (gist(page.title, one) for one in passages(page))}
        if embeds and (lacking := self.vectors.lacking(texts)):
            self.vectors.add(lacking, np.array([vector(texts[one]) for one in lacking]))

    def ask(
        self, text: str, wanted: Filter = EVERYTHING, limit: int = 10, *, model: str = "toy", budget: int = 2_000,
        rerank: Scorer | None = None, without: Sequence[str] = (), project: str = "",
    ) -> Answer:  # fmt: skip
        question = Question(text, wanted, project=project, limit=limit, without=frozenset(without))
        senses = Senses(model, self.vectors.nearness(vector(text)), rerank)
        return recall(question, budget, self.words, self._read, NOON, senses)

    def _read(self, path: PagePath) -> bytes:
        if path not in self.disk:
            raise PageNotFound(path)
        return self.disk[path]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    words = Words.open(tmp_path / "words")
    yield Told(words, Vectors(tmp_path / "vectors" / "toy", DIM))
    words.close()


def paths(answer: Answer) -> list[str]:
    return [hit.path.removesuffix(".md") for hit in answer.found]


def best(answer: Answer) -> list[str]:
    """Without what was asked for from now on, and however sure it is."""
    return [hit.path.removesuffix(".md") for hit in answer.hits or answer.near_misses]


def about(word: str, number: int) -> str:
    """A page about one thing, no near-copy of another one."""
    return f"{word} {word} " + " ".join(f"w{number}x{n}" for n in range(6))


# What is found


def test_a_page_that_shares_no_word_with_the_question_is_found_by_its_meaning(told: Told) -> None:
    told.tell({"a": about("heron", 1), "b": about("redis", 2), "c": about("kafka", 3)})
    answer = told.ask("bird")
    assert paths(answer)[0] == "a"
    assert answer.took_part == ("words", "meaning")
    assert dict(answer.found[0].parts) == {"words": 0.0, "meaning": 1.0}


def test_a_page_that_is_not_embedded_yet_is_found_by_its_words(told: Told) -> None:
    told.tell({f"p{n}": about("kafka", n) for n in range(5)})
    told.tell({"new": about("heron", 9)}, embeds=False)
    assert paths(told.ask("heron"))[0] == "new"


def test_a_list_of_pages_is_made_by_no_meaning(told: Told) -> None:
    told.tell({"a": f"---\ntype: error\n---\n{about('heron', 1)}", "b": about("redis", 2)})
    answer = told.ask("recent errors", model=CALIBRATED, rerank=lambda _question, texts: [9.0] * len(texts))
    assert (paths(answer), answer.took_part, answer.missing) == (["a"], ("words",), ())
    nothing = told.ask("recent errors", model=CALIBRATED, budget=1)
    assert (nothing.found, nothing.left_out, nothing.confidence) == ((), 1, 0.0)


@pytest.mark.parametrize(
    ("wanted", "path", "front"),
    [
        (Filter(projects=("shop",)), "projects/shop/a", ""),
        (Filter(types=("decision",)), "a", "---\ntype: decision\n---\n"),
        (Filter(tags=("wings",)), "a", "---\ntags: [wings]\n---\n"),
        (Filter(folders=("deep/down",)), "deep/down/a", ""),
        (Filter(since=NOON + timedelta(days=300)), "z", ""),
    ],
)
def test_a_page_that_passes_a_filter_is_found_by_meaning_though_300_others_are_nearer(
    told: Told, wanted: Filter, path: str, front: str
) -> None:
    told.tell(
        {f"noise/{n:03}": f"heron heron heron w{n}" for n in range(300)} | {path: f"{front}Of one bird and much."}
    )
    assert told.ask("oiseau").found[0].path.startswith("noise/")
    assert paths(told.ask("oiseau", wanted)) == [path]


SAYS_SO = {"projects/shop/says": f"{about('heron', 2_000)} ente"}
"""A page with a word of the question, so that what is near to it in meaning alone is no near miss."""


def test_all_pages_that_pass_a_filter_are_found_though_others_are_nearer(told: Told) -> None:
    noise = {f"noise/{n:03}": f"heron heron heron w{n}" for n in range(300)}
    told.tell(noise | {f"projects/shop/{n:02}": about("heron", 1_000 + n) for n in range(59)} | SAYS_SO)
    answer = told.ask("vogel ente", Filter(projects=("shop",)), 60, budget=50_000)
    assert len(best(answer)) == 60


def test_as_many_pages_are_found_as_are_asked_for_though_a_filter_lets_through_half_of_the_nearest(told: Told) -> None:
    told.tell({f"projects/{'shop' if n % 2 else 'zoo'}/{n:03}": about("heron", n) for n in range(400)} | SAYS_SO)
    answer = told.ask("vogel ente", Filter(projects=("shop",)), 150, budget=50_000)
    assert (len(best(answer)), answer.left_out > 0) == (150, True)


def test_pages_that_are_near_copies_crowd_out_none_that_is_near_too(told: Told) -> None:
    told.tell(
        {f"c{n:03}": "heron heron on the ice of the far north" for n in range(700)} | {"other": about("heron", 1)}
    )
    answer = told.ask("vogel")
    assert [hit.path[0] for hit in answer.found] == ["c", "o"]
    assert len(answer.found[0].copies) > 500


def test_of_what_does_not_fit_a_few_are_shown(told: Told) -> None:
    told.tell({f"{n:03}": about("heron", n) for n in range(20)})
    answer = told.ask("vogel")
    assert (answer.hits, len(answer.near_misses), answer.left_out) == ((), 5, 0)
    assert len(told.ask("vogel", limit=20).near_misses) == 20


def test_a_hit_that_is_faint_beside_the_best_is_no_part_of_an_answer_but_for_the_first_few(told: Told) -> None:
    told.tell({"near": "heron heron", **{f"far{n}": about("seal", n) for n in range(9)}})
    assert [hit.path for hit in told.ask("heron", limit=9).hits][:1] == ["near.md"]
    assert len(told.ask("heron", limit=9).hits) == 3
    assert len(told.ask("heron", limit=9, without=["meaning"]).hits) == 3
    assert told.ask("heron", limit=9).left_out == 0, "raising the limit would bring faint ones alone"


# What comes last


@pytest.mark.parametrize("front", ["---\nstatus: superseded\n---\n", "---\nstatus: archived\n---\n"])
def test_what_is_current_no_more_comes_last_however_near(told: Told, front: str) -> None:
    told.tell({"old": f"{front}heron heron heron", "far": about("seal", 1), "near": about("heron", 2)})
    assert paths(told.ask("bird")) == ["near", "far", "old"]


# What is quoted


def test_only_what_is_on_disk_in_the_version_that_was_indexed_is_quoted(told: Told) -> None:
    told.tell({f"p{n}": about("heron", n) for n in range(4)})
    told.disk["p1.md"] = b"heron heron, but another text"
    del told.disk["p2.md"]
    for text in ("bird", "heron"):
        answer = told.ask(text)
        assert sorted(paths(answer)) == ["p0", "p3"]
        assert all(hit.text.encode() in told.disk[hit.path] for hit in answer.found)


def test_a_vector_of_a_page_that_is_gone_finds_nothing(told: Told) -> None:
    told.tell({"a": about("heron", 1), "b": about("redis", 2)})
    told.words.update([PagePath("a.md")], [], lambda: "")
    assert paths(told.ask("bird")) == ["b"]


# What was asked for from now on


def preference(text: str) -> str:
    return f"---\ntype: preference\n---\n{text}"


def test_what_was_asked_for_from_now_on_is_part_of_an_answer_that_it_does_not_answer(told: Told) -> None:
    told.tell({f"p{n:02}": about("heron", n) for n in range(30)} | {"tabs": preference("Use tabs, always.")})
    answer = told.ask("bird", limit=5)
    assert [hit.path for hit in answer.preferences] == ["tabs.md"]
    assert len(best(answer)) == 5
    assert "tabs" in paths(answer)[:10]
    assert told.ask("bird", without=["preferences"]).preferences == ()


def test_what_was_asked_for_is_said_once(told: Told) -> None:
    told.tell({"tabs": preference("Use tabs, always."), "a": about("heron", 1)})
    assert sorted(paths(told.ask("tabs"))) == ["a", "tabs"]


@pytest.mark.parametrize("long", [False, True], ids=["a passage", "a line of several passages"])
def test_what_was_asked_for_is_said_once_also_where_it_would_be_a_later_hit(told: Told, *, long: bool) -> None:
    wish = f"Always feed a heron. {'Bread and seed and corn and so on. ' * 60 * long}Of the seal: w1, w2, w3 too."
    told.tell({"wish": preference(wish)} | {f"p{n:02}": f"crane crane seal w{n} v{n} u{n}" for n in range(14)})
    answer = told.ask("crane seal", limit=20, budget=50_000)
    assert [hit.path for hit in answer.preferences] == ["wish.md"]
    assert sorted(paths(answer)) == [*(f"p{n:02}" for n in range(14)), "wish"]
    assert (answer.left_out, answer.tokens) == (0, sum(hit.tokens for hit in answer.found))


def test_what_was_asked_for_holds_also_where_nothing_fits(told: Told) -> None:
    told.tell({f"p{n:02}": about("heron", n) for n in range(7)} | {"tabs": preference("Use tabs, always.")})
    answer = told.ask("submarine", model=CALIBRATED)
    assert [hit.path for hit in answer.preferences] == ["tabs.md"]
    assert (answer.hits, len(answer.near_misses), "tabs" in best(answer)) == ((), 5, False)


def test_no_more_is_part_of_an_answer_than_two_the_nearest_of_those_in_scope(told: Told) -> None:
    wishes = {
        f"projects/shop/{n}": preference(f"Always call a {word} w{n}.") for n, word in enumerate(["seal", "heron"])
    }
    others = {f"projects/zoo/{n}": preference(f"Always feed a heron at n{n}.") for n in range(4)}
    told.tell(wishes | others | {f"projects/shop/p{n}": about("crane", n) for n in range(20)})
    scope = told.ask("bird", Filter(projects=("shop",)), limit=3)
    assert {hit.path for hit in scope.preferences} <= {"projects/shop/0.md", "projects/shop/1.md"}
    assert len(told.ask("crane", limit=3).preferences) == PREFERENCES
    assert told.ask("crane", Filter(types=("note",)), limit=3).preferences == ()


def test_what_is_asked_for_in_a_project_is_heard_there_though_others_ask_for_more_and_later(told: Told) -> None:
    told.tell({"projects/shop/0": preference("Always call a heron w0."), "all": preference("Always say seal.")})
    told.tell({f"projects/zoo/{n}": preference(f"Always feed a heron at n{n}.") for n in range(REQUESTS + 1)})
    told.tell({f"p{n:02}": about("heron", n) for n in range(20)})
    answer = told.ask("bird", limit=3, project="shop")
    assert {hit.path for hit in answer.preferences} == {"projects/shop/0.md", "all.md"}


def test_what_was_asked_for_once_and_no_more_is_no_part(told: Told) -> None:
    told.tell({"tabs": "---\ntype: preference\nstatus: superseded\n---\nUse tabs.", "a": about("heron", 1)})
    answer = told.ask("bird")
    assert (answer.preferences, paths(answer)) == ((), ["a", "tabs"])


@pytest.mark.parametrize("budget", [60, 150, 400])
def test_what_was_asked_for_keeps_within_its_share_and_the_answer_within_its_budget(told: Told, budget: int) -> None:
    wishes = {f"w{n}": preference(f"Always say s{n}. {'Always so, in each of the cases. ' * 8}") for n in range(3)}
    told.tell(wishes | {f"p{n:02}": about("heron", n) for n in range(30)})
    answer = told.ask("bird", limit=50, budget=budget)
    assert answer.tokens == sum(hit.tokens for hit in answer.found) <= budget
    assert sum(hit.tokens for hit in answer.preferences) <= THEIR_SHARE * budget
    assert best(answer)


# How sure it is


def test_what_lies_near_is_a_hit_and_what_lies_far_a_near_miss(told: Told) -> None:
    told.tell({"heron": "heron", "b": about("redis", 2)})
    near, far = told.ask("bird", model=CALIBRATED), told.ask("submarine", model=CALIBRATED)
    assert (near.near_misses, near.hits[0].path) == ((), "heron.md")
    assert (far.hits, len(far.near_misses)) == ((), 2)
    assert near.confidence > 0.5 > far.confidence
    assert far.found == far.near_misses


def test_an_answer_of_nothing_is_not_sure_at_all(told: Told) -> None:
    told.tell({"a": "heron"})
    assert told.ask("bird", Filter(projects=("none",)), model=CALIBRATED).confidence == 0
    assert told.ask("bird", Filter(projects=("none",))).is_filtered_out


def test_a_reranker_that_has_no_time_or_fails_takes_no_part_and_the_answer_says_why(told: Told) -> None:
    told.tell({"a": about("heron", 1), "b": about("redis", 2)})
    before = told.ask("bird")

    def fails(_question: str, _texts: Sequence[str]) -> list[float]:
        raise ModelBroken(Path("model.onnx"), "no memory")

    scorers: tuple[tuple[Scorer, str], ...] = ((lambda _question, _texts: [], "no time"), (fails, "no memory"))
    for rerank, why in scorers:
        answer = told.ask("bird", rerank=rerank)
        assert answer.found == before.found
        assert answer.took_part == ("words", "meaning")
        ((part, said),) = answer.missing
        assert (part, why in said) == ("rerank", True)


def test_a_reranker_does_not_read_what_is_in_a_language_that_it_does_not_know(told: Told) -> None:
    told.tell({"ice": "# Eis\nDer Reiher steht bei dem Eis und wartet auf die Fische, die nicht kommen."})
    senses = Senses("toy", told.vectors.nearness(vector("heron")), None)
    senses = replace(senses, rerank=lambda _, texts: [9.0] * len(texts))
    question = Question("Reiher", project="")
    for reads, took_part in ((frozenset({"en"}), ("words", "meaning")), (frozenset(), ("words", "meaning", "rerank"))):
        answer = recall(question, 2_000, told.words, told._read, NOON, replace(senses, reads=reads))
        assert answer.took_part == took_part
        assert [part for part, _ in answer.missing] == (["rerank"] if reads else [])


def test_a_reranker_that_reads_has_the_last_word_and_takes_part(told: Told) -> None:
    told.tell({"a": about("heron", 1), "b": about("heron", 2)})
    answer = told.ask("bird", rerank=lambda _, texts: [9.0 if "w2x0" in text else -9.0 for text in texts])
    assert paths(answer) == ["b", "a"]
    assert answer.took_part == ("words", "meaning", "rerank")


def test_no_part_that_is_left_out_counts(told: Told) -> None:
    told.tell({"a": about("heron", 1), "b": about("redis", 2), "c": about("heron", 3) + " redis"})
    assert dict(told.ask("redis", without=["words"]).found[0].parts)["words"] == 0
    assert replace(told.ask("bird"), question="") == replace(told.ask("vogel"), question="")
