"""Edits of a page that change only the bytes meant. Pure: a page in, its new text out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from memory_wiki.errors import BadInput, BadPage
from memory_wiki.page import claims, frontmatter
from memory_wiki.page.claims import AddFact, Retract
from memory_wiki.page.frontmatter import Value
from memory_wiki.page.page import MAX_BYTES, Page
from memory_wiki.page.section import Section, with_section
from memory_wiki.page.text import NEWLINE, encoded, is_clean, line_end

__all__ = [
    "AddFact",
    "Append",
    "Body",
    "DropKey",
    "Edit",
    "Retract",
    "Section",
    "SetKey",
    "Swap",
    "Whole",
    "edited",
    "rewritten",
    "with_fact_ids",
]


@dataclass(frozen=True, slots=True)
class Swap:
    """One passage for another; the old one must stand there exactly once."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Append:
    """Text at the end of the page, as lines of their own."""

    text: str


@dataclass(frozen=True, slots=True)
class Body:
    """Another text below the front matter."""

    text: str


@dataclass(frozen=True, slots=True)
class Whole:
    """Another text for the whole page, as an editor leaves it."""

    text: str


@dataclass(frozen=True, slots=True)
class SetKey:
    """A front matter key's value."""

    key: str
    value: Value


@dataclass(frozen=True, slots=True)
class DropKey:
    """A front matter key goes."""

    key: str


Edit = Swap | Append | Body | Whole | SetKey | DropKey | Section | AddFact | Retract


def with_fact_ids(page: Page, edits: tuple[Edit, ...], new_id: Callable[[], str]) -> tuple[Edit, ...]:
    """The edits, in which each fact that is added has an id that is free in the page."""
    taken: set[str] = set()
    return tuple(claims.named(edit, page.text, new_id, taken) if isinstance(edit, AddFact) else edit for edit in edits)


def edited(page: Page, edits: tuple[Edit, ...]) -> bytes:
    """The page's new bytes after all edits in order; raises `BadInput` where one doesn't fit."""
    text = page.text
    for edit in edits:
        text = _apply(text, edit, page)
    return _bytes_of(text)


def rewritten(text: str, old: Page | None) -> bytes:
    """A whole page as a program hands it over, in place of an `old` one if there is one; raises `BadPage`.

    Unlike a person with an editor, it can't leave front matter that is not read where the old one was.
    """
    if not text.strip():
        raise BadPage("there is no text to write; `archive` puts a page away")
    if not is_clean(text):
        raise BadPage("this text holds a NUL or what is no Unicode; leave it out")
    was_read = old is None or all(problem.code != frontmatter.UNREAD for problem in old.problems)
    for problem in frontmatter.read(text).problems if was_read else ():
        if problem.code == frontmatter.UNREAD:
            raise BadPage(f"line {problem.line}, {problem.message}; nothing is written")
    return _bytes_of(text)


def _bytes_of(text: str) -> bytes:
    data = encoded(text)
    if len(data) > MAX_BYTES:
        raise BadPage(f"the page would have {len(data):,} bytes, and a page may have {MAX_BYTES:,}; split it")
    return data


def _apply(text: str, edit: Edit, page: Page) -> str:
    match edit:
        case SetKey(key, value):
            return frontmatter.set_key(text, key, value)
        case DropKey(key):
            return frontmatter.remove_key(text, key)
        case AddFact():
            return claims.with_fact(text, edit)
        case Retract():
            return claims.without_fact(text, edit)
        case _:
            return _with_text(text, edit, page)


def _with_text(text: str, edit: Swap | Append | Body | Whole | Section, page: Page) -> str:
    match edit:
        case Swap(old, new):
            return _swap(text, old, _in_its_line_ends(new, text), page)
        case Append(added):
            end = "" if not text or text.endswith(("\n", "\r")) else line_end(text)
            return text + end + _in_its_line_ends(added.rstrip("\r\n") + "\n", text)
        case Body(body):
            head = text[: frontmatter.read(text).body_start]
            end = "" if not head or head.endswith(("\n", "\r", "\ufeff")) else line_end(text)
            return head + end + _in_its_line_ends(body.rstrip("\r\n") + "\n", text)
        case Section():
            return with_section(text, edit)
        case Whole(whole):
            return whole


def _swap(text: str, old: str, new: str, page: Page) -> str:
    if not old:
        raise BadInput("the text to replace is empty; give the passage as it stands in the page")
    wanted = _in_its_line_ends(old, text)
    count = len(re.findall(f"(?={re.escape(wanted)})", text))
    if count != 1:
        found = "does not stand" if count == 0 else f"stands {count} times"
        raise BadInput(f"{old!r} {found} in {page.path}; give a passage that stands there exactly once")
    return text.replace(wanted, new)


def _in_its_line_ends(added: str, text: str) -> str:
    return NEWLINE.sub(line_end(text), added)
