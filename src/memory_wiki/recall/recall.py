"""Recall: passages that answer a question, quoted from the files. Never writes a page, and never misquotes.

A hit whose file no longer has the version that was indexed is dropped rather than quoted. Hits are looked at one
by one, the best first, and no longer than the answer has room: a file costs more to read than to find.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.analyze import Groups
from memory_wiki.index.entries import Filter, Standing, WordHit
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.likeness import is_near_copy, shingles
from memory_wiki.recall.quote import Leaf, Quote, quote
from memory_wiki.recall.rank import Ranked, rank
from memory_wiki.recall.tokens import tokens

EVERYTHING = Filter()
CANDIDATES = (60, 240, 960)
"""How many passages are weighed for an answer of ten: room for near-copies and for pages that moved on; and more where
one page fills search after search. After the last, the best of it and what else came must do."""
PASSAGES_A_PAGE = 3  # of one page, so that one long page does not fill an answer
LEAST_QUOTE = 16  # tokens left in a budget below which nothing worth reading fits


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where from, and how much of an answer is wanted: `budget` in tokens, `limit` in hits.

    None for the project is the one that one stands in, and for the budget what the vault's settings say.
    """

    text: str
    filter: Filter = EVERYTHING
    project: str | None = None
    budget: int | None = None
    limit: int = 10
    explains: bool = False
    """Whether each hit is to say what made its score, which costs a query a hit."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One quoted passage. `fact` is the block id of the fact line that answers best.

    `copies` are pages that say the same, and would have come into this answer too.
    """

    path: PagePath
    title: str
    type: str
    status: str
    project: str
    headings: tuple[str, ...]
    first_line: int
    last_line: int
    version: Version
    fact: str
    text: str
    score: float
    words: tuple[tuple[str, float], ...]
    """What each field's words gave to the score; they add up."""
    weights: tuple[tuple[str, float], ...]
    """What their sum is multiplied by."""
    copies: tuple[PagePath, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits, best first, of at most `budget` tokens together.

    `left_out` is how many more were found before it was full that had no room, and one if more only came after that.
    """

    question: str
    hits: tuple[Hit, ...]
    tokens: int
    budget: int
    left_out: int
    took_part: tuple[str, ...] = ("words",)
    is_filtered_out: bool = False
    """Whether no page at all passes the filter, so that other words would not help."""


@dataclass(slots=True)
class _Group:
    """A passage and its near-copies, best first; `said` is what of it has room in the answer, if anything has."""

    ranked: Ranked
    leaf: Leaf
    shape: frozenset[tuple[str, ...]]
    copies: list[PagePath]
    said: Quote | None = None


@dataclass(slots=True)
class _Draft:
    """An answer being filled, the best first; a passage too large is narrowed, or passed over for smaller ones."""

    limit: int
    left: int
    asked: Groups
    groups: list[_Group] = field(default_factory=list)

    def copy(self) -> "_Draft":
        return replace(self, groups=[replace(group, copies=[*group.copies]) for group in self.groups])

    @property
    def chosen(self) -> list[_Group]:
        return [group for group in self.groups if group.said is not None]

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
        shape = shingles("\n".join(leaf.between(found.first_line, found.last_line)) or found.title)
        twin = next((group for group in self.groups if is_near_copy(shape, group.shape)), None)
        if twin is not None:
            if found.path not in {twin.ranked.hit.path, *twin.copies}:
                twin.copies.append(found.path)
        elif sum(group.ranked.hit.path == found.path for group in self.groups) < PASSAGES_A_PAGE:
            self.groups.append(_Group(ranked, leaf, shape, []))
            self._quote(self.groups[-1])

    def _quote(self, group: _Group) -> None:
        if self.is_full:
            return
        found = group.ranked.hit
        room = self.left - _head(found)
        group.said = quote(group.leaf, found.first_line, found.last_line, self.asked, room)
        if group.said is not None:
            self.left = room - tokens(group.said.text)


class _Shelf:
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


def recall(question: Question, budget: int, words: Words, read: Callable[[PagePath], bytes]) -> Answer:
    """The answer to a question, within `budget` tokens; `read` gives a page's bytes as they are on disk."""
    draft = _Draft(question.limit, budget, words.forms(question.text))
    draft = _filled(draft, question, words, _Shelf(read))
    hits = tuple(_hit(group, question, draft.asked, words) for group in draft.chosen)
    return Answer(
        question.text,
        hits,
        sum(hit.tokens for hit in hits),
        budget,
        len(draft.groups) - len(hits),
        is_filtered_out=not draft.groups and question.filter != EVERYTHING and not words.newest(question.filter, 1),
    )


def _filled(draft: _Draft, question: Question, words: Words, shelf: _Shelf) -> _Draft:
    """With what is current, and only then with what is not any more; begun again where a search was too small."""
    for standing in Standing:
        wanted, before = replace(question.filter, standing=standing), draft
        for size in CANDIDATES:
            draft = before.copy()
            seen = _fill(draft, rank(words.search(draft.asked, wanted, size), question.project or ""), shelf)
            if draft.is_enough or seen < size:
                break
        if draft.is_enough:
            break
    return draft


def _fill(draft: _Draft, candidates: Iterable[Ranked], shelf: _Shelf) -> int:
    """Until it is done; gives how many candidates it took to see that."""
    seen = 0
    for ranked in candidates:
        seen += 1
        if leaf := shelf.leaf(ranked.hit):
            draft.take(ranked, leaf)
        if draft.is_done:
            break
    return seen


def _head(found: WordHit) -> int:
    """What the lines above a quote take, in tokens."""
    return tokens(f"{found.path} {' > '.join(found.headings)}")


def _hit(group: _Group, question: Question, asked: Groups, words: Words) -> Hit:
    found, said = group.ranked.hit, group.said
    assert said is not None, "a group is chosen for what it says"  # noqa: S101
    return Hit(
        path=found.path,
        title=found.title,
        type=found.type,
        status="archived" if found.status == "active" and not found.is_current else found.status,
        project=found.project,
        headings=found.headings,
        first_line=said.first_line,
        last_line=said.last_line,
        version=found.version,
        fact=said.fact if said.fact in found.facts else "",  # and not an example
        text=said.text,
        score=group.ranked.score,
        words=words.explain(found, asked) if question.explains else (),
        weights=group.ranked.weights,
        copies=tuple(group.copies),
        tokens=_head(found) + tokens(said.text),
    )
