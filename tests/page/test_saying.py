"""Two texts say the same where only their writing differs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.page.saying import LONGEST, adds_nothing, saying, saying_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We chose Postgres.", "we  chose\n\npostgres"),
        ("## Pool\n\n- [fact] Capped at 20 ^f0001\n", "pool\r\n[fact] capped at 20"),
        ("> 1. **Never** use `tabs`!", "never use tabs"),
        ("see [[Pool]], then *stop*.", "See Pool, then stop"),
        ("Größe", "GRÖSSE"),
        ("e\u0301tage", "étage"),
        ("- a\n- b", "* a\n* b"),
    ],
)
def test_case_space_and_marks_are_put_aside(one: str, other: str) -> None:
    assert saying("", one) == saying("", other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("use C++", "use C#"),
        ("x > 5", "x < 5"),
        ("x != 5", "x = 5"),
        ("2 * 3", "2 3"),
        ("it costs -5", "it costs 5"),
        ("a b", "b a"),
        ("- [ ] ship", "- [x] ship"),
        ("v1.2", "v12"),
        ("a_b", "ab"),
        ("see [[a|x]]", "see [[b|x]]"),
        ("since:: 2026-11-30", "since:: 2026-11-29"),
    ],
)
def test_what_tells_things_apart_counts(one: str, other: str) -> None:
    assert saying("", one) != saying("", other)


def test_a_title_counts_where_it_says_more() -> None:
    assert saying("Pool", " \n") == "pool"
    assert adds_nothing("The pool", "Pool", "the one")
    assert not adds_nothing("Task 2", "Task 1", "done")


def test_of_a_long_text_the_start_is_what_it_is_looked_for_by() -> None:
    start = "walrus " * LONGEST
    assert saying_key("", start + "one") == saying_key("", start + "two")
    assert saying("", start + "one") != saying("", start + "two")


@given(st.text())
def test_any_text_says_something_and_says_the_same_however_it_is_spaced(text: str) -> None:
    assert saying("", f"  {text}\n\n") == saying("", text)
    assert saying_key("", text)
