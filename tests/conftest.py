"""Every test gets a home, a git identity and an environment of its own; time and ids are inputs."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kit import ADA, Clock
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="Write the transcripts anew; review them as a diff.")


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
    monkeypatch.setenv("MEMORY_WIKI_MODEL", "none")  # what needs a model asks for it, and none is downloaded
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(folder / "fastembed"))
    monkeypatch.chdir(folder)
    return folder


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
