"""Recall: passages that answer a question, quoted from the files. Never writes a page, and never misquotes.

A hit whose file no longer has the version that was indexed is dropped rather than quoted.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.analyze import terms
from memory_wiki.index.entries import Filter
from memory_wiki.index.words import Words
from memory_wiki.page.page import Page, parse
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.likeness import is_near_copy, shingles
from memory_wiki.recall.quote import Quote, quote
from memory_wiki.recall.rank import Ranked, rank
from memory_wiki.recall.tokens import tokens

EVERYTHING = Filter()
CANDIDATES = 60  # passages weighed for an answer of ten: room for near-copies and for pages that moved on
PASSAGES_A_PAGE = 3  # of one page, so that one long page does not fill an answer
LEAST_QUOTE = 16  # tokens left in a budget below which nothing worth reading fits


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where from, and how much of an answer is wanted: `budget` in tokens, `limit` in hits."""

    text: str
    filter: Filter = EVERYTHING
    project: str = ""
    budget: int = 2000
    limit: int = 10


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


@dataclass(slots=True)
class _Group:
    """A passage and its near-copies, best first."""

    ranked: Ranked
    page: Page
    shape: frozenset[tuple[str, ...]]
    copies: list[PagePath]


def recall(question: Question, words: Words, read: Callable[[PagePath], bytes]) -> Answer:
    """The answer to a question; `read` gives a page's bytes as they are on disk."""
    hits = words.search(question.text, question.filter, CANDIDATES)
    ranked = rank(tuple(hits), question.project)
    groups = _fold(_current(ranked, read))
    chosen = _pack(groups, question, words)
    return Answer(
        question.text,
        tuple(chosen),
        sum(hit.tokens for hit in chosen),
        question.budget,
        len(groups) - len(chosen),
    )


def _current(ranked: Sequence[Ranked], read: Callable[[PagePath], bytes]) -> Iterator[tuple[Ranked, Page]]:
    """Each hit with its page as it is on disk, but for hits whose page has moved on or can't be read."""
    pages: dict[PagePath, Page | None] = {}
    for found in ranked:
        path = found.hit.path
        if path not in pages:
            try:
                pages[path] = parse(path, read(path))
            except (PageNotFound, BadPath, Broken):
                pages[path] = None
        page = pages[path]
        if page is not None and page.version == found.hit.version:
            yield found, page


def _fold(found: Iterator[tuple[Ranked, Page]]) -> list[_Group]:
    """Groups near-copies under the best of them, and keeps the best passages of each page."""
    groups: list[_Group] = []
    for ranked, page in found:
        shape = shingles("\n".join(page.lines[ranked.hit.first_line - 1 : ranked.hit.last_line]) or page.title)
        twin = next((g for g in groups if is_near_copy(shape, g.shape) and g.ranked.is_last == ranked.is_last), None)
        if twin is not None:
            if page.path != twin.page.path and page.path not in twin.copies:
                twin.copies.append(page.path)
        elif sum(group.page.path == page.path for group in groups) < PASSAGES_A_PAGE:
            groups.append(_Group(ranked, page, shape, []))
    return groups


def _pack(groups: Sequence[_Group], question: Question, words: Words) -> list[Hit]:
    """As many groups as fit, best first; one too large is narrowed, or passed over for smaller ones after it."""
    wanted = frozenset(terms(question.text))
    left = question.budget
    hits: list[Hit] = []
    for group in groups:
        if len(hits) == question.limit or left < LEAST_QUOTE:
            break
        found = group.ranked.hit
        head = tokens(f"{group.page.path} {' > '.join(found.headings)}")
        said = quote(group.page, found.first_line, found.last_line, wanted, left - head)
        if said is not None:
            hits.append(_hit(group, said, head + tokens(said.text), words, question.text))
            left -= hits[-1].tokens
    return hits


def _hit(group: _Group, said: Quote, size: int, words: Words, text: str) -> Hit:
    found, page = group.ranked.hit, group.page
    return Hit(
        path=page.path,
        title=page.title,
        type=page.type,
        status=page.status if not group.ranked.is_last or page.status != "active" else "archived",
        project=found.project,
        headings=found.headings,
        first_line=said.first_line,
        last_line=said.last_line,
        version=page.version,
        fact=said.fact,
        text=said.text,
        score=group.ranked.score,
        words=words.explain(found, text),
        weights=group.ranked.weights,
        copies=tuple(group.copies),
        tokens=size,
    )
