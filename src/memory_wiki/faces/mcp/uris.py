"""The addresses of resources. Pure."""

from collections.abc import Iterable
from urllib.parse import quote

from memory_wiki.page.path import PagePath
from memory_wiki.page.place import project_of

PAGE = "memory://page/{+path}"
BRIEF = "memory://project/{slug}/brief"
RECENT = "memory://recent"


def page_uri(path: PagePath) -> str:
    return f"memory://page/{quote(path.encode('utf-8', 'surrogateescape'))}"


def uris_of(paths: Iterable[PagePath]) -> list[str]:
    """Of all resources that say something else once these pages have changed."""
    changed = sorted(paths)
    projects = sorted({slug for path in changed if (slug := project_of(path))})
    briefs = [BRIEF.format(slug=quote(slug)) for slug in projects]
    return [*map(page_uri, changed), *briefs, *([RECENT] if changed else [])]
