"""Git itself is missing, too old, or refuses the folder: one sentence that says what is needed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import run_git
from memory_wiki.wiki import Wiki
from odd.states import as_root, assert_all_is_well, theirs
from proof import assert_agrees, on_disk


def fake_git(folder: Path, version: str) -> Path:
    """A git that has this version, and does what the real one does."""
    real = subprocess.run(["sh", "-c", "command -v git"], check=True, capture_output=True, text=True).stdout.strip()
    folder.mkdir()
    answer = f'case " $* " in *" --version "*|*" version "*) echo "git version {version}"; exit;; esac'
    (folder / "git").write_text(f'#!/bin/sh\n{answer}\nexec {real} "$@"\n', encoding="utf-8")
    (folder / "git").chmod(0o755)
    return folder


@pytest.mark.parametrize("args", [["init", "new"], ["recall", "walrus"], ["remember", "A seal"]])
def test_without_git_each_command_says_so_and_where_it_comes_from(
    args: list[str], walrus: Path, mw: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = on_disk(walrus)
    monkeypatch.setenv("PATH", "/nonexistent")
    answer = mw(*args, *(["--vault", str(walrus)] if args[0] != "init" else []))
    assert (answer.code, answer.out) == (7, "")
    assert "install it from https://git-scm.com" in answer.err
    assert "a mistake of ours" not in answer.err
    assert on_disk(walrus) == before


NEW_ENOUGH = ["2.30.0", "2.47.0.windows.1", "2.100.0-rc1", "3.0.GIT"]


@pytest.mark.parametrize("version", NEW_ENOUGH)
def test_a_git_that_is_new_enough_is_used_whatever_its_builder_calls_it(
    version: str, walrus: Path, tmp_path: Path, mw: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{fake_git(tmp_path / 'bin', version)}{os.pathsep}{os.environ['PATH']}")
    assert mw("remember", "A seal", "--vault", str(walrus)).code == 0


@pytest.fixture
def of_someone_else(walrus: Path) -> Path:
    """A folder of another user, which git refuses to look into."""
    for folder, names, files in os.walk(walrus):
        for name in (".", *names, *files):
            os.chown(Path(folder, name), 65534, 65534)
    return walrus


@as_root
def test_a_folder_of_another_user_is_refused_with_the_command_that_allows_it(
    of_someone_else: Path, wiki: Wiki, mw: Shell
) -> None:
    root = of_someone_else
    before = on_disk(root)
    vault = ["--vault", str(root)]
    for args in (["recall", "walrus", *vault], ["remember", "A seal", *vault], ["status", *vault], ["init", str(root)]):
        answer = mw(*args)
        assert (answer.code, answer.out) == (7, ""), args
        assert f"git config --global --add safe.directory {root}" in answer.err, args
        assert len(answer.err.splitlines()) == 1, answer.err
    assert on_disk(root) == before
    run_git(root.parent, "config", "--global", "--add", "safe.directory", str(root))
    assert mw("recall", "walrus", "--vault", str(root)).code == 0
    assert_all_is_well(wiki)


@as_root
def test_a_folder_in_a_repository_of_another_user_is_refused_and_gets_no_repository_within(
    tmp_path: Path, mw: Shell
) -> None:
    run_git(tmp_path, "init", "-q", "theirs")
    for folder, names, files in os.walk(tmp_path / "theirs"):
        for name in (".", *names, *files):
            os.chown(Path(folder, name), 65534, 65534)
    answer = mw("init", str(tmp_path / "theirs" / "memory"))
    assert answer.code == 7
    assert f"git config --global --add safe.directory {tmp_path / 'theirs'}" in answer.err
    assert not (tmp_path / "theirs" / "memory" / ".git").exists()


def test_a_damaged_history_stops_no_recall_and_is_said(wiki: Wiki, walrus: Path, mw: Shell) -> None:
    """As after a power cut on a disk that lied: the branch names a commit that is not there."""
    ref = walrus / ".git" / "refs" / "heads" / "main"
    good = ref.read_text(encoding="utf-8")
    before = theirs(walrus)
    ref.write_text("1" * 40 + "\n", encoding="utf-8")
    pages = on_disk(walrus)
    answer = mw("remember", "A narwhal", "--vault", str(walrus))
    assert answer.code == 7
    assert "a mistake of ours" not in answer.err
    assert on_disk(walrus) == pages
    ref.write_text(good, encoding="utf-8")
    assert theirs(walrus) == before
    assert_agrees(wiki)


@pytest.mark.parametrize("junk", [b"", b"junk\n", b"\0" * 41], ids=["empty", "junk", "zeros"])
def test_a_repository_that_is_damaged_is_never_made_anew(junk: bytes, walrus: Path, mw: Shell) -> None:
    (walrus / ".git" / "HEAD").write_bytes(junk)
    answer = mw("init", str(walrus))
    assert (answer.code, answer.out) == (7, "")
    assert f"git finds no repository in {walrus / '.git'}; mend it" in answer.err
    assert (walrus / ".git" / "HEAD").read_bytes() == junk


@pytest.mark.parametrize("junk", [b"", b"\0" * 100], ids=["empty", "zeros"])
def test_an_index_of_gits_that_is_damaged_is_said(junk: bytes, wiki: Wiki, walrus: Path, mw: Shell) -> None:
    (walrus / ".git" / "index").write_bytes(junk)
    pages, head = on_disk(walrus), wiki.vault.history.head()
    answer = mw("remember", "A narwhal", "--vault", str(walrus))
    if answer.code:
        assert answer.code == 7
        assert "index" in answer.err
        assert (on_disk(walrus), wiki.vault.history.head()) == (pages, head)
    (walrus / ".git" / "index").unlink()
    run_git(walrus, "reset", "-q")
    assert_agrees(wiki)


def memory_wiki(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, as whoever runs git is found once a process."""
    command = [sys.executable, "-m", "memory_wiki", *args]
    return subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("version", ["2.25.1", "1.8.3.1", "2.29.9 (Apple Git-1)"])
def test_a_git_that_is_too_old_is_refused_with_the_version_that_is_needed(
    version: str, walrus: Path, tmp_path: Path
) -> None:
    before = on_disk(walrus)
    path = f"{fake_git(tmp_path / 'bin', version)}{os.pathsep}{os.environ['PATH']}"
    answer = memory_wiki("remember", "A seal", "--vault", str(walrus), PATH=path)
    assert answer.returncode == 6
    assert version.split(maxsplit=1)[0] in answer.stderr
    assert "2.30" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
    assert on_disk(walrus) == before


def test_a_damaged_repository_is_not_taken_for_a_missing_vault(walrus: Path, mw: Shell) -> None:
    (walrus / ".git" / "HEAD").write_bytes(b"")
    answer = mw("recall", "walrus", "--vault", str(walrus))
    assert (answer.code, "makes one there" in answer.err) == (7, False)


@pytest.mark.parametrize("junk", [b"", b"gitdir: /nonexistent\n"], ids=["a folder", "a file"])
def test_a_vault_whose_own_repository_is_damaged_writes_nothing_into_the_one_around_it(
    junk: bytes, walrus: Path, mw: Shell
) -> None:
    """Git goes on above where it can't read a `.git`."""
    run_git(walrus.parent, "init", "-q", "-b", "main")
    if junk:
        shutil.move(walrus / ".git", walrus.parent / "apart")
        (walrus / ".git").write_bytes(junk)
    else:
        (walrus / ".git" / "HEAD").unlink()
    pages = on_disk(walrus)
    for args in (["recall", "walrus"], ["remember", "A narwhal"], ["init"]):
        answer = mw(*args, *([str(walrus)] if args == ["init"] else ["--vault", str(walrus)]))
        assert (answer.code, answer.out) == (7, ""), args
        assert f"git finds no repository in {walrus / '.git'}; mend it" in answer.err
    assert on_disk(walrus) == pages
    assert run_git(walrus.parent, "count-objects") == "0 objects, 0 kilobytes"
