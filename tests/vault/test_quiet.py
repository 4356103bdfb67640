"""Git at work in the folder is waited for, and a moment longer; what it did meanwhile is found out."""

import os
import time
from pathlib import Path
from threading import Timer

import pytest

from memory_wiki.errors import VaultBusy
from memory_wiki.vault import quiet
from memory_wiki.vault.quiet import AFTER, FORGOTTEN, Stamp, check, stamp


def nobody() -> Stamp:
    return 0, 0


@pytest.fixture
def git_folder(tmp_path: Path) -> Path:
    (tmp_path / "index").touch()
    os.utime(tmp_path / "index", (0, 0))
    return tmp_path


def test_after_git_has_replaced_its_index_there_is_time_for_head_to_move(git_folder: Path) -> None:
    lock = git_folder / "index.lock"
    lock.touch()
    Timer(0.05, lambda: lock.replace(git_folder / "index")).start()
    found = quiet.quiet(git_folder, nobody)
    assert time.time() - (git_folder / "index").stat().st_mtime >= AFTER
    assert found == stamp(git_folder)


def test_after_an_index_that_we_have_left_ourselves_nobody_moves_head(git_folder: Path) -> None:
    os.utime(git_folder / "index")
    started = time.monotonic()
    quiet.quiet(git_folder, lambda: stamp(git_folder))
    assert time.monotonic() - started < AFTER


def test_who_has_the_index_locked_for_long_is_named(git_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quiet, "PATIENCE", 0.05)
    (git_folder / "index.lock").touch()
    with pytest.raises(VaultBusy, match=r"index\.lock"):
        quiet.quiet(git_folder, nobody)


@pytest.mark.parametrize("age", [FORGOTTEN + 1, -86_400.0])
def test_a_lock_of_another_time_is_of_a_git_that_was_stopped(age: float, git_folder: Path) -> None:
    (git_folder / "index.lock").touch()
    os.utime(git_folder / "index.lock", (time.time() - age,) * 2)
    assert quiet.quiet(git_folder, nobody) == stamp(git_folder)


def test_what_git_did_since_is_found_out(git_folder: Path) -> None:
    since = quiet.quiet(git_folder, nobody)
    check(git_folder, since)
    (git_folder / "new").touch()
    (git_folder / "new").replace(git_folder / "index")
    with pytest.raises(VaultBusy):
        check(git_folder, since)
