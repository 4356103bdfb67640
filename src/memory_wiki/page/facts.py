"""Facts: list items `- [category] claim #tag (since:: …) (until:: …) (source:: [[…]]) ^id`.

The same shape as basic-memory's observations. A task (`[ ]`, `[x]`) and an item that begins with a link are none.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import TypeVar

from memory_wiki.page.elements import BlockId, Field, ListItem, Markup, Tag
from memory_wiki.page.inline import plain
from memory_wiki.page.instant import instant

_CATEGORY = re.compile(r"\[([^\[\]\s]{2,64})\][ \t]+(?=\S)")  # one character alone marks a task


@dataclass(frozen=True, slots=True)
class Fact:
    """One claim. `text` is plain, without fields, trailing tags and id; `source` is a link's target, or text."""

    category: str
    text: str
    tags: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    source: str
    id: str
    line: int


def find(markup: Markup, body: str) -> tuple[Fact, ...]:
    """The facts of a body, in its order."""
    return tuple(_fact(category, item, markup, body) for item in markup.items if (category := _category(item, body)))


def with_ids(markup: Markup, body: str, new_id: Callable[[], str]) -> str:
    """`body` with ` ^id` at the end of each fact that has none; `new_id` is asked until an id is free in the page."""
    taken = {found.id.lower() for found in markup.block_ids}
    pieces, done = [], 0
    for item in markup.items:
        if _category(item, body) and not _within(markup.block_ids, item):
            pieces += [body[done : item.end], f" ^{free(new_id, taken)}"]
            done = item.end
    return "".join([*pieces, body[done:]])


def free(new_id: Callable[[], str], taken: set[str]) -> str:
    """A new id that is not `taken`, which from then on it is; ids differ by more than case."""
    name = new_id()
    while name.lower() in taken:
        name = new_id()
    taken.add(name.lower())
    return name


def _category(item: ListItem, body: str) -> str:
    """The category of a fact, "" for any other item."""
    found = _CATEGORY.match(body, item.start, item.end) if item.marker in {"-", "*", "+"} else None
    return (
        found[1]
        if found and all(c in "-_" or c.isalpha() or unicodedata.category(c)[0] in "LNM" for c in found[1])
        else ""
    )


def _fact(category: str, item: ListItem, markup: Markup, body: str) -> Fact:
    tags, fields = _within(markup.tags, item), _within(markup.fields, item)
    ids = _within(markup.block_ids, item)
    given = {field.key.lower(): field.value for field in fields}
    return Fact(
        category=category,
        text=_claim(body, item.start + len(category) + 2, item.end, (*tags, *fields, *ids)),
        tags=tuple(tag.name for tag in tags),
        since=instant(given.get("since")),
        until=instant(given.get("until")),
        source=source(given.get("source", "")),
        id=ids[-1].id if ids else "",
        line=item.line,
    )


_Part = TypeVar("_Part", Tag, Field, BlockId)
_start = attrgetter("start")


def _within(parts: Sequence[_Part], item: ListItem) -> Sequence[_Part]:
    """Those of the page's parts, which are in order, that stand in the item."""
    if not parts:
        return ()
    first = bisect_left(parts, item.start, key=_start)
    return parts[first : bisect_left(parts, item.end, lo=first, key=_start)]


def _claim(body: str, start: int, end: int, parts: Sequence[Tag | Field | BlockId]) -> str:
    """The text between `start` and `end` without fields and id, nor the tags after its last word."""
    kept: list[str] = []
    for part in sorted(parts, key=_start, reverse=True):
        after = body[part.end : end]
        if not isinstance(part, Tag) or not (after.strip() or kept):
            kept += [after] if after.strip() else []
            end = part.start
    return plain(" ".join([body[start:end], *reversed(kept)]))


def source(value: str) -> str:
    """What a field `source` names: a link's target, or its text."""
    found = re.fullmatch(r"!?\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]", value)
    return found[1].strip() if found else value
