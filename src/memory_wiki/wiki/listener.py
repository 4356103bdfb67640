"""Who hears of what goes on beside the answer: what other hands had changed, and how far long work is."""

from dataclasses import dataclass

from memory_wiki.page.path import PagePath
from memory_wiki.vault.look import Seen


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """What other hands had changed: the commit that records it, the pages, and why anything is left uncommitted."""

    commit: str
    pages: tuple[PagePath, ...]
    left: str
    seen: Seen


class Listener:
    """Hears nothing; a face overrides what it has an ear for."""

    def caught_up(self, caught: CaughtUp) -> None:
        """A verb has caught up with the folder."""

    def changed(self, paths: frozenset[PagePath]) -> None:
        """These pages came, changed or went, by whatever hand, and answers know it from now on."""

    def progress(self, done: int, total: int) -> None:
        """So many pages of so many are indexed, or checked."""

    def embedded(self, done: int, total: int) -> None:
        """So many passages of so many have their vectors."""
