"""A quote is what stands in the file, and never more of it than the budget holds."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_wiki.index.analyze import question_terms
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.recall.likeness import is_near_copy, shingles
from memory_wiki.recall.quote import CUT, Leaf, quote
from memory_wiki.recall.tokens import tokens

PAGE = parse(
    PagePath("a.md"),
    b"# Pool\n\nThe pool is small. It holds twenty connections. Nobody knows why.\n\n"
    b"- [fact] Capped at 20 ^f1\n- [fact] Zebras are free ^f2\n\n",
)
LEAF = Leaf.of(PAGE.data, "en")
WHOLE = "\n".join(PAGE.lines[:6])


def test_a_passage_that_fits_is_quoted_whole_without_blank_ends() -> None:
    found = quote(LEAF, 1, 7, question_terms("zebra"), 1000)
    assert found is not None
    assert (found.text, found.first_line, found.last_line, found.fact) == (WHOLE, 1, 6, "f2")


def test_a_narrow_budget_keeps_the_line_that_answers() -> None:
    found = quote(LEAF, 1, 7, question_terms("zebra"), 9)
    assert found is not None
    assert (found.text, found.first_line, found.fact) == ("- [fact] Zebras are free ^f2", 6, "f2")


def test_a_long_line_is_narrowed_to_the_sentence_that_answers() -> None:
    found = quote(LEAF, 3, 3, question_terms("connections"), 14)
    assert found is not None
    assert found.text == f"{CUT} It holds twenty connections. {CUT}"


def test_a_long_sentence_is_cut_at_a_word() -> None:
    page = parse(PagePath("a.md"), b"word " * 500)
    found = quote(Leaf.of(page.data, "en"), 1, 1, question_terms("word"), 20)
    assert found is not None
    assert found.text.endswith(f"word {CUT}")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(st.sampled_from("ab zebra.!\u3042\u3002 -"), max_size=60), min_size=1, max_size=8),
    st.integers(0, 80),
)
def test_no_quote_is_larger_than_its_budget_or_says_what_the_page_does_not(lines: list[str], budget: int) -> None:
    page = parse(PagePath("a.md"), "\n".join(lines).encode())
    found = quote(Leaf.of(page.data, "en"), 1, len(page.lines), question_terms("zebra"), budget)
    if found is not None:
        assert tokens(found.text) <= budget
        said = "".join(found.text.replace(CUT, "").split())
        assert said in "".join("".join(page.lines).split())


@pytest.mark.parametrize(
    ("one", "other", "is_copy"),
    [
        ("The pool is capped at twenty connections", "the pool is capped, at twenty connections!", True),
        ("The pool is capped at twenty connections", "The pool is capped at forty connections", False),
        ("short", "short", True),
        ("short", "other", False),
    ],
)
def test_near_copies_share_nearly_all_their_words_in_order(one: str, other: str, *, is_copy: bool) -> None:
    assert is_near_copy(shingles(one), shingles(other)) is is_copy


@pytest.mark.parametrize(("text", "size"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("記憶", 2), ("é" * 4, 2)])
def test_a_token_is_four_bytes_rounded_up(text: str, size: int) -> None:
    assert tokens(text) == size
