"""A session as a page, and which line of the page is whose turn. Pure.

Each turn begins a paragraph of its own with its speaker, whatever its text holds: a fence left open is closed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_wiki.bench.material import Conversation, Session, Turn
from memory_wiki.page import frontmatter
from memory_wiki.page.frontmatter import Value
from memory_wiki.page.markup import scan
from memory_wiki.page.memory import Memory
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.page.text import lines_of, readable
from memory_wiki.wiki.remembering import Wish

HTML_ENDS = ("-->", "</script>", "</pre>", "</style>", "</textarea>", "?>", "]]>", ">")
"""What ends HTML that blank lines do not: https://spec.commonmark.org/0.31.2/#html-blocks"""
_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}|~{3,})")
_FACT_ID = re.compile(r" \^f[a-z0-9]+")  # which facts are given as they are written


@dataclass(frozen=True, slots=True)
class Sheet:
    """A session as it is to be written: each line below the front matter, and the id of the turn it is of, or ""."""

    session: str
    wish: Wish
    lines: tuple[tuple[str, str], ...]


def sheet(conversation: Conversation, session: Session) -> Sheet:
    """What is to be remembered of a session."""
    lines = tuple(_lines(session.turns))
    keys: list[tuple[str, Value]] = [("type", conversation.type)]
    keys += [("created", session.at)] if session.at else []
    text = frontmatter.compose(keys, "".join(f"{line}\n" for line, _ in lines))
    title = _title(conversation.name, session) if conversation.type == "session" else ""
    return Sheet(session.id, Wish(Memory(text, title), conversation.name), lines)


def turns_by_line(meant: Sheet, data: bytes) -> dict[int, str]:
    """The turn of each line of the page that was written, which must say what was meant, line by line."""
    page = parse(PagePath("-.md"), data)
    lines = lines_of(data)
    first = len(lines) - len(page.readable.split("\n"))
    found = lines[first : first + len(meant.lines)]
    are_equal = len(found) == len(meant.lines) and all(
        _says(line, wanted) for line, (wanted, _) in zip(found, meant.lines, strict=True)
    )
    assert are_equal, f"the page of {meant.session} does not say what was meant"  # noqa: S101
    return {first + number: turn for number, (_, turn) in enumerate(meant.lines, 1) if turn}


def _says(line: str, wanted: str) -> bool:
    """Whether a line is as it was meant, but for the id that a fact is given."""
    return line == wanted or any(
        line[: found.start()] + line[found.end() :] == wanted for found in _FACT_ID.finditer(line)
    )


def _lines(turns: tuple[Turn, ...]) -> Iterator[tuple[str, str]]:
    for number, turn in enumerate(turns):
        if number:
            yield "", ""
        yield from ((line, turn.id) for line in _closed(_said(turn)).split("\n"))


def _said(turn: Turn) -> str:
    text = readable(turn.text).strip()
    if not turn.speaker:
        return text
    speaker = " ".join(readable(turn.speaker).replace("*", "").split()) or "?"
    between = "\n" if _FENCE.match(text) else " "  # amid a line it would open nothing, and its end would
    return f"**{speaker}:**{between}{text}".rstrip()


def _closed(text: str) -> str:
    """The text, and below it what closes the code, comment or element that would take in what follows."""
    if _lets_follow(text):
        return text
    marks = sorted({found["mark"] for line in text.split("\n") if (found := _FENCE.match(line))}, key=len)
    options = (f"{text}\n{end}" for end in (*marks, *HTML_ENDS))
    return next(filter(_lets_follow, options), text)


def _lets_follow(text: str) -> bool:
    """Whether a paragraph below it is one of its own."""
    blocks = scan(f"{text}\n\nx\n", 1).blocks
    return blocks[-1].kind == "paragraph" and blocks[-1].first_line == text.count("\n") + 3


def _title(name: str, session: Session) -> str:
    """By conversation and day alone: a title weighs more than the text, and chats begin with greetings."""
    return f"{name} {session.at:%Y-%m-%d}" if session.at else f"{name} {session.id}"
