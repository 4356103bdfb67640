"""Git at work in the folder is waited for, and a moment longer."""

import time
from pathlib import Path
from threading import Event, Thread

from memory_wiki.vault.lock import git_at_work

HEAD_MOVES = 0.02  # seconds that git is given for it


def test_after_gits_lock_is_gone_there_is_time_for_head_to_move(tmp_path: Path) -> None:
    lock = tmp_path / "index.lock"
    lock.touch()
    asked = Event()
    ended: list[float] = []

    def ask() -> None:
        asked.set()
        assert git_at_work(tmp_path) == ""
        ended.append(time.monotonic())

    waiting = Thread(target=ask)
    waiting.start()
    asked.wait()
    Event().wait(0.1)  # nothing tells when it has found the lock
    gone = time.monotonic()
    lock.unlink()
    waiting.join()
    assert ended[0] - gone >= HEAD_MOVES
