"""A body that is plainly written is read without the Markdown parser, and as the parser would."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_wiki.page import markup, plain
from memory_wiki.page.outline import Outline

BEGINNINGS = [
    "",
    "- ",
    "* ",
    "1. ",
    "2. ",
    "1) ",
    "# ",
    "###### ",
    "#",
    "```",
    "````",
    "---",
    "***",
    "> ",
    "  ",
    "    ",
]
BEGINNINGS += [
    "-",
    "*",
    "**",
    "_",
    "`",
    "``",
    "~~~",
    "|",
    "| ",
    "1.",
    "12",
    "123456789. ",
    "--",
    "[x]: ",
    "<div>",
    "\\",
]
BEGINNINGS += ["[", ":", "\xa0", "\x0b", "\u2028", "\ufeff", "é", "日", "🙂", "|a|b|\n|--|--|\n", "|a|\n|-|\n", "> a\n"]
ENDINGS = [
    "a",
    "b c",
    "a | b",
    "|",
    "|a|b|",
    "--|--",
    "|---|---|",
    "- x",
    "a #",
    "`b`",
    "```",
    "*b*",
    "**",
    " ",
    "\x0b",
]
ENDINGS += [
    "a\xa0",
    "1. x",
    "3)",
    "[ ] t",
    "[ab] c",
    "===",
    "---",
    "-",
    "&amp;",
    "a\\",
    "$$",
    "> q",
    "<b>",
    "1.5",
    "^id",
]
ENDINGS += ["#tag", "日本", ":-", "\x1f", "a\t", "\0", "b\r"]
lines = st.tuples(st.sampled_from(BEGINNINGS), st.sampled_from(ENDINGS), st.sampled_from(["\n", "\n\n", "\n \n"]))
bodies = st.lists(lines.map("".join), max_size=6).map("".join)
ends = st.sampled_from(["", "a", " ", "\n  "])


def by_the_parser(body: str) -> Outline:
    return markup._outline(body, markup._starts(body), 3)


@settings(max_examples=300)
@given(bodies, ends)
@example("````|\n|-\n````", "")
@example("# a|b\n-----\n", "")
@example("text\n---\n", "")
@example("text\n2. two\n", "")
@example("|a|b|\n|--|--|\n|\x0b|\n", "")
def test_a_plain_body_has_the_blocks_that_the_parser_sees(body: str, end: str) -> None:
    found = plain.outline(body + end, 3)
    assert found is None or found == by_the_parser(body + end)


PLAIN = [
    "One paragraph\nof two lines.\n",
    "# Heading\ntext at once\n\n## Another\n",
    "- [fact] one #tag ^id\n- [fact] two\n  goes on\n\n- [fact] three\n\nThe end",
    "Steps\n\n1. `one`\n2. **two**\n10. three\n",
    "```python\n# no heading\n\n- no item\n```\n\ntext\n\n---\n\ntext\n",
    "| a | b |\n|---|:-:|\n| c | d |\n\n> [!note] Title\n> text\n",
]


@pytest.mark.parametrize("body", PLAIN)
def test_what_most_pages_are_made_of_is_plain(body: str) -> None:
    assert plain.outline(body, 3) == (by_the_parser(body) if plain.IS_SOUND else None)


@pytest.mark.parametrize("mark", ["| a |\n|", "- a\n", "1", "```", "`", "#", "> a\n", "a\n  ", "*", "|-", "\n \n", "|"])
def test_no_repetition_takes_long(mark: str) -> None:
    body = mark * (60_000 // len(mark))
    found = plain.outline(body, 1)
    assert found is None or found.leaves or found.blocks or not body.strip()
