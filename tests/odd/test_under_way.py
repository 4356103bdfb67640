"""A person is amid something that git has begun and not ended: we read, write nothing, and say what to end."""

from dataclasses import dataclass
from pathlib import Path

import git
import pytest

from faces.conftest import Shell
from kit import run_git
from memory_wiki.errors import VaultBusy
from memory_wiki.wiki import Wiki
from odd.states import WALRUS, assert_all_is_well, assert_writes_are_refused, save, theirs
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
    Amid("a rebase", ("am", "../theirs.patch"), ("am", "--abort")),
]  # fmt: skip


def begin(root: Path, args: tuple[str, ...], *, is_conflict: bool) -> None:
    if is_conflict:
        with pytest.raises(git.GitCommandError):
            run_git(root, *args)
    else:
        run_git(root, *args)


@pytest.mark.parametrize("amid", STATES, ids=lambda amid: " ".join(amid.begin)[-24:])
def test_we_wait_for_what_is_under_way_and_then_all_is_well(amid: Amid, wiki: Wiki, forked: Path) -> None:
    wiki.catch_up()
    begin(forked, amid.begin, is_conflict=amid.is_conflict)
    assert_writes_are_refused(wiki, VaultBusy, f"{amid.what} is under way in this repository; finish or abort it")
    assert "seal.md" not in at_head(forked)
    run_git(forked, *amid.abort)
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


def test_pages_put_by_in_a_stash_come_back_and_are_committed_once(wiki: Wiki, walrus: Path) -> None:
    save(walrus, walrus="Edited.\n", seal="New.\n")
    run_git(walrus, "stash", "push", "-q", "--include-untracked")
    assert_all_is_well(wiki)
    run_git(walrus, "stash", "pop", "-q")
    before = theirs(walrus)
    assert sorted(wiki.catch_up().pages) == ["seal.md", WALRUS]
    assert theirs(walrus).files == before.files
    assert_agrees(wiki)
