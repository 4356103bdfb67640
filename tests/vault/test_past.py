"""A page's life is followed over moves and deletion, and not into another page that had its name."""

from pathlib import Path

import pytest

from kit import Clock, run_git
from memory_wiki.config import Config
from memory_wiki.errors import BadRevision, VersionNotFound
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.vault.past import at_commit, at_revision, deleted, versions_of
from memory_wiki.vault.vault import Vault

A, B = PagePath("a.md"), PagePath("b.md")


class Folder:
    """A vault whose files are changed by hand, a commit each."""

    def __init__(self, vault: Vault, clock: Clock) -> None:
        self.vault, self.clock = vault, clock

    def save(self, **files: str | None) -> str:
        for name, text in files.items():
            file = self.vault.root / f"{name}.md"
            file.unlink() if text is None else file.write_text(text, encoding="utf-8")
        with self.vault.locked():
            commit = self.vault.keep_outside(self.vault.look(), self.clock.now()).commit
        self.vault.bringing.after_a_write()
        return commit

    def life(self, path: PagePath) -> list[tuple[str, str | None]]:
        return [
            (entry.path, self.vault.history.read(entry.version).decode() if entry.version else None)
            for entry in versions_of(self.vault.history, path)
        ]


@pytest.fixture
def folder(root: Path, clock: Clock) -> Folder:
    return Folder(Vault(root, Config()), clock)


def text(id_: str, body: str) -> str:
    return f"---\nid: {id_}\n---\n{body}\n"


def test_versions_come_newest_first(folder: Folder) -> None:
    folder.save(a="one")
    folder.save(b="other")
    folder.save(a="two")
    assert folder.life(A) == [(A, "two"), (A, "one")]


def test_a_move_is_followed_by_its_text(folder: Folder) -> None:
    folder.save(a="one")
    folder.save(a=None, b="one")
    folder.save(b="two")
    assert folder.life(B) == [(B, "two"), (B, "one"), (A, "one")]


def test_a_move_with_a_small_change_is_followed_by_likeness(folder: Folder) -> None:
    long = "".join(f"line {n}\n" for n in range(20))
    folder.save(a=long)
    folder.save(a=None, b=f"{long}more\n")
    assert [path for path, _ in folder.life(B)] == [B, A]


def test_a_move_that_changed_everything_is_followed_by_its_id(folder: Folder) -> None:
    folder.save(a=text("X1", "first words"))
    folder.save(a=None, b=text("X1", "nothing alike " * 30))
    assert [path for path, _ in folder.life(B)] == [B, A]


def test_a_page_that_is_gone_has_a_life(folder: Folder) -> None:
    folder.save(a="one")
    folder.save(a=None)
    assert folder.life(A) == [(A, None), (A, "one")]
    assert [gone.path for gone in deleted(folder.vault.history)] == [A]


def test_a_page_restored_by_hand_goes_on(folder: Folder) -> None:
    folder.save(a=text("X1", "one"))
    folder.save(a=None)
    folder.save(a=text("X1", "two"))
    assert [body is None for _, body in folder.life(A)] == [False, True, False]


def test_an_older_page_of_the_same_name_is_not_this_one(folder: Folder) -> None:
    folder.save(a=text("X1", "older page"))
    folder.save(a=None)
    folder.save(a=text("X2", "newer page"))
    assert folder.life(A) == [(A, text("X2", "newer page"))]


def test_a_revision_is_a_version_a_commit_or_any_commit_while_the_page_was_so(folder: Folder) -> None:
    first = folder.save(a="one")
    between = folder.save(b="other")
    folder.save(a=None, c="one")
    history, past = folder.vault.history, list(versions_of(folder.vault.history, PagePath("c.md")))
    for revision in (version_of(b"one")[:7], first[:9], between, f"{between}^"):
        assert at_revision(history, past, revision).version == version_of(b"one")
    assert at_commit(history, past, between).path == A


@pytest.mark.parametrize("revision", ["-1", "--all", "no-such-thing", "HEAD;ls", "0000000", "", "\0", "HEAD^{/"])
def test_what_names_no_version_is_refused(folder: Folder, revision: str) -> None:
    folder.save(a="one")
    past = list(versions_of(folder.vault.history, A))
    with pytest.raises(BadRevision):
        at_revision(folder.vault.history, past, revision)


def test_a_page_has_no_version_before_it_was(folder: Folder) -> None:
    before = folder.vault.history.head()
    folder.save(a="one")
    with pytest.raises(VersionNotFound):
        at_commit(folder.vault.history, list(versions_of(folder.vault.history, A)), before)


def test_a_merge_counts_once_in_a_life(folder: Folder) -> None:
    root = folder.vault.root
    folder.save(a="one\n\n\n\n\ntwo\n")
    run_git(root, "checkout", "-q", "-b", "side")
    folder.save(a="ONE\n\n\n\n\ntwo\n")
    run_git(root, "checkout", "-q", "main")
    folder.save(a="one\n\n\n\n\nTWO\n")
    run_git(root, "merge", "-q", "--no-edit", "side")
    lives = folder.life(A)
    assert lives[0] == (A, "ONE\n\n\n\n\nTWO\n")
    assert len(lives) == 4
