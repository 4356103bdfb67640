"""Whatever was said, the page says it, each line of it is known to be whose, and no turn swallows the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import START
from memory_wiki.bench.material import Conversation, Session, Turn
from memory_wiki.bench.pages import sheet, turns_by_line
from memory_wiki.page.memory import Birth, compose
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

HOSTILE = [
    "---\ntitle: x\n---",
    "# Heading\n\n## Another",
    "```python\nprint()",
    "see\n~~~~\n```\n",
    "````\n```\nstill open",
    "- ```python\ncode\n```",
    "- [fact] The pool is capped #db\n- [fact] twice ^f0001",
    "- [fact] a claim  \n  that goes on",
    "<!-- a comment",
    "see\n\n<script>\nopen",
    "<pre>\n\nopen",
    "%% hidden",
    "$$\nopen",
    "a\r\n\r\nb\rc",
    "**Ada:** I said",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "> quoted\nlazy",
    "[x]: http://example.org\n\n[x]",
    "    indented\n\n\tcode",
    "\0\ud800\u2028\x0b\x85",
    "",
    "x" * 5000,
]
said = st.sampled_from(HOSTILE) | st.text(max_size=60) | st.lists(st.sampled_from(HOSTILE), max_size=3).map("\n".join)
speakers = st.sampled_from(["Ada", "user", "a *b* c", "x\ny"]) | st.text(min_size=1, max_size=5)


def written(conversation: Conversation) -> tuple[bytes, dict[int, str]]:
    """The page of the only session, by way of what `remember` composes, and the turn of each of its lines."""
    meant = sheet(conversation, conversation.sessions[0])
    ids = iter(f"f{number:04}" for number in range(2, 10_000))
    data = compose(meant.wish.memory, Birth("01KB", START, "ada", lambda: next(ids))).data
    return data, turns_by_line(meant, data)


def talk(*texts: str, speaker: str = "Ada") -> Conversation:
    turns = tuple(Turn(f"t{number}", speaker, text) for number, text in enumerate(texts))
    return Conversation("conv-1", (Session("s", START, turns),))


def test_a_session_is_a_page_of_paragraphs_each_begun_by_its_speaker() -> None:
    data, turns = written(talk("Hello.\n\nHow are you?", "Fine."))
    page = parse(PagePath("x.md"), data)
    assert page.body == "**Ada:** Hello.\n\nHow are you?\n\n**Ada:** Fine.\n"
    assert (page.title, page.type, page.created) == ("conv-1 2026-11-30", "session", START)
    lines = data.decode().split("\n")
    assert {lines[number - 1]: turn for number, turn in turns.items()} == {
        "**Ada:** Hello.": "t0",
        "": "t0",
        "How are you?": "t0",
        "**Ada:** Fine.": "t1",
    }


@given(st.lists(st.tuples(speakers, said), min_size=1, max_size=6))
def test_each_line_of_a_page_is_known_to_be_whose(pairs: list[tuple[str, str]]) -> None:
    turns = tuple(Turn(str(number), *pair) for number, pair in enumerate(pairs))
    data, found = written(Conversation("conv-1", (Session("s", START, turns),)))
    page = parse(PagePath("x.md"), data)
    assert not [problem for problem in page.problems if problem.level == "error"]
    assert list(dict.fromkeys(found.values())) == [turn.id for turn in turns]
    first = page.text[: page.body_start].count("\n")
    assert all((number in found) for number, line in enumerate(page.lines, 1) if line.strip() and number > first)
    for turn in turns:
        assert page.lines[min(number for number, whose in found.items() if whose == turn.id) - 1].startswith("**")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_turn_takes_in_the_next(text: str) -> None:
    data, found = written(talk(text, "a plain word", text, "another"))
    blocks = {block.first_line for block in parse(PagePath("x.md"), data).markup.blocks}
    begins = [min(number for number, whose in found.items() if whose == turn) for turn in ("t0", "t1", "t2", "t3")]
    assert blocks.issuperset(begins)


def test_a_page_that_does_not_say_what_was_meant_is_not_counted() -> None:
    conversation = talk("One.", "Two.")
    meant = sheet(conversation, conversation.sessions[0])
    with pytest.raises(AssertionError, match="does not say what was meant"):
        turns_by_line(meant, b"---\ntype: session\n---\n**Ada:** One.\n\n**Ada:** Three.\n")


def test_a_passage_that_nobody_says_is_the_page_as_it_is() -> None:
    conversation = Conversation("xquad-en", (Session("1", None, (Turn("1", "", "The bridge was opened."),)),), "note")
    data, turns = written(conversation)
    page = parse(PagePath("x.md"), data)
    assert (page.body, page.title, set(turns.values())) == ("The bridge was opened.\n", "The bridge was opened", {"1"})
