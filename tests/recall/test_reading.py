"""What a reranker is given to read, in which order, and what comes of fewer answers than texts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from memory_wiki.index.entries import Entry, WordHit
from memory_wiki.index.kept import kept_hit
from memory_wiki.index.records import prepared
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.recall.quote import Leaf
from memory_wiki.recall.rank import FIRST, Ranked
from memory_wiki.recall.reading import A_PASSAGE, A_SHORT_TURN, AGAIN, AROUND, read_again

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class Reader:
    """Likes a text by the number that it says; has time for so many texts a call."""

    most: int = 1_000
    read: list[list[str]] = field(default_factory=list)

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        assert question == "what?"
        self.read.append([*texts])
        return [float(text.partition("likes ")[2][:2] or 0) / 10 for text in texts[: self.most]]


@dataclass
class Pages:
    """Pages in their best-first order by words and meaning, as far as they are still there."""

    leaves: dict[str, Leaf] = field(default_factory=dict)
    ranked: list[Ranked] = field(default_factory=list)

    def tell(self, path: str, text: str) -> None:
        page = parse(PagePath(path), text.encode())
        self.leaves[path] = Leaf.of(page.data, "en")
        for record in prepared(Entry(page, "", "", NOON)).records:
            self.rank(kept_hit(record.hit))

    def rank(self, hit: WordHit) -> None:
        score = 1 - len(self.ranked) / 1_000
        self.ranked.append(Ranked(hit, score, (("words", score), ("meaning", score)), ()))

    def again(self, reader: Reader) -> list[Ranked]:
        hits = {one.hit.at: one.hit for one in self.ranked}
        return read_again("what?", self.ranked, lambda hit: self.leaves.get(hit.path), lambda _: hits, reader)


@pytest.fixture
def pages() -> Pages:
    return Pages()


def paths(found: Sequence[Ranked]) -> list[str]:
    return [one.hit.path for one in found]


def test_the_first_passages_are_read_with_their_title_and_the_best_comes_first(pages: Pages) -> None:
    for n in range(FIRST + 5):
        pages.tell(f"{n:02}.md", f"---\ntitle: Page {n}\n---\nIt likes {'50' if n == 7 else '10'}.\n")
    reader = Reader()
    found = pages.again(reader)
    assert reader.read == [[f"Page {n}\nIt likes {'50' if n == 7 else '10'}." for n in range(FIRST)]]
    assert paths(found)[0] == "07.md"
    assert paths(found)[FIRST:] == [f"{n:02}.md" for n in range(FIRST, FIRST + 5)]
    assert sorted(paths(found)) == sorted(paths(pages.ranked))


def test_no_more_of_a_passage_is_read_than_a_reranker_takes_in(pages: Pages) -> None:
    pages.tell("a.md", f"# T\n{'word ' * 300}\n")
    reader = Reader()
    pages.again(reader)
    assert len(reader.read[0][0]) == A_PASSAGE


TALK = [f"**{'Ada' if n % 2 else 'Bob'}:** Says {n}, likes {10 + n}." for n in range(40)]


def talk(pages: Pages, said: Sequence[str] = TALK) -> None:
    pages.tell("talk.md", "---\ntype: session\n---\n" + "".join(f"{one}\n\n" for one in said))


def plain(text: str) -> str:
    return text.replace("**", "")


def test_a_turn_is_read_alone_and_the_best_once_more_amid_those_around_it(pages: Pages) -> None:
    talk(pages)
    reader = Reader()
    pages.again(reader)
    first, second = reader.read
    assert first == [plain(one) for one in TALK[:FIRST]]
    best = range(FIRST - 1, FIRST - 1 - AGAIN, -1)
    assert second == [plain("\n".join(TALK[n - 1 : n + 2])) for n in best]


def test_what_both_readings_say_counts_as_much(pages: Pages) -> None:
    """Amid others the first of what they like is read, which is what the one before likes."""
    talk(pages, ["**Ada:** likes 40", "**Bob:** likes 20", "**Ada:** likes 10", "**Bob:** likes 30"])
    found = pages.again(Reader())
    assert [one.hit.ordinal for one in found] == [0, 1, 3, 2]


def test_of_long_turns_around_it_a_turn_is_read_with_the_nearest_part(pages: Pages) -> None:
    long = "word " * 100
    talk(pages, [f"**Ada:** {long}before", "**Bob:** yes", f"**Ada:** after {long}", "**Bob:** no"])
    reader = Reader()
    pages.again(reader)
    before, own, after = reader.read[1][0].split("\n")
    assert (own, len(before), len(after)) == ("Bob: yes", AROUND, AROUND)
    assert before.endswith("before")
    assert after.startswith("Ada: after")


def test_a_turn_that_says_much_is_not_read_again(pages: Pages) -> None:
    talk(pages, ["**Ada:** yes", f"**Bob:** {'word ' * (A_SHORT_TURN // 5)}", "**Ada:** no", "**Bob:** oh"])
    reader = Reader()
    pages.again(reader)
    assert [len(texts) for texts in reader.read] == [4, 3]


def test_pages_that_nobody_speaks_on_are_not_read_again(pages: Pages) -> None:
    pages.tell("a.md", "text\n")
    reader = Reader()
    pages.again(reader)
    assert len(reader.read) == 1


@pytest.mark.parametrize("most", [0, 1, 3])
def test_where_time_is_up_what_was_not_read_follows_in_its_old_order(pages: Pages, most: int) -> None:
    for n in range(6):
        pages.tell(f"{n}.md", f"likes {10 + n}\n")
    found = pages.again(Reader(most))
    assert paths(found) == [f"{n}.md" for n in [*reversed(range(most)), *range(most, 6)]]


@pytest.mark.parametrize("most", [0, 2])
def test_where_time_is_up_only_turns_that_were_read_are_read_again(pages: Pages, most: int) -> None:
    talk(pages, TALK[:6])
    reader = Reader(most)
    found = pages.again(reader)
    assert [len(texts) for texts in reader.read] == [6, *([most] if most else [])]
    assert [one.hit.ordinal for one in found] == [*reversed(range(most)), *range(most, 6)]


def test_a_page_that_moved_on_is_not_read(pages: Pages) -> None:
    for n in range(4):
        pages.tell(f"{n}.md", f"likes {10 + n}\n")
    del pages.leaves["2.md"]
    reader = Reader()
    assert paths(pages.again(reader)) == ["3.md", "1.md", "0.md", "2.md"]
    assert len(reader.read[0]) == 3


def test_where_nothing_was_found_nothing_is_read_again(pages: Pages) -> None:
    assert pages.again(Reader()) == []
    pages.tell("a.md", "text\n")
    pages.leaves.clear()
    reader = Reader()
    assert pages.again(reader) == pages.ranked
    assert not any(reader.read)


def test_a_turn_at_the_edge_is_read_with_the_one_there_is(pages: Pages) -> None:
    talk(pages, TALK[:4])
    reader = Reader()
    pages.again(reader)
    last, *_, first = reader.read[1]
    assert first.strip("\n") == plain("\n".join(TALK[:2]))
    assert last.strip("\n") == plain("\n".join(TALK[2:4]))
