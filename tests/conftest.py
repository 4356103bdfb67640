"""Every test gets a home, a git identity and an environment of its own; time and ids are inputs."""

import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from talk import server_of

from kit import ADA, PATIENCE, Clock
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.index.embedder import Embedder, Reranker
from memory_wiki.index.known import DEFAULT, RERANKER
from memory_wiki.page.memory import Memory
from memory_wiki.vault import repository
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki, background
from memory_wiki.wiki.remembering import Wish
from shelf import found

collect_ignore = [] if os.environ.get("MEMORY_WIKI_CLIENTS") else ["clients"]
"""Real agents are heavy to install: `make test-clients` does, and says where they are."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="Write the transcripts anew; review them as a diff.")


@pytest.fixture(scope="session", autouse=True)
def _nothing_goes_on_behind() -> Iterator[None]:
    """What git does while nobody waits is over, and known to be, before this process is: it would warn of the rest."""
    yield
    for process in repository._BEHIND:
        process.wait(PATIENCE)


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The real one, loaded once for all tests of a process."""
    return Embedder.load(found(DEFAULT))


@pytest.fixture(scope="session")
def reranker() -> Reranker:
    return Reranker.load(found(RERANKER))


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folders that are not there yet; pytest would list all that there are to number the next one of thousands."""
    above = tmp_path_factory.mktemp("homes")
    return (above / str(number) for number in count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with Ada's git identity; nothing of the machine's own settings reaches a test."""
    folder = next(homes)
    folder.mkdir()
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


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the vault is that each test gets a copy of, once the first has made it."""
    return tmp_path_factory.mktemp("made") / "vault"


@pytest.fixture
def root(made: Path, tmp_path: Path, clock: Clock) -> Path:
    """A vault just made."""
    at = clock.now()
    if not made.exists():
        make(made, ADA, at)
    return shutil.copytree(made, tmp_path / "vault", symlinks=True)


@pytest.fixture
def wiki(root: Path, clock: Clock) -> Iterator[Wiki]:
    """Ada at the vault, standing in no project."""
    with Wiki.open(root, root, ADA, clock.chance) as opened:
        yield opened


@pytest.fixture
def server(wiki: Wiki) -> MemoryServer:
    """Over a vault with two projects."""
    text = "Orders are kept in Postgres 16, as two services write."
    wiki.remember(Wish(Memory(text, "Postgres", "decision"), "shop"))
    wiki.remember(Wish(Memory("Posts are kept in SQLite, as one service writes.", "SQLite", "decision"), "blog"))
    wiki.remember(Wish(Memory("Ada works on Tuesdays.", "Ada's days", "fact"), ""))
    return server_of(wiki)


@pytest.fixture
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a test does not take as long as a look by itself may, least of all one that had to wait for git."""
    monkeypatch.setattr(background, "LOOKING", 0.1)
    monkeypatch.setattr(background, "SHARE", 1)
