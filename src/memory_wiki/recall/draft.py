"""An answer being filled, the best first, from pages that are each read once. Never misquotes.

A hit whose file no longer has the version that was indexed is dropped rather than quoted.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import ceil

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.analyze import Groups
from memory_wiki.index.entries import WordHit
from memory_wiki.page.path import PagePath
from memory_wiki.recall.likeness import is_near_copy, shingles
from memory_wiki.recall.quote import Leaf, Quote, quote
from memory_wiki.recall.rank import Ranked
from memory_wiki.recall.tokens import tokens

A_PAGE = 0.3  # of an answer may be of one page, so that one long page does not fill it
A_CONVERSATION = 0.8  # the same of one conversation, of which a turn is but a sentence or two
LEAST_QUOTE = 16  # tokens left in a budget below which nothing worth reading fits

Lines = tuple[PagePath, int, int]
"""What of a page a passage is quoted by: a line too long for one passage is quoted for all that share it."""


@dataclass(slots=True)
class Group:
    """A passage and its near-copies, best first; `said` is what of it has room in the answer, if anything has."""

    ranked: Ranked
    leaf: Leaf
    shape: frozenset[tuple[str, ...]]
    copies: list[PagePath]
    said: Quote | None = None

    @property
    def lines(self) -> Lines:
        return _lines(self.ranked.hit)


@dataclass(slots=True)
class Draft:
    """An answer being filled, the best first; a passage too large is narrowed, or passed over for smaller ones."""

    limit: int
    left: int
    asked: Groups
    groups: list[Group] = field(default_factory=list)
    taken: set[Lines] = field(default_factory=set)
    """What was looked at."""

    def copy(self) -> "Draft":
        groups = [replace(group, copies=[*group.copies]) for group in self.groups]
        return replace(self, groups=groups, taken={*self.taken})

    @property
    def chosen(self) -> list[Group]:
        return [group for group in self.groups if group.said is not None]

    @property
    def left_out(self) -> list[Group]:
        """Those that were found, and had no room."""
        return [group for group in self.groups if group.said is None]

    @property
    def is_full(self) -> bool:
        return len(self.chosen) >= self.limit or self.left < LEAST_QUOTE

    @property
    def is_done(self) -> bool:
        """Whether it is full, and known whether there is more; an answer without room for any counts what it can."""
        return self.is_full and len(self.groups) > (len(self.chosen) or self.limit)

    @property
    def is_enough(self) -> bool:
        """Whether no other search is worth its cost."""
        return self.is_done or len(self.groups) > self.limit

    def take(self, ranked: Ranked, leaf: Leaf) -> None:
        """A passage as a near-copy of one before it, or as one of the best of its page; no page has more."""
        found = ranked.hit
        if _lines(found) in self.taken:
            return
        self.taken.add(_lines(found))
        shape = shingles("\n".join(leaf.between(found.first_line, found.last_line)) or found.title)
        twin = next((group for group in self.groups if is_near_copy(shape, group.shape)), None)
        most = ceil((A_CONVERSATION if found.speaker else A_PAGE) * self.limit)
        if twin is not None:
            if found.path not in {twin.ranked.hit.path, *twin.copies}:
                twin.copies.append(found.path)
        elif sum(group.ranked.hit.path == found.path for group in self.groups) < most:
            self.groups.append(Group(ranked, leaf, shape, []))
            self._quote(self.groups[-1])

    def _quote(self, group: Group) -> None:
        if self.is_full:
            return
        found = group.ranked.hit
        room = self.left - head(found)
        group.said = quote(group.leaf, found.first_line, found.last_line, self.asked, room)
        if group.said is not None:
            self.left = room - tokens(group.said.text)


class Shelf:
    """The pages that an answer quotes, each read once."""

    def __init__(self, read: Callable[[PagePath], bytes]) -> None:
        self._read = read
        self._leaves: dict[PagePath, Leaf | None] = {}

    def leaf(self, hit: WordHit) -> Leaf | None:
        """A hit's page as it is on disk; None for one that has moved on or can't be read."""
        if hit.path not in self._leaves:
            self._leaves[hit.path] = self._opened(hit)
        leaf = self._leaves[hit.path]
        return leaf if leaf is not None and leaf.version == hit.version else None

    def _opened(self, hit: WordHit) -> Leaf | None:
        try:
            return Leaf.of(self._read(hit.path), hit.language)
        except (PageNotFound, BadPath, Broken):
            return None


def _lines(found: WordHit) -> Lines:
    return found.path, found.first_line, found.last_line


def head(found: WordHit) -> int:
    """What the lines above a quote take, in tokens."""
    return tokens(f"{found.path} {' > '.join(found.headings)}")
