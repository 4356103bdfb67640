"""What threads ask for at once, one of them does for all, so that they share what a group costs.

Whoever comes first leads, and those who come meanwhile are the next group. After a group of several the next leader
lingers while it grows to as many, as those who were just served come back with their next wish; one who writes alone
never waits.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, TypeVar

from memory_wiki.errors import Broken, MemoryWikiError

J = TypeVar("J")
R = TypeVar("R")
STEP = 0.002  # seconds
STOPPED = "whoever wrote for several was stopped, so this may be written or not: look before you repeat it"
MOST = 500  # jobs a group: what one stream of commits is quick at


@dataclass(slots=True, eq=False)
class _Waiting(Generic[J, R]):
    job: J
    outcome: R | MemoryWikiError | None = None
    woken: Event = field(default_factory=Event)


class Together(Generic[J, R]):
    """Hands jobs to `do` in groups; it gives an outcome for each job, in order."""

    def __init__(self, do: Callable[[Sequence[J]], Sequence[R | MemoryWikiError]]) -> None:
        self._do = do
        self._mutex = Lock()
        self._queue: deque[_Waiting[J, R]] = deque()
        self._is_led = False
        self._last = 1  # how many the last group was of
        self._are_back = Event()

    def ask(self, job: J) -> R:
        """The outcome of one job; raises it where it is an error."""
        mine = _Waiting[J, R](job)
        with self._mutex:
            self._queue.append(mine)
            if len(self._queue) >= self._last:
                self._are_back.set()
            leads, self._is_led = not self._is_led, True
        try:
            if not leads:
                mine.woken.wait()
            if mine.outcome is None and self._last > 1:
                self._linger()
        except BaseException:  # Ctrl-C, say
            self._leave(mine, leads=leads)
            raise
        if mine.outcome is None:
            self._lead()
        if isinstance(mine.outcome, MemoryWikiError):
            raise mine.outcome
        assert mine.outcome is not None, "who leads is of the group"  # noqa: S101
        return mine.outcome

    def _linger(self) -> None:
        """Until as many have come as the last time, or nobody more comes."""
        count = 0
        while count < (count := len(self._queue)) < self._last:
            self._are_back.wait(STEP)

    def _lead(self) -> None:
        with self._mutex:
            group = [self._queue.popleft() for _ in range(min(len(self._queue), MOST))]
            self._last = len(group)
            self._are_back.clear()
        outcomes: Sequence[R | MemoryWikiError] = [Broken(STOPPED)] * len(group)
        try:
            outcomes = self._do([each.job for each in group])
        except MemoryWikiError as error:
            outcomes = [error] * len(group)
        finally:
            for each, outcome in zip(group, outcomes, strict=True):
                each.outcome = outcome
                each.woken.set()
            with self._mutex:
                self._hand_on()

    def _leave(self, mine: _Waiting[J, R], *, leads: bool) -> None:
        """Whoever waits no longer leads nobody; of a job that is being done there is no taking back."""
        with self._mutex:
            if mine in self._queue:
                self._queue.remove(mine)
                if leads or mine.woken.is_set():
                    self._hand_on()

    def _hand_on(self) -> None:
        if self._queue:
            self._queue[0].woken.set()  # with no outcome yet: that one leads now
        else:
            self._is_led = False
