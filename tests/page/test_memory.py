"""A memory becomes a page that says what was asked for, and what it is said to say."""

from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.errors import BadInput, BadPage
from memory_wiki.page.memory import Birth, Composed, Memory, compose_each
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

LINES = st.sampled_from(
    [
        "title: Use Postgres",
        "title: 1984",
        "title:",
        'title: "  two  spaces "',
        "title: [no, text]",
        "type: recipe",
        "type: 7",
        "type: [a]",
        "id: MINE",
        "id: 12",
        "tags: [db]",
        "created: 2026-11-30",
        "# a comment",
        "servings: 4",
        "broken: [",
    ]
)
FRONT = st.lists(LINES, max_size=4).map(lambda lines: "".join(f"{line}\n" for line in ["---", *lines, "---"]))
BODY = st.sampled_from(["", "# Heading\n", "We chose it.\n\n- [decision] Postgres\n- [fix] so ^f1\n", "  \n", "…\n\0"])
TEXT = st.builds(str.__add__, st.sampled_from([""]) | FRONT, BODY)
WORDS = st.sampled_from(["", "note", "a  b", "true", " x ", "12", "2026-11-30", "ü: #"])
MEMORY = st.builds(Memory, TEXT, WORDS, WORDS, st.sampled_from([(), ("a", "b/c")]), st.sampled_from([None, 0.5]))


def birth() -> Birth:
    numbers = count()
    return Birth("01KB", datetime(2026, 11, 30, tzinfo=UTC), "ada", lambda: f"f{next(numbers):04}")


@given(MEMORY)
def test_what_is_said_of_a_new_page_is_what_it_says(memory: Memory) -> None:
    (made,) = compose_each([(memory, birth())])
    if isinstance(made, BadInput):
        return
    page = parse(PagePath("?.md"), made.data)
    assert made == Composed(page.data, page.title, page.type, page.id)
    assert not [problem for problem in page.problems if problem.level == "error"]
    assert page.title.strip()
    assert not memory.type or page.type == " ".join(memory.type.split())
    assert page.created
    assert page.by


def made(memory: Memory) -> str:
    (found,) = compose_each([(memory, birth())])
    if isinstance(found, BadInput):
        raise found
    return found.data.decode()


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        ("text", "---\ntext\n\n- related [[a]]\n- related [[b/c]]\n"),
        ("text\n\n- [fact] one\n", "- [fact] one ^f0000\n- related [[a]]\n- related [[b/c]]\n"),
        ("---\r\ntype: x\r\n---\r\ntext", "text\r\n\r\n- related [[a]]\r\n- related [[b/c]]\r\n"),
        ("---\ntitle: only\n---\n", "---\n- related [[a]]\n- related [[b/c]]\n"),
    ],
)
def test_links_are_items_at_the_end(text: str, ending: str) -> None:
    page = made(Memory(text, title="T", links=("a", "b/c")))
    assert page.endswith(ending)
    assert [link.target for link in parse(PagePath("t.md"), page.encode()).links] == ["a", "b/c"]


@pytest.mark.parametrize(
    ("text", "link"), [("x", "a|b"), ("x", "a]]b"), ("x", "a#b"), ("x", "a\nb"), ("```\nopen", "a")]
)
def test_a_link_that_would_be_none_is_refused(text: str, link: str) -> None:
    with pytest.raises(BadPage):
        made(Memory(text, links=(link,)))


@pytest.mark.parametrize(
    ("since", "until", "lines"),
    [
        ("2026-11-30", "", "since: 2026-11-30\n---"),
        ("", "2026-11-30", "until: 2026-11-30\n---"),
        (
            "2026-11-30T12:00:00+02:00",
            "2027-01-01t00:00:00z",
            "since: 2026-11-30T10:00:00Z\nuntil: 2027-01-01T00:00:00Z\n",
        ),
    ],
)
def test_a_memory_says_from_and_until_when_it_holds(since: str, until: str, lines: str) -> None:
    page = made(Memory("x", since=since, until=until))
    assert lines in page
    assert not parse(PagePath("x.md"), page.encode()).problems


@pytest.mark.parametrize(
    ("since", "until"),
    [("tomorrow", ""), ("2026-13-01", ""), ("20261130", ""), ("2026-11-30T12:00", ""), ("2026-11-30", "2026-11-29")],
)
def test_a_time_that_cannot_be_is_refused(since: str, until: str) -> None:
    with pytest.raises(BadPage):
        made(Memory("x", since=since, until=until))


def test_each_memory_gets_its_own_answer() -> None:
    good, bad, other = compose_each([(Memory(text), birth()) for text in ("one", "", "two")])
    assert isinstance(bad, BadInput)
    assert [made.title for made in (good, other) if isinstance(made, Composed)] == ["one", "two"]
