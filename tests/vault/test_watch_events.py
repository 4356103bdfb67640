"""A look with a watch sees what a look at everything sees, whatever was done to the folder just before."""

import os
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import git
import pytest

from kit import Clock, run_git
from memory_wiki.config import Config
from memory_wiki.page.path import PagePath
from memory_wiki.vault.porcelain import Status
from memory_wiki.vault.vault import Vault

FOLDERS = ["", "a", "b", "a/c", "b/d", "a/c/e", ".hidden", "x.md"]
NAMES = ["one.md", "two.md", "Three.MD", "four.txt", ".five.md", "six.md~", "日本.md"]
STEPS, SEEDS = 100, 6


@pytest.fixture
def watching(root: Path) -> Iterator[Vault]:
    """A vault that looks with a watch, and does nothing by itself."""
    vault = Vault(root, Config())
    vault.watch()
    yield vault
    vault.close()


@pytest.fixture
def plain(root: Path) -> Iterator[Vault]:
    """The same vault as one without a watch sees it."""
    vault = Vault(root, Config())
    yield vault
    vault.close()


class Hands:
    """Somebody who does this and that to a folder."""

    def __init__(self, root: Path, elsewhere: Path, seed: int) -> None:
        self.root, self.elsewhere = root, elsewhere
        self.chance = random.Random(seed)  # noqa: S311 - no secret
        self.count = 0
        elsewhere.mkdir()

    def place(self) -> Path:
        return self.root / self.chance.choice(FOLDERS) / self.chance.choice(NAMES)

    def folder(self) -> Path:
        return self.root / self.chance.choice(FOLDERS[1:])

    def text(self) -> bytes:
        self.count += 1
        return self.chance.choice([b"same\n", b"other\n", b"text %d\n" % self.count])

    def step(self) -> str:
        work = self.chance.choice(WORKS)
        try:
            work(self)
        except (OSError, git.GitCommandError) as error:  # a file where a folder should be, no commit to go back to …
            return f"{work.__name__}: {error}"
        return work.__name__

    def save(self) -> None:
        place = self.place()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(self.text())

    def save_beside(self) -> None:
        place = self.place()
        place.parent.mkdir(parents=True, exist_ok=True)
        (self.root / "saving.tmp").write_bytes(self.text())
        (self.root / "saving.tmp").replace(place)

    def save_with_the_old_time(self) -> None:
        place = self.place()
        before = place.stat()
        place.write_bytes(place.read_bytes().swapcase())
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))

    def delete(self) -> None:
        self.place().unlink()

    def rename(self) -> None:
        self.place().rename(self.place())

    def rename_folder(self) -> None:
        self.folder().rename(self.folder())

    def delete_folder(self) -> None:
        shutil.rmtree(self.folder())

    def make_folders_and_save_deep(self) -> None:
        deep = self.folder() / f"new {self.count}" / "deeper"
        deep.mkdir(parents=True)
        (deep / "p.md").write_bytes(self.text())

    def make_a_folder_anew(self) -> None:
        folder = self.folder()
        shutil.rmtree(folder)
        (folder / "c").mkdir(parents=True)
        (folder / "c" / "one.md").write_bytes(self.text())

    def move_out(self) -> None:
        self.folder().rename(self.elsewhere / f"out {self.count}")
        self.count += 1

    def move_in(self) -> None:
        self.chance.choice(sorted(self.elsewhere.iterdir()) or [self.elsewhere]).rename(self.folder())

    def change_elsewhere(self) -> None:
        """What was moved out is no business of the vault's any more."""
        for found in sorted(self.elsewhere.rglob("*.md"))[:1]:
            found.write_bytes(self.text())

    def link_a_page(self) -> None:
        self.place().symlink_to(self.elsewhere / "nowhere.md")

    def link_a_folder(self) -> None:
        self.folder().symlink_to(self.elsewhere)

    def ignore(self) -> None:
        (self.folder() / ".gitignore").write_text(self.chance.choice(["", "one.md\n", "*.MD\n", "/c\n"]))

    def touch(self) -> None:
        os.utime(self.place())

    def commit(self) -> None:
        run_git(self.root, "add", "--all")
        run_git(self.root, "commit", "--quiet", "--allow-empty", "--message=mine")

    def stage(self) -> None:
        run_git(self.root, "add", "--all")

    def go_back(self) -> None:
        run_git(self.root, "stash", "--include-untracked")

    def go_back_in_history_alone(self) -> None:
        run_git(self.root, "reset", "--soft", "HEAD~1")

    def switch(self) -> None:
        run_git(self.root, "checkout", "--quiet", "--force", "-B", self.chance.choice(["main", "side"]), "HEAD~1")


WORKS = [
    *[Hands.save] * 6,
    *[Hands.save_beside] * 3,
    *[Hands.delete] * 2,
    *[Hands.rename] * 3,
    *[Hands.rename_folder] * 3,
    *[Hands.make_folders_and_save_deep] * 2,
    *[Hands.make_a_folder_anew] * 2,
    Hands.save_with_the_old_time,
    Hands.delete_folder,
    *[Hands.move_out] * 2,
    *[Hands.move_in] * 2,
    Hands.change_elsewhere,
    Hands.link_a_page,
    Hands.link_a_folder,
    Hands.ignore,
    Hands.touch,
    Hands.commit,
    Hands.stage,
    Hands.go_back,
    Hands.go_back_in_history_alone,
    Hands.switch,
]


@pytest.mark.parametrize("seed", range(SEEDS))
def test_after_whatever_was_done_a_look_with_a_watch_sees_what_a_look_at_everything_sees(
    seed: int, root: Path, watching: Vault, plain: Vault, clock: Clock, tmp_path: Path
) -> None:
    """Takes seconds: a thousand steps in all, and two looks after every other."""
    hands = Hands(root, tmp_path / "elsewhere", seed)
    with plain.locked():
        plain.keep_outside(plain.look(), clock.now())
    hands.commit()
    done: list[str] = []
    for _ in range(STEPS):
        done = [hands.step() for _ in range(hands.chance.choice([1, 1, 2, 3]))]
        seen = watching.look()
        assert seen == plain.look(), done
        if hands.chance.random() < 0.2:
            with watching.locked():
                watching.keep_outside(watching.look(), clock.now())
            assert watching.look() == plain.look(), done


def test_folders_made_one_in_another_are_all_watched(root: Path, watching: Vault, plain: Vault) -> None:
    """However quick that was: some are made while the one above them is being listed."""
    deep = [root / f"{number}" / "b" / "c" / "d" / "e" for number in range(100)]
    for folder in deep:
        folder.mkdir(parents=True)
    assert watching.look() == plain.look()
    for folder in deep:
        (folder / "p.md").write_bytes(b"text\n")
    assert len(watching.look().differs) == len(deep)
    assert watching.look() == plain.look()


def test_a_commit_that_another_program_makes_during_a_look_is_seen_whole(
    root: Path, watching: Vault, plain: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the page would be committed once more, as it was already."""
    (root / "page.md").write_bytes(b"text\n")
    assert watching.look().differs.keys() == {"page.md"}
    status = watching.history.status

    def status_after_a_commit(paths: Sequence[PagePath] = ()) -> Status:
        with plain.locked():
            plain.keep_outside(plain.look(), clock.now())
        return status(paths)

    (root / "other.md").write_bytes(b"text\n")
    with monkeypatch.context() as patch:
        patch.setattr(watching.history, "status", status_after_a_commit)
        seen = watching.look()
    assert seen == watching.look() == plain.look()
    assert not seen.differs


def test_our_own_folder_may_be_deleted_while_the_vault_is_watched(root: Path, watching: Vault, plain: Vault) -> None:
    shutil.rmtree(watching.own_folder)
    for number in range(3):
        (root / f"{number}.md").write_bytes(b"text\n")
        assert watching.look() == plain.look()
        with watching.locked():
            pass
    (root / "page.md").write_bytes(b"text\n")
    assert watching.watch().changed() == {"page.md"}


def test_a_folder_in_the_place_of_the_watched_one_is_watched_in_turn(
    root: Path, watching: Vault, tmp_path: Path
) -> None:
    """As a clone is, of a vault that was deleted: what was watched is of no use any more."""
    (root / "old.md").write_bytes(b"text\n")
    assert watching.look().differs.keys() == {"old.md"}
    run_git(root, "clone", "--quiet", ".", str(tmp_path / "clone"))
    shutil.rmtree(root)
    assert watching.watch().changed() is None
    (tmp_path / "clone").rename(root)
    assert not watching.look().differs  # which makes our own folder anew
    (root / "page.md").write_bytes(b"text\n")
    assert watching.watch().changed() == {"page.md"}
    assert watching.watch().limit == ""
