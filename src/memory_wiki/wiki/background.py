"""A thread that settles what has happened once it is quiet again, so that nobody who asks has to wait for it.

Woken by writes and by events of the folder; asleep otherwise. Where events can't be had it looks by itself, less often
the longer a look takes.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Literal

from memory_wiki.errors import MemoryWikiError

log = logging.getLogger(__name__)

QUIET = 0.3  # seconds without a sign, after which an editor or a sync tool is taken to be done
MEANWHILE = 1.0  # seconds of unrest between two times of what needs no quiet
AT_LAST = 5.0  # seconds of unrest, after which quiet is waited for no longer
LOOKING = 2.0  # seconds between two looks where there are no events
SHARE = 20  # and at least so many times what the last look took, to use 5 % of one processor
SELDOM = 10.0  # seconds, and no more: a look may also have waited for git


Due = Literal["meanwhile", "settle", "end"]


@dataclass(slots=True)
class _Unrest:
    """When it began, and when what needs no quiet was last due."""

    began: float
    told: float


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
        self._unrest: _Unrest | None = None
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
        while (due := self._rests(min(SELDOM, max(LOOKING, SHARE * took)))) != "end":
            with _warned():
                if due == "meanwhile":
                    self._meanwhile()
                    continue
                started, self._looks_by_itself = time.monotonic(), True
                try:
                    self._looks_by_itself = self._settle()
                finally:
                    took = time.monotonic() - started

    def _rests(self, pause: float) -> Due:
        """Returns once something is due. Unrest goes on over what is due meanwhile."""
        with self._changed:
            if self._unrest is None:
                self._changed.wait_for(self._is_called, pause if self._looks_by_itself else None)
                now = time.monotonic()
                self._unrest = _Unrest(now, now)
            while not self._is_closed and self._woken:
                self._woken = 0
                if self._changed.wait_for(self._is_called, QUIET):
                    now = time.monotonic()
                    if now - self._unrest.began > AT_LAST:
                        break
                    if now - self._unrest.told > MEANWHILE:
                        self._unrest.told = now
                        return "meanwhile"
            self._woken, self._unrest = 0, None
            return "end" if self._is_closed else "settle"

    def _is_called(self) -> bool:
        return bool(self._woken or self._is_closed)


@contextmanager
def _warned() -> Iterator[None]:
    try:
        yield
    except (MemoryWikiError, OSError) as error:
        log.warning("%s", error)
    except Exception as error:  # noqa: BLE001 - a thread's edge: it would end unheard, and all go on as if it watched
        log.warning("a mistake of ours, after which we go on: %r", error)
