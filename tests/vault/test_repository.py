"""Where the repository is: one process of git says it, however it is laid out."""

import os
import shutil
from pathlib import Path

import pytest

from kit import run_git
from memory_wiki.errors import VaultNotFound
from memory_wiki.vault.repository import Repository, start


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A repository with one commit."""
    folder = tmp_path / "home"
    folder.mkdir()
    start(folder)
    run_git(folder, "commit", "--quiet", "--allow-empty", "-m", "first")
    return folder


def test_a_folder_inside_is_told_from_the_top_also_through_a_link(home: Path) -> None:
    (home / "in side").mkdir()
    (home.parent / "link").symlink_to(home / "in side")
    for folder in (home / "in side", home.parent / "link"):
        found = Repository(folder)
        assert (found.top, found.git_folder, found.prefix) == (home, home / ".git", "in side/")
    assert Repository(home).prefix == ""


def test_a_worktree_has_a_folder_of_its_own_and_shares_the_rest(home: Path) -> None:
    run_git(home, "worktree", "add", "--quiet", "../side")
    found = Repository(home.parent / "side")
    assert (found.top, found.git_folder) == (home.parent / "side", home / ".git" / "worktrees" / "side")
    assert found.common_folder == home / ".git"
    assert found.where() == ("side", Repository(home).where()[1])
    found.close()


def test_a_git_folder_elsewhere_may_have_any_name(tmp_path: Path) -> None:
    work, elsewhere = tmp_path / "work", tmp_path / "git\nfolder"
    work.mkdir()
    run_git(work, "init", "--quiet", "--initial-branch=main", f"--separate-git-dir={elsewhere}")
    found = Repository(work)
    assert (found.top, found.git_folder, found.common_folder) == (work, elsewhere, elsewhere)
    assert (found.object_format, found.where()) == ("sha1", ("main", ""))
    found.close()


def test_no_vault_is_in_a_bare_repository_or_in_what_git_keeps_for_itself(home: Path) -> None:
    run_git(home, "clone", "--quiet", "--bare", ".", "../bare.git")
    for folder in (home.parent / "bare.git", home / ".git", home / ".git" / "objects", home.parent, home / "none"):
        with pytest.raises(VaultNotFound):
            Repository(folder)


def test_no_command_that_somebody_waits_for_waits_for_the_network(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git before 2.45 fetches what a partial clone lacks all the same, so that what reaches it is looked at."""
    real, heard = shutil.which("git"), tmp_path / "heard"
    assert real is not None
    between = tmp_path / "bin" / "git"
    between.parent.mkdir()
    between.write_text(f'#!/bin/sh\necho "$GIT_NO_LAZY_FETCH $*" >>"{heard}"\nexec "{real}" "$@"\n', encoding="utf-8")
    between.chmod(0o755)
    monkeypatch.setenv("PATH", f"{between.parent}{os.pathsep}{os.environ['PATH']}")
    found = Repository(home)
    found.run("cat-file", "-t", "HEAD")
    found.begin_below("status").answer()
    found.close()
    said = [line for line in heard.read_text(encoding="utf-8").splitlines() if "--version" not in line]
    assert [line[:2] for line in said] == ["1 "] * len(["rev-parse", "cat-file", "status"])
