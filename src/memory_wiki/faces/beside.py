"""What is said beside an answer: notes of what other hands had changed, warnings, and how far long work is: by a bar
on a terminal, elsewhere by a line now and then.
"""

import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_wiki.faces.ink import SHORT, count, on_one_line
from memory_wiki.wiki.listener import CaughtUp, Listener

if TYPE_CHECKING:
    from memory_wiki.index.index import Progress

SAID_EACH = 10.0  # seconds
PROGRESS_AFTER = 0.5  # seconds: shorter work needs no bar


def caught_up(found: CaughtUp) -> str:
    """What a command did before it answered, in a line; "" for nothing worth saying."""
    if found.commit:
        return f"committed {_named(found.pages)} changed outside, as {found.commit[:SHORT]}"
    if found.left:
        return f"{_named(tuple(found.seen.differs))} changed outside, not committed: {found.left}"
    return ""


def _named(paths: Sequence[str]) -> str:
    return on_one_line(paths[0]) if len(paths) == 1 else count(len(paths), "page")


class Notes(logging.Handler):
    """What the package logs as a warning, as notes beside the answer."""

    def __init__(self, note: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._note = note

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(BrokenPipeError):  # nobody listens, which must not stop the thread that had to say it
            self._note(" ".join(record.getMessage().split()))


class Ear(Listener):
    """Notes what other hands had changed; tells how far work is."""

    def __init__(self, note: Callable[[str], None], told: "Progress") -> None:
        self._note = note
        self._told = told

    def caught_up(self, caught: CaughtUp) -> None:
        self._note(caught_up(caught))

    def progress(self, done: int, total: int) -> None:
        self._told(done, total)

    def embedded(self, done: int, total: int) -> None:
        if not done:
            self._note(f"embedding {count(total, 'passage')}")
        self._told(done, total)


class Herald(Listener):
    """Says what was changed outside each time, and what keeps it from being committed once; `end` when nobody hears."""

    def __init__(self, say: Callable[[CaughtUp], None], end: Callable[[], None], note: Callable[[str], None]) -> None:
        self._say = say
        self._note = note
        self._pace: Pace | None = None
        self._end = end
        self._left = ""
        self.is_unheard = False

    def caught_up(self, caught: CaughtUp) -> None:
        try:
            if not self.is_unheard and (caught.commit or caught.left != self._left):
                self._say(caught)
        except BrokenPipeError:
            self.is_unheard = True
            self._end()
        self._left = caught.left

    def embedded(self, done: int, total: int) -> None:
        """Says at the end of a run how many passages it was, and during a long one how far it is."""
        pace = self._pace = self._pace or Pace(done)
        if done >= total:
            self._pace = None
        if done >= total or pace.is_due:
            self._note(f"embedded {pace.line(done, total, 'passage')}")


class Pace:
    """Of a run: when it began and was last spoken of, and how many were done as it began."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._began = self._said = time.monotonic()

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._said >= SAID_EACH

    def line(self, done: int, total: int, noun: str) -> str:
        """How far it is, and how fast."""
        self._said = time.monotonic()
        rate = (done - self._first) / max(self._said - self._began, 0.001)
        return f"{done:,} of {count(total, noun)}" + (f", {rate:.0f} a second" if rate else "")


@dataclass
class Counted:
    """How many are done, for when the rest fails."""

    done: int = 0

    def and_then(self, told: "Progress") -> "Progress":
        def counted(done: int, total: int) -> None:
            self.done = done
            told(done, total)

        return counted


@contextmanager
def progress(note: Callable[[str], None], noun: str = "page") -> "Iterator[Progress]":
    """For work that takes longer than a blink: a bar on a terminal's standard error, else a line now and then."""
    started = time.monotonic()
    is_seen = sys.stderr.isatty()
    pace: Pace | None = None
    shown: Progress | None = None

    def told(done: int, total: int) -> None:
        nonlocal pace, shown
        pace = pace or Pace(done)
        if is_seen and shown is None and time.monotonic() - started > PROGRESS_AFTER:
            shown = bars.enter_context(_bar(f"{noun.capitalize()}s"))
        if shown is not None:
            shown(done, total)
        elif not is_seen and pace.is_due:
            note(pace.line(done, total, noun))

    with ExitStack() as bars:
        yield told


@contextmanager
def _bar(of: str) -> "Iterator[Progress]":
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(of)
        yield lambda done, total: bar.update(task, completed=done, total=total)
