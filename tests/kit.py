"""What tests share: a person, a clock, and git as that person would ask it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event

import git

from memory_wiki.page.change import Actor
from memory_wiki.wiki.chance import Chance

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADA = Actor("ada", "claude-code", "session-7")
PATIENCE = 30.0  # seconds that a busy machine may take for what commonly takes one
_PAUSE = Event()  # that never ends
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32, of ULIDs


@dataclass
class Clock:
    """A second passes at each look; ids count up from one."""

    at: datetime = START
    ids: Iterator[int] = field(default_factory=lambda: iter(range(1, 1_000_000)))

    def now(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at

    def new_id(self, _at: datetime) -> str:
        number, digits = next(self.ids), ""
        while len(digits) < 26:
            digits = LETTERS[number % 32] + digits
            number //= 32
        return f"01KB{digits[4:]}"

    def new_fact_id(self) -> str:
        return f"f{next(self.ids):04}"

    @property
    def chance(self) -> Chance:
        return Chance(self.now, self.new_id, self.new_fact_id)


def run_git(folder: Path, *args: str) -> str:
    """What git itself says of a folder, as a person would ask it."""
    return str(git.Git(folder).execute(["git", *args]))


def until(claim: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Waits until others, in threads or processes of their own, have made this true."""
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, f"not so after {seconds:.0f} s"
        _PAUSE.wait(0.01)
