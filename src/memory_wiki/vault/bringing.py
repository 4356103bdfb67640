"""A thread that brings git's index along right after writes, for whoever keeps a vault open and waits for nothing.

A commit of the person's in between would take ours back: so it begins at once, and rests only between two times.
"""

import logging
from collections.abc import Callable
from threading import Event, Lock, Thread

from memory_wiki.errors import MemoryWikiError

log = logging.getLogger(__name__)

REST = 0.1  # seconds: it costs five git processes, which many writes then share


class Bringing:
    """Calls `bring` after each `wake`, several at once where they come quicker; until closed."""

    def __init__(self, bring: Callable[[], None]) -> None:
        self._bring = bring
        self._woken = Event()
        self._closed = Event()
        self._mutex = Lock()
        self._thread: Thread | None = None

    def wake(self) -> None:
        """Something was committed."""
        self._woken.set()
        with self._mutex:
            if self._thread is None and not self._closed.is_set():
                self._thread = Thread(target=self._run, name="memory-wiki bringing along", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Comes back once nothing goes on any more."""
        with self._mutex:
            self._closed.set()
            self._woken.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._woken.wait() and not self._closed.is_set():
            self._woken.clear()
            try:
                self._bring()
            except MemoryWikiError as error:
                log.warning("git's index is brought along later: %s", error)
            self._closed.wait(REST)
