"""Moving and archiving pages, with the links that would otherwise lose them. Pure planners."""

from collections.abc import Iterable
from contextlib import suppress

from memory_wiki.errors import BadPage
from memory_wiki.page import frontmatter
from memory_wiki.page.change import Change, Move, Plan, Replace
from memory_wiki.page.links import Named, repoint
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import archived, is_archived
from memory_wiki.page.text import encoded


def plan(page: Page, to: PagePath, linking: Iterable[Page], named: tuple[Named, Named]) -> Plan:
    """The page under its new path; in the pages `linking` to it, only links that would be lost are re-pointed.

    A page that leaves the archive is archived no more. `named` answers which pages have a name, before and after.
    """
    text = repoint(page, {page.path: to}, *named) or page.text
    if is_archived(page.path) and not is_archived(to) and page.status == "archived":
        with suppress(BadPage):
            text = frontmatter.remove_key(text, "status")
    return Plan("move", page.title, moved(page, to, encoded(text), linking, named))


def archive(page: Page, linking: Iterable[Page], named: tuple[Named, Named]) -> Plan:
    """The page marked `status: archived`, below `archive/`, still to be found and restored.

    A page whose front matter can't be written to keeps its bytes and is only moved.
    """
    to = archived(page.path)
    text = repoint(page, {page.path: to}, *named) or page.text
    with suppress(BadPage):
        text = frontmatter.set_key(text, "status", "archived")
    return Plan("archive", page.title, moved(page, to, encoded(text), linking, named))


def moved(
    page: Page, to: PagePath, data: bytes, linking: Iterable[Page], named: tuple[Named, Named]
) -> tuple[Change, ...]:
    """The page at `to` with these bytes, and the links of other pages that would otherwise lose it."""
    others = ((other, repoint(other, {page.path: to}, *named)) for other in linking if other.path != page.path)
    kept = (Replace(other.path, encoded(new), other.version) for other, new in others if new is not None)
    return (Move(page.path, to, data, page.version), *kept)
