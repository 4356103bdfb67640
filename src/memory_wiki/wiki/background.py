"""A thread that settles what has happened once it is quiet again, so that nobody who asks has to wait for it.

Woken by writes and by events of the folder; asleep otherwise. Where no event would tell, it looks by itself, less often
the longer a look takes.
"""

import atexit
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread

from memory_wiki.errors import MemoryWikiError

log = logging.getLogger(__name__)

QUIET = 0.3  # seconds without a sign, after which an editor or a sync tool is taken to be done
AT_LAST = 5.0  # seconds of unrest, after which quiet is waited for no longer
LOOKING = 2.0  # seconds between two looks where there are no events
SHARE = 20  # and at least so many times what the last look took, to use 5 % of one processor
SELDOM = 10.0  # seconds, and no more: a look may also have waited for git


class Background:
    """Calls `settle` when it is quiet, until closed.

    While `settle` says that no event may tell of what is left to do, or fails, it is called now and then without one.
    """

    def __init__(self, settle: Callable[[], bool]) -> None:
        self._settle = settle
        self._changed = Condition()
        self._is_woken = False
        self._woken_last = 0.0
        self._is_closed = False
        self._looks_by_itself = False
        self._holders = 0
        self._thread = Thread(target=self._run, name="memory-wiki background", daemon=True)

    def start(self) -> None:
        atexit.register(self.close)  # for who ends without closing: a thread that is cut off amid a model aborts all
        self._thread.start()

    def wake(self) -> None:
        """Something has happened."""
        with self._changed:
            self._woken_last = time.monotonic()
            if not self._is_woken:  # signs come by the thousand
                self._is_woken = True
                self._changed.notify()

    @property
    def is_wanted(self) -> bool:
        """Whether what goes on may go on."""
        return not self._is_closed and not self._holders

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nothing is begun meanwhile: for who writes much, and would do it all themselves, and cheaper."""
        with self._changed:
            self._holders += 1
        try:
            yield
        finally:
            with self._changed:
                self._holders -= 1
                self._changed.notify()

    def close(self) -> None:
        """Comes back once nothing goes on any more."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()
        atexit.unregister(self.close)

    def _run(self) -> None:
        took = 0.0
        while self._rests(min(SELDOM, max(LOOKING, SHARE * took))):
            with _warned():
                started, self._looks_by_itself = time.monotonic(), True
                try:
                    self._looks_by_itself = self._settle()
                finally:
                    took = time.monotonic() - started

    def _rests(self, pause: float) -> bool:
        """Returns once something is to be settled; False where nothing ever will be."""
        with self._changed:
            self._changed.wait_for(self._is_called, pause if self._looks_by_itself else None)
            began = time.monotonic()
            while (left := min(self._woken_last + QUIET, began + AT_LAST) - time.monotonic()) > 0:
                if self._changed.wait_for(lambda: self._is_closed, left):
                    break
            self._changed.wait_for(lambda: self._is_closed or not self._holders)
            self._is_woken = False
            return not self._is_closed

    def _is_called(self) -> bool:
        return self._is_woken or self._is_closed


@contextmanager
def _warned() -> Iterator[None]:
    try:
        yield
    except (MemoryWikiError, OSError) as error:
        log.warning("%s", error)
    except Exception as error:  # noqa: BLE001 - a thread's edge: it would end unheard, and all go on as if it watched
        log.warning("a mistake of ours, after which we go on: %r", error)
