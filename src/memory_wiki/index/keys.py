"""Keys: terms that the word index compares whole, such as `tag:area/db`.

Pure. Any text makes a key: surrogates (in file names that are not UTF-8) are escaped, reversibly, and what is
too long for a term of tantivy is replaced by its digest.
"""

import hashlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory_wiki.index.entries import Filter, PageEntry, Standing
from memory_wiki.page.path import PagePath, Version, folded, stem

if TYPE_CHECKING:
    from memory_wiki.index.passages import Passage

KEY_BYTES = 16_384  # above the longest path of any system; tantivy takes up to 65,530
FIRST = "first"  # on the first passage of every page
PINNED = "pinned"  # on passages of pages that are
PROBLEMS = "problems"  # on passages of pages that have some
STANDING = "standing-request"  # on passages that ask for something from now on
MARKER = "marker"
_ESCAPED = re.compile(r"[\\\ud800-\udfff]")
_ESCAPE = re.compile(r"\\([0-9a-f]{4})")
_AUTHOR_WORD = re.compile(r"[^\s<>\"(),;]+")


def key(kind: str, value: str) -> str:
    text = f"{kind}:{value}"
    if text.isascii() and "\\" not in text and len(text) <= KEY_BYTES:
        return text  # nearly all; a page has some twenty
    text = f"{kind}:{_ESCAPED.sub(_escape, value)}"
    data = text.encode()
    return text if len(data) <= KEY_BYTES else f"{kind}:{hashlib.sha256(data).hexdigest()}"


def value_of(key: str) -> str:
    """What `key` was made of, unless that was too long."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), key.partition(":")[2])


def _escape(found: re.Match[str]) -> str:
    return f"\\{ord(found[0]):04x}"


def version_and_path(key: str) -> tuple[Version, PagePath]:
    """What a key of the kind `at` says."""
    version, _, path = value_of(key).partition(" ")
    return Version(version), PagePath(path)


def page_keys(page: PageEntry) -> Iterator[str]:
    """What all passages of a page are found and filtered by."""
    yield key("page", page.path)
    yield key("project", page.project)
    yield key("type", folded(page.type))
    yield key("status", folded(page.status))
    yield key("standing", Standing.CURRENT if page.is_current else Standing.PAST)
    yield from (key("folder", folder) for folder in ("", *_ancestry(page.path)))
    yield from {key("tag", name) for tag in page.tags for name in _ancestry(folded(tag))}
    yield from (key("author", word) for word in author_words(f"{page.author} {page.by}"))
    if page.problems:
        yield PROBLEMS
    if page.pinned:
        yield PINNED


def passage_keys(page: PageEntry, passage: "Passage") -> Iterator[str]:
    """What one passage is found by besides; a page's first one stands for the page too."""
    yield passage_key(page.path, passage.ordinal)
    yield key("language", passage.language)
    if passage.ordinal == 0:
        yield FIRST
        yield key("at", f"{page.version} {page.path}")
        yield key("id", page.id)
        yield key("folded", folded(page.path))
        yield from {key("named", folded(name)) for name in (stem(page.path), *page.aliases)}
        yield key("titled", folded(page.title))
        yield from (key("link", link) for link in page.links)
        yield from (key("remote", remote) for remote in page.remotes)


def filter_keys(wanted: Filter) -> Iterator[tuple[str, ...]]:
    """Groups of keys: of each a passage must have one, for its page to be what is wanted."""
    any_of = {
        "project": wanted.projects,
        "type": map(folded, wanted.types),
        "status": map(folded, wanted.statuses),
        "standing": [wanted.standing] if wanted.standing else [],
        "folder": (folder.strip("/") for folder in wanted.folders),
    }
    for kind, values in any_of.items():
        if keys := tuple(key(kind, value) for value in values):
            yield keys
    yield from ((key("tag", folded(tag).strip("#/")),) for tag in wanted.tags)
    yield from ((key("author", word),) for word in author_words(wanted.author))
    if wanted.says:
        yield (key("says", wanted.says),)
    if wanted.has_problems:
        yield (PROBLEMS,)
    if wanted.is_pinned:
        yield (PINNED,)


def passage_key(path: PagePath, ordinal: int) -> str:
    return key("passage", f"{ordinal} {path}")


def author_words(author: str) -> list[str]:
    """`Ada Lovelace <ada@x.org>` → `ada`, `lovelace`, `ada@x.org`."""
    return _AUTHOR_WORD.findall(folded(author))


def _ancestry(path: str) -> Iterator[str]:
    """`a/b/c` → `a/b/c`, `a/b`, `a`."""
    while path:
        yield path
        path = path.rpartition("/")[0]
