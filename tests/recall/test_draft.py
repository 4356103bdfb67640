"""An answer being filled: how much of it one page or one conversation may take, and in which order it is quoted."""

from datetime import UTC, datetime

import pytest

from memory_wiki.index.entries import Entry, WordHit
from memory_wiki.index.kept import kept_hit
from memory_wiki.index.records import prepared
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.answer import TEN, Answer, Hit
from memory_wiki.recall.draft import Draft
from memory_wiki.recall.quote import Leaf
from memory_wiki.recall.rank import Ranked

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def hits(text: str) -> tuple[list[WordHit], Leaf]:
    page = parse(PagePath("a.md"), text.encode())
    return [kept_hit(record.hit) for record in prepared(Entry(page, "", "", NOON)).records], Leaf.of(page.data, "en")


def told(number: int) -> str:
    return f"{' '.join(f'w{number}x{n}' for n in range(9))}"


SECTIONS = "".join(f"## H{n}\n\n{told(n)}\n\n" for n in range(20))
TURNS = "---\ntype: session\n---\n" + "".join(f"**{'Ada' if n % 2 else 'Bob'}:** {told(n)}\n\n" for n in range(20))


@pytest.mark.parametrize(
    ("text", "limit", "most"), [(SECTIONS, 10, 3), (TURNS, 10, 8), (SECTIONS, 1, 1), (SECTIONS, 4, 2), (TURNS, 20, 16)]
)
def test_one_page_has_a_part_of_an_answer_and_one_conversation_a_larger_one(text: str, limit: int, most: int) -> None:
    found, leaf = hits(text)
    draft = Draft(limit, 10_000, [])
    for hit in found:
        draft.take(Ranked(hit, 1.0, (), ()), leaf)
    assert [group.ranked.hit.ordinal for group in draft.chosen] == list(range(most))


def test_a_copy_that_is_filled_further_leaves_the_first_as_it_was() -> None:
    found, leaf = hits(SECTIONS)
    draft = Draft(10, 10_000, [])
    draft.take(Ranked(found[0], 1.0, (), ()), leaf)
    other = draft.copy()
    other.take(Ranked(found[1], 1.0, (), ()), leaf)
    other.groups[0].copies.append(PagePath("b.md"))
    assert (len(draft.groups), draft.groups[0].copies, draft.left > other.left) == (1, [], True)


def said(number: int) -> Hit:
    return Hit(
        path=PagePath(f"{number}.md"), title="", type="", status="", project="", headings=(), first_line=1, last_line=1,
        version=Version("0"), fact="", text="", score=1.0, parts=(), words=(), weights=(), copies=(), tokens=1,
    )  # fmt: skip


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 30])
@pytest.mark.parametrize("is_near", [True, False])
def test_all_that_is_quoted_has_what_was_asked_for_among_the_first_ten(count: int, *, is_near: bool) -> None:
    hits, asked = tuple(said(n) for n in range(count)), (said(100), said(101))
    answer = Answer("q", () if is_near else hits, 0, 0, 0, near_misses=hits if is_near else (), preferences=asked)
    assert sorted(hit.path for hit in answer.found) == sorted(hit.path for hit in (*hits, *asked))
    assert {hit.path for hit in asked} <= {hit.path for hit in answer.found[:TEN]}
    assert [hit for hit in answer.found if hit not in asked] == [*hits]
