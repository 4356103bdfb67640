"""A thread that settles what has happened once it is quiet again, so that nobody who asks has to wait for it.

Woken by writes and by events of the folder; asleep otherwise. Where events can't be had it looks by itself, less often
the longer a look takes.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread

from memory_wiki.errors import MemoryWikiError

log = logging.getLogger(__name__)

QUIET = 0.3  # seconds without a sign, after which an editor or a sync tool is taken to be done
MEANWHILE = 1.0  # seconds of unrest between two times of what needs no quiet
AT_LAST = 5.0  # seconds of unrest, after which quiet is waited for no longer
LOOKING = 2.0  # seconds between two looks where there are no events
SHARE = 20  # and at least so many times what the last look took, to use 5 % of one processor
SELDOM = 10.0  # seconds, and no more: a look may also have waited for git


class Background:
    """Calls `meanwhile` every second of unrest and `settle` when it is quiet, until closed.

    While `settle` says that no event may tell of what is left to do, or fails, it is called now and then without one.
    """

    def __init__(self, meanwhile: Callable[[], None], settle: Callable[[], bool]) -> None:
        self._meanwhile = meanwhile
        self._settle = settle
        self._changed = Condition()
        self._woken = 0
        self._is_closed = False
        self._looks_by_itself = False
        self._thread = Thread(target=self._run, name="memory-wiki background", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Something has happened."""
        with self._changed:
            self._woken += 1
            self._changed.notify()

    def close(self) -> None:
        """Comes back once nothing goes on any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        took = 0.0
        while self._rests(min(SELDOM, max(LOOKING, SHARE * took))):
            started = time.monotonic()
            self._looks_by_itself = True
            with _warned():
                self._looks_by_itself = self._settle()
            took = time.monotonic() - started

    def _rests(self, pause: float) -> bool:
        """Returns once there is something to settle; False for the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._woken or self._is_closed, pause if self._looks_by_itself else None)
            began = told = time.monotonic()
            while not self._is_closed and self._woken:
                self._woken = 0
                if self._changed.wait_for(lambda: self._woken or self._is_closed, QUIET):
                    now = time.monotonic()
                    if now - began > AT_LAST:
                        break
                    if now - told > MEANWHILE:
                        told = now
                        self._changed.release()
                        try:
                            with _warned():
                                self._meanwhile()
                        finally:
                            self._changed.acquire()
            self._woken = 0
            return not self._is_closed


@contextmanager
def _warned() -> Iterator[None]:
    try:
        yield
    except (MemoryWikiError, OSError) as error:
        log.warning("%s", error)
    except Exception as error:  # noqa: BLE001 - a thread's edge: it would end unheard, and all go on as if it watched
        log.warning("a mistake of ours, after which we go on: %r", error)
