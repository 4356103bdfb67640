"""Work that one thread does for all that asked before it began: fifty that want to be up to date need it done once."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

Found = TypeVar("Found")


class Run(Generic[Found]):
    """One time that the work is done: when it may begin, and what it gave."""

    def __init__(self) -> None:
        self.turn: Future[None] = Future()
        self.found: Future[Found] = Future()


class Shared(Generic[Found]):
    """No run answers who asked after it had begun: what it saw may be from before they asked."""

    def __init__(self, work: Callable[[], Found]) -> None:
        self._work = work
        self._lock = Lock()
        self._now: Run[Found] | None = None
        self._next: Run[Found] | None = None

    def do(self) -> Found:
        """What a run gives that began after this call; raises what that raised."""
        run, is_first = self._joined()
        if is_first:
            run.turn.result()
            self._do(run)
        return run.found.result()

    def _joined(self) -> tuple[Run[Found], bool]:
        """The run that answers who calls now, and whether it is for this thread to do."""
        with self._lock:
            if self._now is None:
                self._now = Run()
                self._now.turn.set_result(None)
                return self._now, True
            if is_first := self._next is None:
                self._next = Run()
            assert self._next is not None  # noqa: S101 - it is made just above where there was none
            return self._next, is_first

    def _do(self, run: Run[Found]) -> None:
        try:
            run.found.set_result(self._work())
        except BaseException as error:  # noqa: BLE001 - whoever waits raises it, and this thread too
            run.found.set_exception(error)
        finally:
            with self._lock:
                self._now, self._next = self._next, None
                if self._now is not None:
                    self._now.turn.set_result(None)
