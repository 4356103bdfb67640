"""A sparse checkout: pages left out of the folder are neither deleted nor lost, and a verb that needs one says so."""

from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import run_git, until
from memory_wiki.errors import MemoryWikiError
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from odd.conftest import WAYS
from odd.states import assert_verbs_work, found, is_brought_along, save
from proof import at_head, staged


@pytest.mark.parametrize("sparse", WAYS, indirect=True)
def test_pages_left_out_are_never_committed_as_deleted(sparse: Wiki) -> None:
    root = sparse.vault.root
    assert sparse.catch_up().commit == ""
    assert_verbs_work(sparse)
    (root / "kept" / "kept-seal.md").unlink()
    sparse.catch_up()
    assert "far/far-seal.md" in at_head(root)
    assert "kept/kept-seal.md" not in at_head(root)
    assert staged(root) == set()


def test_pages_left_out_while_the_folder_is_watched_are_not_taken_for_deleted(either: Wiki, walrus: Path) -> None:
    (walrus / "far").mkdir()
    save(walrus / "far", seal="A far seal.\n")
    assert found(either, "seal") == ["far/seal.md"]
    until(lambda: is_brought_along(either))
    head = run_git(walrus, "rev-parse", "HEAD")
    run_git(walrus, "sparse-checkout", "set", "--no-cone", "/*", "!/far/")
    assert found(either, "seal") == []
    assert run_git(walrus, "rev-parse", "HEAD") == head
    assert_verbs_work(either)
    run_git(walrus, "sparse-checkout", "disable")
    assert found(either, "seal") == ["far/seal.md"]
    assert "far/seal.md" in at_head(walrus)


def test_pages_left_out_are_found_again_once_they_are_there(sparse: Wiki) -> None:
    run_git(sparse.vault.root, "sparse-checkout", "disable")
    assert found(sparse, "far") == ["far/far-seal.md"]
    assert not sparse.prove().differing


def test_a_page_left_out_is_quoted_by_no_recall(sparse: Wiki) -> None:
    assert found(sparse, "far") == []
    assert sparse.reindex() >= 1
    assert found(sparse, "far") == []


def test_a_page_left_out_is_not_edited_unseen(sparse: Wiki) -> None:
    root = sparse.vault.root
    with pytest.raises(MemoryWikiError):
        sparse.edit("far/far-seal.md", (Append("More."),))
    assert run_git(root, "show", "HEAD:far/far-seal.md") == "A far seal."


@pytest.mark.parametrize("sparse", WAYS, indirect=True)
def test_what_is_written_where_nothing_is_checked_out_is_committed_all_the_same(sparse: Wiki) -> None:
    root = sparse.vault.root
    (root / "far").mkdir(exist_ok=True)
    (root / "far" / "new.md").write_text("A new one.\n", encoding="utf-8")
    sparse.catch_up()
    assert {"far/new.md", "far/far-seal.md"} <= at_head(root).keys()
    sparse.edit("far/new.md", (Append("More."),))
    assert staged(root) == set()


def test_an_edit_of_a_page_left_out_says_that_it_is_left_out(sparse: Wiki, mw: Shell) -> None:
    root = sparse.vault.root
    for verb in (
        ["edit", "far/far-seal.md", "--append", "x"],
        ["restore", "far/far-seal.md"],
        ["read", "far/far-seal.md"],
    ):
        answer = mw(*verb, "--vault", str(root))
        assert answer.code != 0, verb
        assert "sparse" in answer.err, (verb, answer.err)
    assert run_git(root, "show", "HEAD:far/far-seal.md") == "A far seal."


@pytest.mark.parametrize("sparse", WAYS, indirect=True)
@pytest.mark.parametrize("is_indexed", [True, False], ids=["indexed", "indexed anew"])
def test_a_page_left_out_keeps_its_name_to_itself(is_indexed: bool, sparse: Wiki) -> None:
    if not is_indexed:
        sparse.reindex()
    with pytest.raises(MemoryWikiError, match="sparse"):
        sparse.move("kept/kept-seal.md", "far/far-seal.md")
    assert run_git(sparse.vault.root, "show", "HEAD:far/far-seal.md") == "A far seal."
    with pytest.raises(MemoryWikiError, match="this sparse checkout leaves it out: `git sparse-checkout add far`"):
        sparse.restore("far/far-seal.md")
    wanted = Memory("Another one.", title="Heron", type="note")
    first = sparse.remember(Wish(wanted, "")).path
    run_git(sparse.vault.root, "sparse-checkout", "set", "--no-cone", "/*", f"!/{first}")
    assert not (sparse.vault.root / first).exists()
    sparse.reindex()
    assert sparse.remember(Wish(wanted, "")).path != first
    assert "Another one." in run_git(sparse.vault.root, "show", f"HEAD:{first}")
