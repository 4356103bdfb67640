"""An old version of a page brought back on top, as a new commit. A pure planner."""

from collections.abc import Iterable
from dataclasses import dataclass

from memory_wiki.lifecycle.move import moved
from memory_wiki.page.change import Change, Create, Plan, Replace
from memory_wiki.page.links import Named
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import is_archived


@dataclass(frozen=True, slots=True)
class Old:
    """A page as it was, and the commit that wrote it so."""

    page: Page
    commit: str


def place(old: Page, now: Page | None) -> PagePath:
    """Where the old version goes: where the page is now; where it was, if it is gone, or in or out of the archive."""
    if now is None or is_archived(now.path) != is_archived(old.path):
        return old.path
    return now.path


def plan(old: Old, now: Page | None, linking: Iterable[Page], named: tuple[Named, Named]) -> Plan | None:
    """The old bytes at their `place`; None where nothing differs. Links follow a page out of the archive."""
    changes = _changes(old.page, now, linking, named)
    trailers = (("Version", old.page.version), ("Restored-From", old.commit))
    return Plan("restore", old.page.title, changes, trailers) if changes else None


def _changes(old: Page, now: Page | None, linking: Iterable[Page], named: tuple[Named, Named]) -> tuple[Change, ...]:
    if now is None:
        return (Create(old.path, old.data),)
    if place(old, now) != now.path:
        return moved(now, old.path, old.data, linking, named)
    return () if old.data == now.data else (Replace(now.path, old.data, now.version),)
