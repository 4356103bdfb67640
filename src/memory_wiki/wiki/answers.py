"""What the verbs give back. Values only."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from memory_wiki.index.entries import PageEntry
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath, Version
from memory_wiki.page.problem import Problem
from memory_wiki.vault.past import Past
from memory_wiki.vault.porcelain import Commit

if TYPE_CHECKING:
    from memory_wiki.page.against import How


@dataclass(frozen=True, slots=True)
class Written:
    """A page written: where, which version, in which commit ("" where nothing had to change)."""

    verb: str
    path: PagePath
    title: str
    version: Version
    commit: str
    was: PagePath | None = None
    """The path it had before, where that is another."""
    also: tuple[PagePath, ...] = ()
    """Other pages that the same commit changed: a new project's page, or pages whose links were re-pointed."""
    namesake: PagePath | None = None
    """The page that has the name this one would have had."""
    repeats: PagePath | None = None
    """The page that says it already, so that nothing was written: this is its path and version."""
    contradicts: "tuple[Rival, ...]" = ()
    """Pages that say otherwise: nobody has decided which holds."""


class Known(Protocol):
    """What is known of a page, whoever tells it."""

    @property
    def path(self) -> PagePath: ...
    @property
    def title(self) -> str: ...
    @property
    def version(self) -> Version: ...


@dataclass(frozen=True, slots=True)
class Rival:
    """A page that a new memory speaks against: which sentence of it, and in what way."""

    path: PagePath
    title: str
    version: Version
    said: str
    how: "How"


@dataclass(frozen=True, slots=True)
class Noted:
    """What a reader said of a page, and the commit by which it asks for review, "" where it does not."""

    path: PagePath
    title: str
    version: Version
    verdict: str
    commit: str

    @property
    def asks_review(self) -> bool:
        return self.verdict != "useful"


@dataclass(frozen=True, slots=True)
class Batch:
    """Pages written one after another."""

    written: tuple[Written, ...]


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages as the index knows them; where there is none, `unmet` says what no page passes."""

    pages: tuple[PageEntry, ...]
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """A page, or a passage of one from `line` on, at the time that the page is about; `text` is "" for a page."""

    at: datetime
    path: PagePath
    line: int
    title: str
    type: str
    status: str
    version: Version
    text: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """What happened, oldest first; `topic` is "" for pages. `left_out` is how much more there is that had no room: of
    pages all, about a topic at least so much. Where there is nothing, `unmet` says what no page passes.
    """

    topic: str
    moments: tuple[Moment, ...]
    left_out: int
    unmet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Life:
    """A page's versions, newest first."""

    path: PagePath
    versions: tuple[Past, ...]


@dataclass(frozen=True, slots=True)
class Commits:
    """Commits of the vault, newest first."""

    commits: tuple[Commit, ...]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """An index built anew."""

    pages: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A page and the version of its life it is; `past` is None for the page as it is on disk now."""

    page: Page
    past: Past | None


@dataclass(frozen=True, slots=True)
class Diff:
    """Two versions of a page, "" for none, and their unified diff ("" where they are the same)."""

    path: PagePath
    old: str
    new: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """A problem, and the page or file it is in."""

    path: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Report:
    """What `check` found in how many pages."""

    pages: int
    found: tuple[Found, ...]


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many passages were given their vectors, in how long, by which model."""

    passages: int
    seconds: float
    model: str


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that listens at an address; the file that its token is in, "" where none is asked for."""

    url: str
    token_file: str


@dataclass(frozen=True, slots=True)
class Status:
    """Where one stands: vault, project, branch, sizes, and what is not as it should be."""

    vault: str
    project: str
    branch: str
    head: str
    pages: int
    passages: int
    languages: tuple[str, ...]
    uncommitted: tuple[PagePath, ...]
    unreadable: tuple[tuple[PagePath, str], ...]
    front_matter: tuple[PagePath, ...]
    """Pages whose front matter can't be read, so that its keys don't count."""
    left: str
    settings: tuple[Problem, ...]
    index_bytes: int
    model: str
    """Which finds by meaning, "" for none."""
    words_alone: str
    """Why none finds, "" where one does."""
    embedded: int
    """Passages that have their vectors."""
