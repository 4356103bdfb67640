"""Every test gets a home, a git identity and an environment of its own; time and ids are inputs."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import git
import pytest

from memory_wiki.page.change import Actor
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.chance import Chance

START = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADA = Actor("ada", "claude-code", "session-7")
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32, of ULIDs


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with Ada's git identity; nothing of the machine's own settings reaches a test."""
    folder = tmp_path_factory.mktemp("home")
    (folder / ".gitconfig").write_text("[user]\nname = Ada Lovelace\nemail = ada@example.org\n", encoding="utf-8")
    for name in [name for name in os.environ if name.startswith(("GIT_", "MEMORY_WIKI_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TZ", "UTC")
    return folder


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


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def root(tmp_path: Path, clock: Clock) -> Path:
    """A vault just made."""
    made = make(tmp_path / "vault", ADA, clock.now())
    return made.root


@pytest.fixture
def wiki(root: Path, clock: Clock) -> Iterator[Wiki]:
    """Ada at the vault, standing in no project."""
    with Wiki.open(root, root, ADA, clock.chance) as opened:
        yield opened


def run_git(folder: Path, *args: str) -> str:
    """What git itself says of a folder, as a person would ask it."""
    return str(git.Git(folder).execute(["git", *args]))
