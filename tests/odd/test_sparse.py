"""A sparse checkout: pages left out of the folder are neither deleted nor lost, and a verb that needs one says so."""

import pytest

from faces.conftest import Shell
from kit import run_git
from memory_wiki.errors import MemoryWikiError
from memory_wiki.page.edit import Append
from memory_wiki.wiki import Wiki
from odd.states import assert_verbs_work, found
from proof import at_head, staged


def test_pages_left_out_are_never_committed_as_deleted(sparse: Wiki) -> None:
    root = sparse.vault.root
    assert sparse.catch_up().commit == ""
    assert_verbs_work(sparse)
    (root / "kept" / "kept-seal.md").unlink()
    sparse.catch_up()
    assert "far/far-seal.md" in at_head(root)
    assert "kept/kept-seal.md" not in at_head(root)
    assert staged(root) == set()


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


def test_a_page_left_out_keeps_its_name_to_itself(sparse: Wiki) -> None:
    with pytest.raises(MemoryWikiError, match="sparse"):
        sparse.move("kept/kept-seal.md", "far/far-seal.md")
    assert run_git(sparse.vault.root, "show", "HEAD:far/far-seal.md") == "A far seal."
