"""Vaults in the states that several tests begin with, and the command."""

import os
import shutil
import time
from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import ADA, Clock, run_git
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from odd.states import WALRUS, commit, save, watched


@pytest.fixture
def mw(monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command, where it is always UTC."""
    time.tzset()
    return Shell(monkeypatch)


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the vault is that each test gets a copy of, once the first has made it."""
    return tmp_path_factory.mktemp("pattern") / "vault"


@pytest.fixture
def root(pattern: Path, tmp_path: Path, clock: Clock) -> Path:
    """A vault just made, and opened once."""
    if not pattern.exists():
        with Wiki.open(make(pattern, ADA, clock.now()).root, pattern, ADA, clock.chance) as wiki:
            wiki.catch_up()
    shutil.copytree(pattern, tmp_path / "vault", symlinks=True)
    return tmp_path / "vault"


@pytest.fixture
def walrus(wiki: Wiki) -> Path:
    """The vault of `wiki`, with one page, in history and indexed."""
    root = wiki.vault.root
    save(root, **{WALRUS.removesuffix(".md"): "All about the walrus.\n"})
    wiki.catch_up()
    return root


@pytest.fixture(params=["asked", "watched"])
def either(request: pytest.FixtureRequest, wiki: Wiki) -> Wiki:
    """The vault of `wiki`, which looks at the folder when it is asked, or watches it."""
    return watched(wiki) if request.param == "watched" else wiki


@pytest.fixture
def forked(walrus: Path) -> Path:
    """Two branches that changed one page each in its way, and one that did not."""
    run_git(walrus, "switch", "-q", "-c", "apart")
    commit(walrus, apart="Elsewhere.\n")
    run_git(walrus, "switch", "-q", "-c", "side", "main")
    commit(walrus, other="On the side.\n")
    commit(walrus, walrus="Theirs.\n")
    (walrus.parent / "theirs.patch").write_text(run_git(walrus, "format-patch", "-1", "--stdout") + "\n", "utf-8")
    run_git(walrus, "switch", "-q", "main")
    for text in ("Ours.\n", "Ours, again.\n"):
        commit(walrus, walrus=text)
    return walrus


CONE = ("sparse-checkout", "set", "--cone", "kept")
WAYS = {
    "cone": CONE,
    "patterns": ("sparse-checkout", "set", "--no-cone", "/*", "!/far/"),
    "sparse index": ("sparse-checkout", "set", "--cone", "--sparse-index", "kept"),
}


@pytest.fixture
def sparse(request: pytest.FixtureRequest, wiki: Wiki, walrus: Path) -> Wiki:
    for folder in ("kept", "far"):
        (walrus / folder).mkdir()
        (walrus / folder / f"{folder}-seal.md").write_text(f"A {folder} seal.\n", encoding="utf-8")
    wiki.catch_up()
    run_git(walrus, *WAYS[getattr(request, "param", "cone")])
    assert not (walrus / "far" / "far-seal.md").exists()
    return wiki


@pytest.fixture
def open_home(tmp_path: Path) -> Path:
    """A home that nobody may read, in which every folder is trusted."""
    home = tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\nname = N\nemail = n@example.org\n[safe]\ndirectory = *\n", "utf-8")
    for folder in (home, *tmp_path.parents):
        if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    tmp_path.chmod(0o755)
    return home
