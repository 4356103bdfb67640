"""A memory becomes a page that says what was asked for, and what it is said to say."""

from datetime import UTC, datetime
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.errors import BadInput
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


def test_each_memory_gets_its_own_answer() -> None:
    good, bad, other = compose_each([(Memory(text), birth()) for text in ("one", "", "two")])
    assert isinstance(bad, BadInput)
    assert [made.title for made in (good, other) if isinstance(made, Composed)] == ["one", "two"]
