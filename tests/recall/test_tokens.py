"""The rule by which budgets count."""

import pytest

from memory_wiki.recall.tokens import tokens


@pytest.mark.parametrize(("text", "size"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢字", 2), ("\ud800", 1)])
def test_a_token_is_four_bytes_of_utf_8_rounded_up(text: str, size: int) -> None:
    assert tokens(text) == size
