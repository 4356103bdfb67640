"""A person is amid something that git has begun and not ended: we read, write nothing, and say what to end."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import git
import pytest

from faces.conftest import Shell
from kit import run_git, until
from memory_wiki.errors import VaultBusy
from memory_wiki.page.edit import Append
from memory_wiki.wiki import Wiki
from odd.states import (
    WALRUS,
    assert_all_is_well,
    assert_writes_are_refused,
    commit,
    found,
    save,
    theirs,
    watched,
    wish,
)
from proof import assert_agrees, at_head


@dataclass(frozen=True)
class Amid:
    """What is under way, how it came about, and how a person gives it up."""

    what: str
    begin: tuple[str, ...]
    abort: tuple[str, ...]
    is_conflict: bool = True


EDIT = "sequence.editor=sed -i s/^pick/edit/"
STATES = [
    Amid("a rebase", ("rebase", "--apply", "side"), ("rebase", "--abort")),
    Amid("a rebase", ("-c", EDIT, "rebase", "-i", "HEAD~1"), ("rebase", "--abort"), False),
    Amid("a cherry-pick", ("cherry-pick", "side"), ("cherry-pick", "--abort")),
    Amid("a revert", ("revert", "--no-edit", "HEAD~1"), ("revert", "--abort")),
    Amid("a bisect", ("bisect", "start", "HEAD", "HEAD~2"), ("bisect", "reset"), False),
    Amid("a merge", ("merge", "--no-commit", "--no-ff", "apart"), ("merge", "--abort"), False),
    Amid("a cherry-pick", ("cherry-pick", "--no-commit", "side~1", "side"), ("cherry-pick", "--quit")),
    Amid("a `git am`", ("am", "../theirs.patch"), ("am", "--abort")),
]  # fmt: skip


def begin(root: Path, args: tuple[str, ...], *, is_conflict: bool) -> None:
    if is_conflict:
        with pytest.raises(git.GitCommandError):
            run_git(root, *args)
    else:
        run_git(root, *args)


@pytest.mark.parametrize("amid", STATES, ids=lambda amid: " ".join(amid.begin)[-24:])
def test_we_wait_for_what_is_under_way_and_then_all_is_well(amid: Amid, wiki: Wiki, forked: Path) -> None:
    wait_and_go_on(amid, wiki, forked)


@pytest.mark.parametrize("amid", [STATES[0], STATES[5]], ids=lambda amid: amid.what)
def test_a_watch_waits_for_what_is_under_way_too(amid: Amid, wiki: Wiki, forked: Path) -> None:
    wait_and_go_on(amid, watched(wiki), forked)


def wait_and_go_on(amid: Amid, wiki: Wiki, forked: Path) -> None:
    wiki.catch_up()
    begin(forked, amid.begin, is_conflict=amid.is_conflict)
    assert_writes_are_refused(wiki, VaultBusy, f"{amid.what} is under way in this repository; finish or abort it")
    assert "seal.md" not in at_head(forked)
    run_git(forked, *amid.abort)
    if run_git(forked, "ls-files", "--unmerged"):
        run_git(forked, "reset", "-q", "--hard")  # which `--quit` leaves to the person
    assert_agrees(wiki)
    assert "seal.md" in at_head(forked)


def test_a_person_reads_what_is_under_way_and_what_was_left(mw: Shell, wiki: Wiki, forked: Path) -> None:
    wiki.catch_up()
    begin(forked, ("cherry-pick", "side"), is_conflict=True)
    answer = mw("remember", "A narwhal", "--vault", str(forked))
    assert (answer.code, answer.out) == (5, "")
    assert answer.err.splitlines()[-1] == (
        "memory-wiki: a cherry-pick is under way in this repository; finish or abort it, then try again"
    )
    save(forked, seal="A seal.\n")
    answer = mw("recall", "seal", "--vault", str(forked))
    assert (answer.code, "A seal." in answer.out) == (0, True)
    assert "not committed: a cherry-pick is under way" in answer.err


def by_stash(root: Path) -> None:
    save(root, walrus="Mine, put by.\n")
    run_git(root, "stash", "push", "-q")
    commit(root, walrus="Meanwhile.\n")
    with pytest.raises(git.GitCommandError):
        run_git(root, "stash", "pop")


def by_squash(root: Path) -> None:
    with pytest.raises(git.GitCommandError):
        run_git(root, "merge", "--squash", "side")


def by_switch(root: Path) -> None:
    save(root, walrus="Mine, carried over.\n")
    run_git(root, "switch", "-q", "-m", "side")


def by_patch(root: Path) -> None:
    with pytest.raises(git.GitCommandError):
        run_git(root, "apply", "-3", "../theirs.patch")


CONFLICTS: list[Callable[[Path], None]] = [by_stash, by_squash, by_switch, by_patch]


@pytest.mark.parametrize("bring_about", CONFLICTS, ids=lambda bring_about: bring_about.__name__)
def test_a_conflict_that_git_keeps_no_note_of_is_left_for_the_person_to_resolve(
    bring_about: Callable[[Path], None], wiki: Wiki, forked: Path
) -> None:
    """Only the index tells: the page has three versions and no agreed one. Others need not wait for it."""
    leave_to_be_resolved(bring_about, wiki, forked)


def test_a_watch_leaves_a_conflict_for_the_person_to_resolve_too(wiki: Wiki, forked: Path) -> None:
    leave_to_be_resolved(by_stash, watched(wiki), forked)


def leave_to_be_resolved(bring_about: Callable[[Path], None], wiki: Wiki, forked: Path) -> None:
    wiki.catch_up()
    with wiki.vault.locked():  # or what is to be in the way might be committed at once
        bring_about(forked)
    before, marked = run_git(forked, "ls-files", "--unmerged"), (forked / WALRUS).read_bytes()
    assert before
    assert b"<<<<<<<" in marked
    assert f"{WALRUS} has an unresolved conflict; mend the page, `git add` it" in wiki.catch_up().left
    with pytest.raises(VaultBusy, match="unresolved conflict"):
        wiki.edit(WALRUS, (Append("Ours."),))
    with pytest.raises(VaultBusy, match="unresolved conflict"):
        wiki.move(WALRUS, "moved.md")
    assert "conflict" in {each.problem.code for each in wiki.check().found}
    wiki.edit(wiki.remember(wish("dugong")).path, (Append("It dives."),))
    assert found(wiki, "dugong")
    assert run_git(forked, "ls-files", "--unmerged") == before
    assert "<<<<<<<" not in run_git(forked, "show", f"HEAD:{WALRUS}")
    assert (forked / WALRUS).read_bytes() == marked
    save(forked, walrus="Resolved.\n")
    run_git(forked, "add", WALRUS)
    assert wiki.catch_up().left == ""
    until(lambda: run_git(forked, "show", f"HEAD:{WALRUS}") == "Resolved.")
    assert_all_is_well(wiki)


def test_a_person_reads_which_page_has_a_conflict(mw: Shell, wiki: Wiki, forked: Path) -> None:
    wiki.catch_up()
    by_stash(forked)
    said = f"{WALRUS} has an unresolved conflict; mend the page, `git add` it, then try again"
    answer = mw("edit", WALRUS, "--append", "More.", "--vault", str(forked))
    assert (answer.code, answer.out, answer.err.splitlines()[-1]) == (5, "", f"memory-wiki: {said}")
    assert said in mw("status", "--vault", str(forked)).out
    assert said in mw("check", "--vault", str(forked)).out


def test_pages_put_by_in_a_stash_come_back_and_are_committed_once(wiki: Wiki, walrus: Path) -> None:
    save(walrus, walrus="Edited.\n", seal="New.\n")
    run_git(walrus, "stash", "push", "-q", "--include-untracked")
    assert_all_is_well(wiki)
    run_git(walrus, "stash", "pop", "-q")
    before = theirs(walrus)
    assert sorted(wiki.catch_up().pages) == ["seal.md", WALRUS]
    assert theirs(walrus).files == before.files
    assert_agrees(wiki)


def test_a_stash_that_took_our_own_folder_along_can_be_popped_once_that_is_deleted(wiki: Wiki, walrus: Path) -> None:
    """Or git would bring back half, and stop at what we have made anew."""
    save(walrus, walrus="Edited.\n", seal="New.\n")
    run_git(walrus, "stash", "push", "-q", "--all")
    assert found(wiki, "edited") == []
    shutil.rmtree(walrus / ".memory-wiki")
    run_git(walrus, "stash", "pop", "-q")
    assert sorted(wiki.catch_up().pages) == ["seal.md", WALRUS]
    assert_all_is_well(wiki)
