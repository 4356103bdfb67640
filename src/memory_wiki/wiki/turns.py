"""Threads that are about the same page take turns; those about others never wait for them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass(slots=True)
class _Turn:
    lock: Lock = field(default_factory=Lock)
    wanted_by: int = 0


class Turns:
    """Keeps nothing of a name once nobody wants it."""

    def __init__(self) -> None:
        self._mutex = Lock()
        self._turns: dict[str, _Turn] = {}

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Meanwhile no other thread has its turn of that name."""
        with self._mutex:
            turn = self._turns.setdefault(name, _Turn())
            turn.wanted_by += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._mutex:
                turn.wanted_by -= 1
                if not turn.wanted_by:
                    del self._turns[name]
