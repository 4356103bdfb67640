"""Where HEAD is, how it is called, and what becomes of it while the vault is open."""

from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import ADA, Clock, run_git, until
from memory_wiki.errors import VaultBusy
from memory_wiki.page.edit import Append
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from odd.states import (
    WALRUS,
    assert_all_is_well,
    assert_writes_are_refused,
    commit,
    found,
    is_brought_along,
    save,
    wish,
)
from proof import assert_agrees, at_head, on_disk


def test_off_a_branch_we_only_read_and_say_how_to_get_on_one(wiki: Wiki, walrus: Path, mw: Shell) -> None:
    run_git(walrus, "switch", "-q", "--detach")
    assert_writes_are_refused(wiki, VaultBusy, "HEAD is on no branch; `git switch` to one, then try again")
    answer = mw("edit", WALRUS, "--append", "More.", "--vault", str(walrus))
    assert (answer.code, "`git switch` to one" in answer.err) == (5, True)
    run_git(walrus, "switch", "-q", "main")
    assert_all_is_well(wiki)


def test_on_a_branch_without_a_commit_the_first_is_ours(wiki: Wiki, walrus: Path) -> None:
    """`git switch --orphan` starts anew: the pages of before are the other branch's."""
    run_git(walrus, "switch", "-q", "--orphan", "anew")
    save(walrus, seal="A seal.\n")
    assert found(wiki, "seal") == ["seal.md"]
    assert set(at_head(walrus)) == {"seal.md"}
    assert run_git(walrus, "rev-list", "--count", "HEAD") == "1"
    assert_all_is_well(wiki)
    assert set(at_head_of(walrus, "main")) == {WALRUS}


def at_head_of(root: Path, branch: str) -> list[str]:
    return [path for path in run_git(root, "ls-tree", "-r", "--name-only", branch).splitlines() if path.endswith(".md")]


def test_a_branch_without_a_commit_keeps_what_is_staged_for_its_first(wiki: Wiki, walrus: Path) -> None:
    run_git(walrus, "checkout", "-q", "--orphan", "anew")
    (walrus / "code.txt").write_text("mine", encoding="utf-8")
    run_git(walrus, "add", "code.txt")
    save(walrus, walrus="Edited.\n")
    wiki.catch_up()
    assert at_head(walrus).keys() == {WALRUS}
    wiki.remember(wish("heron"))
    run_git(walrus, "commit", "-q", "-m", "mine")
    assert run_git(walrus, "show", "HEAD:code.txt") == "mine"
    assert_all_is_well(wiki)


def test_a_branch_may_have_any_name_git_allows(wiki: Wiki, walrus: Path) -> None:
    for name in ("feature/über-日本", "a.b/c-d", "v1@0x", "ñ" * 60):
        run_git(walrus, "switch", "-q", "-c", name)
        wiki.edit(WALRUS, (Append(name),))
        assert wiki.status().branch == name
        assert run_git(walrus, "symbolic-ref", "--short", "HEAD") == name
    assert_agrees(wiki)


def test_a_tag_of_the_branchs_name_is_not_taken_for_it(wiki: Wiki, walrus: Path) -> None:
    run_git(walrus, "tag", "main", "HEAD~1")
    assert_all_is_well(wiki)


def test_a_branch_that_is_a_name_for_another_is_written_through(wiki: Wiki, walrus: Path) -> None:
    run_git(walrus, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    run_git(walrus, "symbolic-ref", "HEAD", "refs/heads/alias")
    assert_all_is_well(wiki)
    assert run_git(walrus, "symbolic-ref", "refs/heads/alias") == "refs/heads/main"


def test_each_branch_gets_what_was_written_while_it_was_there(either: Wiki, walrus: Path) -> None:
    wiki = either
    wiki.remember(wish("heron"))
    until(lambda: is_brought_along(wiki))
    run_git(walrus, "switch", "-q", "-c", "side", "HEAD~1")
    assert found(wiki, "heron") == []
    wiki.remember(wish("stork"))
    assert_agrees(wiki)
    until(lambda: is_brought_along(wiki))
    run_git(walrus, "switch", "-q", "main")
    assert (found(wiki, "heron") != [], found(wiki, "stork")) == (True, [])
    assert_agrees(wiki)


def test_a_branch_moved_by_force_takes_its_pages_along(either: Wiki, walrus: Path) -> None:
    wiki = either
    before = run_git(walrus, "rev-parse", "HEAD")
    path = wiki.remember(wish("heron")).path
    until(lambda: is_brought_along(wiki))
    run_git(walrus, "reset", "-q", "--hard", before)
    assert found(wiki, "heron") == []
    assert not (walrus / path).exists()
    assert_all_is_well(wiki)


def test_a_branch_moved_back_under_the_files_leaves_them_to_be_committed_again(wiki: Wiki, walrus: Path) -> None:
    before = run_git(walrus, "rev-parse", "HEAD")
    path = wiki.remember(wish("heron")).path
    data = (walrus / path).read_bytes()
    run_git(walrus, "update-ref", "refs/heads/main", before)
    assert found(wiki, "heron") == [path]
    assert (walrus / path).read_bytes() == data
    assert_agrees(wiki)


def test_a_branch_deleted_under_us_starts_anew_with_what_is_there(wiki: Wiki, walrus: Path) -> None:
    run_git(walrus, "update-ref", "-d", "refs/heads/main")
    data = on_disk(walrus)
    assert found(wiki, "walrus") == [WALRUS]
    path = wiki.remember(wish("heron")).path
    assert on_disk(walrus).keys() == {*data, path}
    assert_all_is_well(wiki)


TIDY = [["gc", "-q", "--prune=now"], ["repack", "-adq"], ["pack-refs", "--all", "--prune"]]


@pytest.mark.parametrize("tidy", TIDY, ids=lambda tidy: tidy[0])
def test_git_tidies_up_while_the_vault_is_open(tidy: list[str], wiki: Wiki, walrus: Path) -> None:
    done = wiki.edit(WALRUS, (Append("More."),))
    run_git(walrus, "reflog", "expire", "--expire=now", "--all")
    for round_ in range(2):
        run_git(walrus, *tidy)
        assert wiki.read(WALRUS, done.commit).page.version == done.version
        wiki.restore(WALRUS, f"{done.commit}~1")
        wiki.edit(WALRUS, (Append(f"Once more, {round_}."),))
        assert_agrees(wiki)


def test_all_that_git_ignores_may_be_cleaned_away_while_the_vault_is_open(wiki: Wiki, walrus: Path) -> None:
    """Our own folder goes with it: lock, index and all."""
    run_git(walrus, "clean", "-q", "-fdx")
    assert not (walrus / ".memory-wiki").exists()
    assert found(wiki, "walrus") == [WALRUS]
    assert_all_is_well(wiki)


def test_a_history_rewritten_and_pruned_is_indexed_anew(wiki: Wiki, walrus: Path) -> None:
    """The commit that the index agreed with is gone for good."""
    wiki.remember(wish("heron"))
    run_git(walrus, "checkout", "-q", "--orphan", "fresh")
    run_git(walrus, "commit", "-q", "-m", "all in one")
    run_git(walrus, "branch", "-q", "-M", "fresh", "main")
    run_git(walrus, "reflog", "expire", "--expire=now", "--all")
    run_git(walrus, "gc", "-q", "--prune=now")
    save(walrus, seal="A seal.\n")
    assert found(wiki, "seal") == ["seal.md"]
    assert_all_is_well(wiki)


def test_a_replaced_commit_is_read_as_git_shows_it(wiki: Wiki, walrus: Path) -> None:
    old = run_git(walrus, "rev-parse", "HEAD")
    new = run_git(walrus, "commit-tree", "HEAD^{tree}", "-m", "replaced")
    run_git(walrus, "replace", old, new)
    assert_all_is_well(wiki)
    assert run_git(walrus, "replace") == old


def test_a_push_into_the_vault_is_taken_in(wiki: Wiki, walrus: Path, tmp_path: Path) -> None:
    """With `receive.denyCurrentBranch` git updates the folder itself, as a puller would."""
    run_git(walrus, "config", "receive.denyCurrentBranch", "updateInstead")
    run_git(tmp_path, "clone", "-q", str(walrus), "other")
    commit(tmp_path / "other", seal="A seal.\n")
    run_git(tmp_path / "other", "push", "-q")
    assert found(wiki, "seal") == ["seal.md"]
    assert_all_is_well(wiki)


def test_init_amid_a_rebase_or_off_a_branch_says_what_to_do(tmp_path: Path, clock: Clock) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, seal="A seal.\n")
    run_git(tmp_path, "switch", "-q", "--detach")
    with pytest.raises(VaultBusy, match="git switch"):
        make(tmp_path / "memory", ADA, clock.now())
    assert run_git(tmp_path, "status", "--porcelain") == ""
