"""What a server hears of its wiki beside answers, and passes on."""

from collections.abc import Callable

from memory_wiki.faces.mcp.calling import progress
from memory_wiki.page.path import PagePath
from memory_wiki.wiki.listener import Listener


class Ears(Listener):
    """Tells clients what changed, and the one that waits how far its call is."""

    def __init__(self, changed: Callable[[frozenset[PagePath]], None]) -> None:
        self._changed = changed

    def changed(self, paths: frozenset[PagePath]) -> None:
        self._changed(paths)

    def progress(self, done: int, total: int) -> None:
        progress(done, total)
