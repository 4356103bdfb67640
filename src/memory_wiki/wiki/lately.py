"""The memories that this process wrote since it last caught up, so that the next one need not wait for the index.

To take one page into the index costs ten times what writing it does. While nothing but these memories was committed
since, index and memories together tell all there is.
"""

from collections.abc import Collection, Sequence
from threading import Lock
from typing import TYPE_CHECKING

from memory_wiki.vault.job import Applied
from memory_wiki.vault.look import Seen

if TYPE_CHECKING:
    from memory_wiki.page.statement import Said
    from memory_wiki.wiki.answers import Written

MANY = 500  # memories kept in mind; then it is time to catch up

Key = tuple[str, str, str]
"""A memory's project, its type, folded, and its `saying_key`."""


class Lately:
    """Threads may share it: one that comes too late is passed over, and whoever asks then catches up."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._head = ""
        self._written: dict[Key, list[Written]] = {}
        self._said: list[tuple[str, Written, Said]] = []
        self._count = 0

    def caught_up(self, head: str) -> None:
        """The index knows all up to this commit."""
        with self._lock:
            self._head, self._count = head, 0
            self._written.clear()
            self._said.clear()

    def wrote(self, done: Applied, written: "Written", key: Key, said: "Said") -> None:
        """A memory, and what it states; it counts where its commit follows on what is known."""
        with self._lock:
            if done.parent and done.parent == self._head:
                self._head = done.commit
                self._count += 1
                self._written.setdefault(key, []).append(written)
                self._said.append((key[0], written, said))

    def covers(self, seen: Seen) -> bool:
        """Whether there is nothing that neither the index nor these memories know."""
        with self._lock:
            return bool(self._head) and not seen.differs and seen.head == self._head and self._count < MANY

    @property
    def any(self) -> bool:
        """Whether there are memories that the index does not know."""
        return self._count > 0

    def stated(self, projects: Collection[str]) -> "list[tuple[Written, Said]]":
        """Those of some projects, each with what it states."""
        with self._lock:
            return [(written, said) for project, written, said in self._said if project in projects]

    def saying(self, key: Key) -> "Sequence[Written]":
        """Those that may say the same."""
        with self._lock:
            return tuple(self._written.get(key, ()))
