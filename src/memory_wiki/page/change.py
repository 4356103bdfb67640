"""What is to become of pages, as values: a `Plan` can be printed, tested, refused, and applied once.

Pure. A plan states the version it was made for; whoever applies it must find that version or refuse.
"""

import re
from dataclasses import dataclass

from memory_wiki.page.path import PagePath, Version


@dataclass(frozen=True, slots=True)
class Create:
    """A page that must not be there yet."""

    path: PagePath
    data: bytes


@dataclass(frozen=True, slots=True)
class Replace:
    """New bytes for the page whose version is `expected`."""

    path: PagePath
    data: bytes
    expected: Version


@dataclass(frozen=True, slots=True)
class Move:
    """The page whose version is `expected` gets another path, and `data` for its bytes; nothing may be there yet."""

    path: PagePath
    to: PagePath
    data: bytes
    expected: Version


Change = Create | Replace | Move


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes that become one commit: `verb: title`, and trailers that say the rest."""

    verb: str
    title: str
    changes: tuple[Change, ...]
    trailers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Actor:
    """On whose behalf a write is made: a name for the trailers, and the agent and session it came through."""

    name: str
    agent: str = ""
    session: str = ""

    @property
    def byline(self) -> str:
        """`ada via claude-code`, as a page's `by` says it."""
        return f"{self.name} via {self.agent}" if self.agent else self.name


MOVED_FROM = "Moved-From"  # a trailer: the path that the page named first had before
PAGES_NAMED = 50  # a commit of more pages says how many; `git show --stat` has them all


def message(plan: Plan, actor: Actor) -> str:
    """The commit's message. No title or name can add a line of its own: control characters become spaces."""
    trailers = [("Op", plan.verb)]
    trailers += [("Page", _where(change)) for change in plan.changes[:PAGES_NAMED]]
    if len(plan.changes) > PAGES_NAMED:
        trailers.append(("Pages", str(len(plan.changes))))
    trailers += [(MOVED_FROM, change.path) for change in plan.changes if isinstance(change, Move)]
    trailers += [("Actor", actor.name), ("Agent", actor.agent), ("Session", actor.session), *plan.trailers]
    lines = [f"{key}: {one_line(value)}" for key, value in trailers if value]
    return f"{plan.verb}: {one_line(plan.title)}\n\n" + "\n".join(lines) + "\n"


def _where(change: Change) -> PagePath:
    return change.to if isinstance(change, Move) else change.path


def one_line(text: str) -> str:
    """Text that can't add a line to a message: white space and control characters become single spaces."""
    if text.isprintable() and "  " not in text:  # the space is the only white space that is printable
        return text.strip(" ")
    return re.sub(r"[\s\x00-\x1f\x7f\x85\u2028\u2029]+", " ", text).strip()
