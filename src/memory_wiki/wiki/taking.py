"""Pages just written, taken into the index by a thread of its own while others are still being written.

Where the index can't take them they are written all the same, and whoever reads next indexes them: so nothing of it is
an error to who writes.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from types import TracebackType
from typing import Self

from memory_wiki.index.children import Children
from memory_wiki.index.index import Index
from memory_wiki.vault.job import Applied

log = logging.getLogger(__name__)

ENOUGH = 1_000  # pages at a time, as each commit of the index leaves a segment that is to be merged


class Taking:
    """Use it in a `with`: at its end all that was handed over is in the index, or left to whoever reads next."""

    def __init__(self, index: Index, children: Children) -> None:
        self._index = index
        self._children = children
        self._pool = ThreadPoolExecutor(1)
        self._waiting: list[tuple[Applied, datetime]] = []
        self._running: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._pool:
            if error is None:
                self._take()
                self._take()

    def add(self, applied: Sequence[tuple[Applied, datetime]]) -> None:
        """New pages, each with when it was committed."""
        self._waiting += applied
        if len(self._waiting) >= ENOUGH and (self._running is None or self._running.done()):
            self._take()

    def _take(self) -> None:
        """Waits for the last, and begins with what has come meanwhile."""
        if self._running is not None:
            try:
                self._running.result()
            except Exception as error:  # noqa: BLE001 - a thread's edge, and what it did not do is done later
                log.warning("not indexed yet: %r", error)
            self._running = None
        if self._waiting:
            self._running = self._pool.submit(self._index.take, tuple(self._waiting), self._children)
            self._waiting.clear()
