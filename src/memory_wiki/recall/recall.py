"""Recall: passages that answer a question, quoted from the files. Never writes a page, and never misquotes.

A hit whose file no longer has the version that was indexed is dropped rather than quoted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.entries import Filter, Standing
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.likeness import is_near_copy, shingles
from memory_wiki.recall.quote import Leaf, Quote, quote
from memory_wiki.recall.rank import Ranked, rank
from memory_wiki.recall.tokens import tokens

EVERYTHING = Filter()
CANDIDATES = 60  # passages weighed for an answer of ten: room for near-copies and for pages that moved on
MOST_CANDIDATES = 960  # where one page fills search after search, the best of it and what else came must do
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
    """One quoted passage. `fact` is the block id of the fact line that answers best; `copies` says it too elsewhere."""

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
    """Hits, best first, of at most `budget` tokens together; `left_out` more were found that did not fit."""

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
    """A passage and its near-copies, best first."""

    ranked: Ranked
    leaf: Leaf
    shape: frozenset[tuple[str, ...]]
    copies: list[PagePath]


def recall(question: Question, budget: int, words: Words, read: Callable[[PagePath], bytes]) -> Answer:
    """The answer to a question, within `budget` tokens; `read` gives a page's bytes as they are on disk."""
    groups = _candidates(question, words, read)
    chosen = _pack(groups, question, budget, words)
    is_filtered_out = not groups and question.filter != EVERYTHING and not words.newest(question.filter, 1)
    return Answer(
        question.text,
        tuple(chosen),
        sum(hit.tokens for hit in chosen),
        budget,
        len(groups) - len(chosen),
        is_filtered_out=is_filtered_out,
    )


def _candidates(question: Question, words: Words, read: Callable[[PagePath], bytes]) -> list[_Group]:
    """Enough groups for the answer, best first: of what is current, and only then of what is not any more."""
    leaves: dict[PagePath, Leaf | None] = {}
    groups: list[_Group] = []
    for standing in Standing:
        size = CANDIDATES
        while len(groups) <= question.limit:
            hits = words.search(question.text, replace(question.filter, standing=standing), size)
            found = _fold(_current(rank(tuple(hits), question.project or ""), read, leaves), groups)
            if len(hits) < size or len(found) > question.limit or size >= MOST_CANDIDATES:
                groups = found
                break
            size *= 4  # one page's passages may be all that a search brings
    return groups


def _current(
    ranked: Sequence[Ranked], read: Callable[[PagePath], bytes], leaves: dict[PagePath, Leaf | None]
) -> Iterator[tuple[Ranked, Leaf]]:
    """Each hit with its page as it is on disk, but for hits whose page has moved on or can't be read (None)."""
    for found in ranked:
        path = found.hit.path
        if path not in leaves:
            try:
                leaves[path] = Leaf.of(path, read(path), found.hit.language)
            except (PageNotFound, BadPath, Broken):
                leaves[path] = None
        leaf = leaves[path]
        if leaf is not None and leaf.version == found.hit.version:
            yield found, leaf


def _fold(candidates: Iterator[tuple[Ranked, Leaf]], before: Sequence[_Group]) -> list[_Group]:
    """The groups so far and new ones: near-copies under the best of them, and the best passages of each page."""
    groups = [replace(group, copies=[*group.copies]) for group in before]
    for ranked, leaf in candidates:
        found = ranked.hit
        shape = shingles("\n".join(leaf.between(found.first_line, found.last_line)) or found.title)
        twin = next((g for g in groups if is_near_copy(shape, g.shape)), None)
        if twin is not None:
            if found.path not in {twin.leaf.path, *twin.copies}:
                twin.copies.append(found.path)
        elif sum(group.leaf.path == found.path for group in groups) < PASSAGES_A_PAGE:
            groups.append(_Group(ranked, leaf, shape, []))
    return groups


def _pack(groups: Sequence[_Group], question: Question, budget: int, words: Words) -> list[Hit]:
    """As many groups as fit, best first; one too large is narrowed, or passed over for smaller ones after it."""
    wanted = words.forms(question.text)
    left = budget
    hits: list[Hit] = []
    for group in groups:
        if len(hits) == question.limit or left < LEAST_QUOTE:
            break
        found = group.ranked.hit
        head = tokens(f"{found.path} {' > '.join(found.headings)}")
        said = quote(group.leaf, found.first_line, found.last_line, wanted, left - head)
        if said is not None:
            why = words.explain(found, question.text) if question.explains else ()
            hits.append(_hit(group, said, head + tokens(said.text), why))
            left -= hits[-1].tokens
    return hits


def _hit(group: _Group, said: Quote, size: int, why: tuple[tuple[str, float], ...]) -> Hit:
    found = group.ranked.hit
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
        fact=said.fact,
        text=said.text,
        score=group.ranked.score,
        words=why,
        weights=group.ranked.weights,
        copies=tuple(group.copies),
        tokens=size,
    )
