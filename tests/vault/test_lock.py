"""The lock over processes and threads: one holder at a time, and no folder is made in place of a vault that is gone."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path

import pytest

from kit import until
from memory_wiki.errors import Broken, VaultBusy
from memory_wiki.vault.lock import FileLock, acquired

HOLDER = """
import sys, time
from pathlib import Path
from memory_wiki.vault.lock import FileLock, acquired
with acquired(FileLock(Path(sys.argv[1])), 5, "somebody holds it"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


@pytest.fixture
def file(vault: Path) -> Path:
    return vault / ".memory-wiki" / "lock"


def is_free(file: Path) -> bool:
    try:
        with acquired(FileLock(file), 0, "somebody holds it"):
            return True
    except VaultBusy:
        return False


def test_the_thread_that_has_it_may_take_it_again_and_has_it_until_the_last_is_given_back(file: Path) -> None:
    lock = FileLock(file)
    with acquired(lock, 0, "somebody holds it"):
        with acquired(lock, 0, "somebody holds it"):
            assert lock.is_locked
        assert lock.is_locked
        assert not is_free(file)
    assert not lock.is_locked
    assert is_free(file)


def test_another_thread_waits_for_as_long_as_it_says_and_is_told_whose_it_is(file: Path) -> None:
    lock = FileLock(file)
    with ExitStack() as held, ThreadPoolExecutor(1) as other:
        held.enter_context(acquired(lock, 0, "somebody holds it"))
        assert not other.submit(lambda: lock.is_locked).result()
        with pytest.raises(VaultBusy, match=r"^somebody holds it; try again"):
            other.submit(lambda: held.enter_context(acquired(lock, 0, "somebody holds it"))).result()


def test_threads_that_take_it_at_once_come_one_by_one(file: Path) -> None:
    lock, inside, most = FileLock(file), [0], [0]

    def count(_: int) -> None:
        with acquired(lock, 10, "somebody holds it"):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            inside[0] -= 1

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count, range(200)))
    assert (inside, most) == ([0], [1])


def test_who_is_killed_lets_go(file: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(file)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        assert not is_free(file)
        holder.kill()
    until(lambda: is_free(file))


def test_no_folder_stands_in_the_place_of_a_vault_that_is_moved_away_while_its_lock_is_taken(
    vault: Path, file: Path, tmp_path: Path
) -> None:
    """Many tries against dozens of moves: a folder made by one of them would keep a move back from working."""
    away, lock = tmp_path / "away", FileLock(file)

    def attempts(is_over: Callable[[], bool]) -> None:
        while not is_over():
            try:
                with acquired(lock, 0, "somebody holds it"):
                    pass
            except Broken as error:
                assert str(error).startswith(f"{vault} is gone")  # noqa: PT017 - it is raised at most

    with ThreadPoolExecutor(1) as other:
        over: list[bool] = []
        trying = other.submit(attempts, lambda: bool(over))
        for _ in repeat(None, 60):
            vault.rename(away)
            assert not vault.exists()
            away.rename(vault)
        over.append(True)
        trying.result()
