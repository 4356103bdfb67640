"""What a person may expect of odd repositories, and does not get yet."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import git
import pytest

from faces.conftest import Shell
from kit import Clock, run_git
from memory_wiki.errors import MemoryWikiError, PageExists, VaultBusy
from memory_wiki.wiki import Wiki
from odd.processes import AS_NOBODY, run
from odd.states import (
    WALRUS,
    as_root,
    assert_all_is_well,
    assert_writes_are_refused,
    commit,
    found,
    save,
)
from odd.test_git import fake_git
from odd.test_repositories import open_at
from proof import at_head, on_disk


def conflict_by_stash(root: Path) -> None:
    save(root, walrus="Mine, put by.\n")
    run_git(root, "stash", "push", "-q")
    commit(root, walrus="Meanwhile.\n")
    with pytest.raises(git.GitCommandError):
        run_git(root, "stash", "pop")


def conflict_by_squash(root: Path) -> None:
    with pytest.raises(git.GitCommandError):
        run_git(root, "merge", "--squash", "side")


def conflict_by_switch(root: Path) -> None:
    save(root, walrus="Mine, carried over.\n")
    run_git(root, "switch", "-q", "-m", "side")


@pytest.mark.parametrize("bring_about", [conflict_by_stash, conflict_by_squash, conflict_by_switch])
def test_a_conflict_that_git_keeps_no_note_of_is_left_for_the_person_to_resolve(
    bring_about: Callable[[Path], None], wiki: Wiki, forked: Path
) -> None:
    """After `git stash pop` and its like, only the index tells: the path has three versions and no agreed one."""
    wiki.catch_up()
    bring_about(forked)
    before = run_git(forked, "ls-files", "--unmerged")
    assert before
    marked = (forked / WALRUS).read_bytes()
    assert b"<<<<<<<" in marked
    wiki.catch_up()
    assert run_git(forked, "ls-files", "--unmerged") == before
    assert b"<<<<<<<" not in run_git(forked, "show", f"HEAD:{WALRUS}").encode()
    assert (forked / WALRUS).read_bytes() == marked
    save(forked, walrus="Resolved.\n")
    run_git(forked, "add", WALRUS)
    assert_all_is_well(wiki)


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
    assert answer.returncode == 7
    assert version.split(maxsplit=1)[0] in answer.stderr
    assert "2.30" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
    assert on_disk(walrus) == before


def test_an_edit_of_a_page_left_out_says_that_it_is_left_out(sparse: Wiki, mw: Shell) -> None:
    root = sparse.vault.root
    for verb in (
        ["edit", "far/far-seal.md", "--append", "x"],
        ["restore", "far/far-seal.md"],
        ["show", "far/far-seal.md"],
    ):
        answer = mw(*verb, "--vault", str(root))
        assert answer.code != 0, verb
        assert "sparse" in answer.err, (verb, answer.err)
    assert run_git(root, "show", "HEAD:far/far-seal.md") == "A far seal."


def test_a_page_left_out_keeps_its_name_to_itself(sparse: Wiki) -> None:
    with pytest.raises(MemoryWikiError, match="sparse"):
        sparse.move("kept/kept-seal.md", "far/far-seal.md")
    assert run_git(sparse.vault.root, "show", "HEAD:far/far-seal.md") == "A far seal."


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


def test_a_new_page_takes_no_name_that_another_has_in_other_letters(wiki: Wiki, walrus: Path) -> None:
    save(walrus, **{DECOMPOSED: "A seal.\n"})
    wiki.catch_up()
    with pytest.raises(PageExists):
        wiki.move(WALRUS, f"{COMPOSED}.md")
    with pytest.raises(PageExists):
        wiki.move(f"{DECOMPOSED}.md", "WALRUS.md")


def test_where_git_is_told_to_ignore_case_on_a_disk_that_does_not_no_page_is_lost(wiki: Wiki, walrus: Path) -> None:
    """As in a folder copied from a Mac with its `.git`: git then sees only one of two names."""
    run_git(walrus, "config", "core.ignoreCase", "true")
    save(walrus, Walrus="A seal, not a walrus.\n")
    assert found(wiki, "seal") == ["Walrus.md"]
    (walrus / WALRUS).unlink()
    assert found(wiki, "seal") == ["Walrus.md"]
    assert set(at_head(walrus)) == {"Walrus.md"}


@pytest.mark.parametrize("year", [1901, 1969])
def test_a_clock_before_1970_makes_commits_that_git_can_read(year: int, wiki: Wiki, walrus: Path, clock: Clock) -> None:
    clock.at = datetime(year, 1, 1, tzinfo=UTC)
    assert_all_is_well(wiki)
    assert not run_git(walrus, "fsck", "--no-dangling").strip()


def test_a_partial_clone_tells_what_it_has_of_a_life_and_says_what_is_missing(
    wiki: Wiki, walrus: Path, clock: Clock, mw: Shell
) -> None:
    lines = "".join(f"Line {n} of a seal\n" for n in range(20))
    save(walrus, old=lines)
    wiki.catch_up()
    (walrus / "old.md").rename(walrus / "new.md")
    save(walrus, new=lines + "One more\n")
    wiki.catch_up()
    run_git(walrus, "config", "uploadpack.allowFilter", "true")
    run_git(walrus.parent, "clone", "-q", "--filter=blob:none", f"file://{walrus}", "partial")
    shutil.move(walrus, walrus.parent / "gone")
    root = walrus.parent / "partial"
    with open_at(root, clock) as other:
        assert other.log("new.md", None).versions
        first = run_git(root, "rev-list", "HEAD", "--", "old.md").split()[-1]
    answer = mw("show", "old.md", "--at", first, "--vault", str(root))
    assert (answer.code, answer.out) == (7, "")
    assert "promisor" in answer.err or "not here" in answer.err


@as_root
def test_in_a_folder_that_one_may_only_read_a_recall_answers(walrus: Path, open_home: Path) -> None:
    for path in (walrus / ".memory-wiki", *(walrus / ".memory-wiki").rglob("*")):
        path.chmod(path.stat().st_mode | 0o055)
    before = {file: file.read_bytes() for file in walrus.rglob("*") if file.is_file()}
    done = run("recall", "walrus", "--vault", str(walrus), first=AS_NOBODY, home=open_home)
    assert done.code == 0, done
    assert "All about the walrus." in done.out
    assert {file: file.read_bytes() for file in walrus.rglob("*") if file.is_file()} == before


def test_what_is_left_of_a_cherry_pick_of_several_is_under_way_too(wiki: Wiki, forked: Path) -> None:
    """Only `.git/sequencer` tells; a commit of ours would keep `--abort` from going back."""
    wiki.catch_up()
    with pytest.raises(git.GitCommandError):
        run_git(forked, "cherry-pick", "--no-commit", "side~1", "side")
    assert_writes_are_refused(wiki, VaultBusy, "a cherry-pick is under way in this repository; finish or abort it")


def test_mail_that_does_not_apply_is_called_by_its_name(wiki: Wiki, forked: Path) -> None:
    """`git rebase --abort` would not end it."""
    with pytest.raises(git.GitCommandError):
        run_git(forked, "am", "../theirs.patch")
    assert_writes_are_refused(wiki, VaultBusy, "a `git am` is under way in this repository; finish or abort it")


def test_a_damaged_repository_is_not_taken_for_a_missing_vault(walrus: Path, mw: Shell) -> None:
    (walrus / ".git" / "HEAD").write_bytes(b"")
    answer = mw("recall", "walrus", "--vault", str(walrus))
    assert (answer.code, "makes one there" in answer.err) == (7, False)
