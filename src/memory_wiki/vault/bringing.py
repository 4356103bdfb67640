"""When the person's git index is brought along with our commits, and by whom: after each write, and nobody twice.

A commit of the person's in between would take ours back. So it is done before a command ends; for whoever keeps a vault
open, a thread begins it at once, and rests between two times, the longer the more the last one took.
"""

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import Event, Lock, Thread

from memory_wiki.errors import Broken, VaultBusy
from memory_wiki.page.path import PagePath
from memory_wiki.vault import staging
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.vault.quiet import Stamp, stamp
from memory_wiki.vault.repository import Repository

log = logging.getLogger(__name__)

PATIENCE = 5.0  # seconds for whoever else is at it
WAITING = "another process has been bringing git's index along"
FEW, TOO_MANY = 100, 1_000  # files that git is to look at: a few at once, more when there is time, too many at once
REST = 0.1  # seconds, at least: it costs five git processes, which many writes then share
SHARE = 4  # and so many times what it took, lest it slow down who goes on writing


class Bringing:
    """What is to be brought along is noted before each commit, so that no crash leaves it behind."""

    def __init__(
        self, repository: Repository, own_folder: Path, locked: Callable[[float], AbstractContextManager[None]]
    ) -> None:
        self._repository = repository
        self._notes = own_folder / "unstaged.jsonl"
        self._lock = FileLock(own_folder / "staging.lock")
        self._locked = locked
        self._woken = Event()
        self._closed = Event()
        self._mutex = Lock()
        self._thread: Thread | None = None
        self._may_have_thread = False
        self._unread: dict[PagePath, None] = {}
        self.left: Stamp = (0, 0)
        """The index as we left it last."""

    def note(self, parent: str, paths: Iterable[PagePath]) -> None:
        """These are about to be committed on top of `parent`. The caller holds the vault's lock."""
        staging.note(self._notes, parent, paths)

    @property
    def is_behind(self) -> bool:
        return staging.is_anything_noted(self._notes)

    def use_thread(self) -> None:
        """From now on nobody who writes waits for it."""
        self._may_have_thread = True

    def soon(self) -> None:
        """Has the thread do it, for whoever goes on writing; without one, `after_a_write` is to do it in the end."""
        if not self._may_have_thread:
            return
        self._woken.set()
        with self._mutex:
            if self._thread is None and not self._closed.is_set():
                self._thread = Thread(target=self._run, name="memory-wiki bringing along", daemon=True)
                self._thread.start()

    def after_a_write(self) -> None:
        """What fails stays noted, as the pages stand."""
        if self._may_have_thread:
            self.soon()
            return
        with suppress(Broken, VaultBusy):
            self.do()
            if not FEW < len(self._unread) < TOO_MANY:
                self._read()

    def do(self) -> None:
        """Brings it along with what was committed, by whomever; not where another program has it locked."""
        while self.is_behind and self._do_once():
            pass

    def _do_once(self) -> bool:
        """What is noted by now; False where another program has it locked."""
        with acquired(self._lock, PATIENCE, WAITING):
            with self._locked(PATIENCE):
                staging.claim(self._notes)
            done = staging.bring_along(self._repository, self._notes)
            if done is None:
                return False
            self._unread |= dict.fromkeys(done)
            self.left = stamp(self._repository.git_folder)
            return True

    def settle(self) -> None:
        """The same, and what need not be at once: git looks at the files whose entries were set."""
        self.do()
        self._read()

    def _read(self) -> None:
        if not self._unread:
            return
        with acquired(self._lock, PATIENCE, WAITING):
            unread, self._unread = self._unread, {}
            staging.refresh(self._repository, list(unread))
            self.left = stamp(self._repository.git_folder)

    def close(self) -> None:
        """Comes back once the thread is at an end, which may have to wait for others, some seconds at the most."""
        with self._mutex:
            self._closed.set()
            self._woken.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._woken.wait() and not self._closed.is_set():
            self._woken.clear()
            started = time.monotonic()
            try:
                if self.is_behind:
                    self._do_once()
            except Exception as error:  # noqa: BLE001 - a thread's edge, and what it did not do stays noted
                log.warning("git's index is brought along later: %s", error)
            self._closed.wait(max(REST, SHARE * (time.monotonic() - started)))
