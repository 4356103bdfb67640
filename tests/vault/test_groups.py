"""A group of writes that something happens to midway: nothing lands elsewhere or is lost, nobody waits for ever."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from effects import watched
from kit import ADA, PATIENCE, Clock, run_git, until
from memory_wiki.config import Config
from memory_wiki.errors import BadPath, NotCommitted, PageExists
from memory_wiki.page.change import Change, Create, Move, Plan, Replace
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.vault.branch import Importing
from memory_wiki.vault.job import Job
from memory_wiki.vault.repository import Repository
from memory_wiki.vault.tidy import PACKS
from memory_wiki.vault.vault import Vault
from memory_wiki.vault.writing import write

DYING = """#!/bin/sh
case " $* " in *" fast-import "*) echo "fatal: Out of memory" >&2; exit 128;; esac
exec {git} "$@"
"""


@pytest.fixture
def vault(root: Path) -> Vault:
    return Vault(root, Config())


def new(number: int) -> Create:
    return Create(PagePath(f"notes/{number}.md"), b"Number %d\n" % number)


def jobs(clock: Clock, *changes: Change) -> list[Job]:
    plans = [Plan("remember", change.path, (change,)) for change in changes]
    return [Job(lambda _taken, plan=plan: plan, ADA, clock.now()) for plan in plans]  # type: ignore[misc]


def test_git_that_dies_early_is_told_and_what_it_left_is_committed_by_the_next(
    root: Path, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    wrapper.write_text(DYING.format(git=shutil.which("git")), encoding="utf-8")
    wrapper.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(wrapper.parent), prepend=os.pathsep)
        outcomes = Vault(root, Config()).write_each(jobs(clock, *map(new, range(90))))
    assert {type(outcome) for outcome in outcomes} == {NotCommitted}
    assert "Out of memory" in str(outcomes[0])
    vault = Vault(root, Config())
    with vault.locked():
        assert len(vault.keep_outside(vault.look(), clock.now()).versions) == 90


def test_a_group_of_nothing_ends_though_another_process_holds_gits_input_open(root: Path) -> None:
    importing = Importing(Repository(root), "main")
    stdin = importing._git._process.stdin
    assert stdin
    held = os.dup(stdin.fileno())
    with ThreadPoolExecutor(1) as pool:
        pool.submit(importing.__exit__, None, None, None).result(PATIENCE)
    os.close(held)


def test_a_folder_that_becomes_a_link_amid_a_group_gets_no_more_pages(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def swap(number: int) -> None:
        if number == 1:
            (root / "notes").rename(root / "moved")
            (root / "notes").symlink_to(elsewhere)

    outcomes = write(root, root / ".memory-wiki" / "tmp", [[new(number)] for number in range(5)], swap)
    assert [type(outcome) for outcome in outcomes] == [type(None), type(None), BadPath, BadPath, BadPath]
    assert not list(elsewhere.iterdir())


def test_a_folder_that_is_deleted_amid_a_group_is_made_anew(root: Path) -> None:
    def delete(number: int) -> None:
        if number == 1:
            shutil.rmtree(root / "notes")

    outcomes = write(root, root / ".memory-wiki" / "tmp", [[new(number)] for number in range(3)], delete)
    assert outcomes == [None] * 3
    assert (root / "notes" / "2.md").read_bytes() == b"Number 2\n"


@pytest.mark.parametrize("at", range(4))
def test_an_interrupt_amid_a_group_takes_it_back(vault: Vault, clock: Clock, at: int) -> None:
    old = Create(PagePath("old.md"), b"old\n")
    moved = Create(PagePath("moved.md"), b"moved\n")
    for job in jobs(clock, old, moved):
        vault.write(job)
    group: list[Change] = [
        Replace(old.path, b"new\n", version_of(old.data)),
        new(1),
        Move(moved.path, PagePath("to/there.md"), b"text\n", version_of(moved.data)),
        new(2),
    ]

    def interrupted(number: int) -> None:
        if number == at:
            raise KeyboardInterrupt

    before = contents(vault.root)
    with pytest.raises(KeyboardInterrupt):
        write(vault.root, vault.own_folder / "tmp", [[change] for change in group], interrupted)
    assert contents(vault.root) == before
    assert vault.look().differs == {}


def contents(root: Path) -> dict[str, bytes]:
    return {str(page.relative_to(root)): page.read_bytes() for page in root.rglob("*.md")}


def test_a_move_that_is_refused_touches_nothing(vault: Vault, clock: Clock) -> None:
    for job in jobs(clock, new(1), new(2)):
        vault.write(job)
    source = vault.root / "notes" / "1.md"
    inode = source.stat().st_ino
    (outcome,) = vault.write_each(jobs(clock, Move(new(1).path, new(2).path, b"other\n", version_of(new(1).data))))
    assert isinstance(outcome, PageExists)
    assert (source.stat().st_ino, source.read_bytes()) == (inode, new(1).data)


def test_a_change_that_was_taken_back_before_the_lock_was_had_is_no_commit(vault: Vault, clock: Clock) -> None:
    for job in jobs(clock, new(1), new(2)):
        vault.write(job)
    edited, deleted = vault.root / "notes" / "1.md", vault.root / "notes" / "2.md"
    edited.write_bytes(b"by hand\n")
    deleted.unlink()
    seen = vault.look()
    edited.write_bytes(new(1).data)
    deleted.write_bytes(new(2).data)
    head = run_git(vault.root, "rev-parse", "HEAD")
    with vault.locked():
        kept = vault.keep_outside(seen, clock.now())
    assert (kept.commit, kept.seen.differs) == ("", {})
    assert run_git(vault.root, "rev-parse", "HEAD") == head


@pytest.mark.parametrize("count", [1, 20, 150])
def test_a_page_is_on_the_disk_before_its_name_is(
    vault: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    with watched(monkeypatch).counted() as happened:
        vault.write_each(jobs(clock, *map(new, range(count))))
    links = [number for number, what in enumerate(happened) if what.startswith("os.link")]
    assert len(links) == count
    assert all(happened[:at].count("fsync") > nth for nth, at in enumerate(links))


def test_git_knows_the_file_of_a_page_just_written(vault: Vault, clock: Clock) -> None:
    (job,) = jobs(clock, new(1))
    run_git(vault.root, "update-index", "--refresh")  # of a copied vault git knows no file
    vault.write(job)
    assert run_git(vault.root, "diff-files", "--raw") == ""


def test_a_vault_that_nobody_closes_is_tidied_all_the_same(vault: Vault, clock: Clock) -> None:
    packs = vault.root / ".git" / "objects" / "pack"
    for job in jobs(clock, *map(new, range(2 * PACKS))):
        vault.write(job)
    until(lambda: len(list(packs.glob("*.pack"))) < PACKS + 5)
    assert run_git(vault.root, "fsck", "--no-dangling", "--no-progress") == ""
