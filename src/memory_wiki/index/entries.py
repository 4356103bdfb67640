"""What the word index is told of a page, what it is asked for, and what it answers: values. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from memory_wiki.page.path import PagePath, Version

if TYPE_CHECKING:
    from memory_wiki.page.page import Page

MODELS = frozenset({"ai", "agent", "assistant", "bot", "chatgpt", "claude", "copilot", "gemini", "gpt", "model"})
"""Who speaks in a conversation and is no person."""


def is_model(speaker: str) -> bool:
    """Whether who speaks in a conversation is no person; "" speaks in none."""
    return speaker.casefold() in MODELS


At = tuple[PagePath, int]
"""Which passage: its page and its ordinal."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What the index is told of one page; `author` and `changed` are those of its last commit.

    `language` is what the page is taken for where its own can't be told.
    """

    page: "Page"
    project: str
    author: str
    changed: datetime
    language: str = ""


class Standing(StrEnum):
    """Whether a page speaks of what is, or was superseded or put away."""

    CURRENT = "current"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a page must be: an empty field filters nothing, and all that are given must hold.

    The members of a tuple are alternatives, but for `tags`, which must all be there; a tag `area/db` is
    found by `area` too. `folders` are page paths, or folders at any height above them. `author` is words of
    a name, or an e-mail address, in any case. `since` and `until`, themselves included, bound the time that a page
    tells of, or else that of its last change: one of both must lie between them; with `by_own_time` the first must.
    `says` is the `saying_key` of all that say the same. With `has_problems` only pages of which `check` would say
    something that it sees in the page alone, and with `is_pinned` only pages that are.
    """

    projects: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    standing: Standing | None = None
    author: str = ""
    since: datetime | None = None
    until: datetime | None = None
    by_own_time: bool = False
    has_problems: bool = False
    is_pinned: bool = False
    says: str = ""


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class PageEntry:
    """What the index knows of a page; `links` are what `Words.linking_to` asks for, `problems` is a count."""

    path: PagePath
    version: Version
    title: str
    type: str
    id: str
    tags: tuple[str, ...]
    status: str
    is_current: bool
    confidence: float
    pinned: bool
    project: str
    author: str
    changed: datetime
    created: datetime | None
    aliases: tuple[str, ...]
    links: tuple[str, ...]
    remotes: tuple[str, ...]
    by: str
    problems: int

    @property
    def own_time(self) -> datetime:
        """When what it tells of was, as far as it says so."""
        return self.created or self.changed


@dataclass(frozen=True, slots=True)
class WordHit:
    """A passage that answers a question, as it is in `version`: quote it from a file of that version only.

    `score` is a sum of BM25 over words and fields, without an upper bound. `mark` is what its vector is kept by, and
    `around` those of the turns of a conversation before and after it.
    """

    path: PagePath
    version: Version
    title: str
    type: str
    id: str
    tags: tuple[str, ...]
    status: str
    is_current: bool
    confidence: float
    pinned: bool
    project: str
    author: str
    changed: datetime
    created: datetime | None
    ordinal: int
    headings: tuple[str, ...]
    first_line: int
    last_line: int
    language: str
    facts: tuple[str, ...]
    speaker: str
    mark: int
    around: tuple[int, ...]
    score: float = 0.0

    @property
    def is_of_a_model(self) -> bool:
        """Whether a model said it in a conversation."""
        return is_model(self.speaker)

    @property
    def own_time(self) -> datetime:
        """When what its page tells of was, as far as it says so."""
        return self.created or self.changed

    @property
    def at(self) -> At:
        return self.path, self.ordinal
