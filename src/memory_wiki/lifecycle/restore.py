"""An old version of a page brought back on top, as a new commit. A pure planner."""

from dataclasses import dataclass

from memory_wiki.page.change import Change, Create, Move, Plan, Replace
from memory_wiki.page.page import Page
from memory_wiki.page.place import is_archived


@dataclass(frozen=True, slots=True)
class Old:
    """A page as it was, and the commit that wrote it so."""

    page: Page
    commit: str


def plan(old: Old, now: Page | None) -> Plan | None:
    """Puts the old bytes where the page is now, or back where it was if it is gone; None where nothing differs.

    A page that was archived since comes back out of the archive. One that was only moved stays where it is.
    """
    change = _change(old.page, now)
    if change is None:
        return None
    return Plan("restore", old.page.title, (change,), (("Version", old.page.version), ("From", old.commit)))


def _change(old: Page, now: Page | None) -> Change | None:
    if now is None:
        return Create(old.path, old.data)
    if is_archived(now.path) and not is_archived(old.path):
        return Move(now.path, old.path, old.data, now.version)
    if old.data == now.data:
        return None
    return Replace(now.path, old.data, now.version)
