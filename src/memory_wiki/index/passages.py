"""A page cut into passages: the pieces that are found, ranked and quoted.

Pure. Every line of the body that is not blank lies in exactly one passage, but for a line too long for one, which
several passages share. Front matter lies in none.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory_wiki.index.language import language_of
from memory_wiki.page.elements import Heading, Span
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath

PASSAGE_CHARS = 1_200  # some 300 tokens: a budget holds several, and an embedding model takes one whole
CODE_CHARS = 4_000  # a fenced block is cut only beyond this size
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a page's body. Lines are 1-based and count the whole file; `headings` leads from the outermost to its own."""

    path: PagePath
    ordinal: int
    headings: tuple[str, ...]
    first_line: int
    last_line: int
    text: str
    language: str
    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines that belong together; `text` is what of them it holds."""

    first_line: int
    last_line: int
    text: str


def passages(page: Page) -> tuple[Passage, ...]:
    """The passages of `page` in order, at least one: a page without text is still found by its title."""
    lines = page.readable.split("\n")
    offset = 1 + page.text[: page.body_start].count("\n")
    pieces = [
        (headings, piece)
        for headings, blocks in _sections(page.markup.blocks, page.markup.headings)
        for piece in _packed(blocks, lines, offset)
    ] or [((), _Piece(offset, offset, ""))]
    language = language_of(page.readable, page.language)
    return tuple(
        Passage(
            path=page.path,
            ordinal=ordinal,
            headings=headings,
            first_line=piece.first_line,
            last_line=piece.last_line,
            text=piece.text,
            language=language,
            facts=tuple(f.id for f in page.facts if f.id and piece.first_line <= f.line <= piece.last_line),
        )
        for ordinal, (headings, piece) in enumerate(pieces)
    )


def _sections(blocks: Iterable[Span], headings: Iterable[Heading]) -> Iterator[tuple[tuple[str, ...], list[Span]]]:
    """Blocks by the heading they stand under; a heading with nothing before a deeper one goes with that one."""
    by_line = {heading.line: heading for heading in headings}
    trail: list[Heading] = []
    section: list[Span] = []
    bare = True
    for block in blocks:
        heading = by_line.get(block.first_line) if block.kind == "heading" else None
        if heading is None:
            bare = False
        elif not (bare and trail and trail[-1].level < heading.level):
            if section:
                yield tuple(h.text for h in trail), section
            section, bare = [], True
        if heading is not None:
            trail = [*(h for h in trail if h.level < heading.level), heading]
        section.append(block)
    if section:
        yield tuple(h.text for h in trail), section


def _packed(blocks: Iterable[Span], lines: list[str], offset: int) -> Iterator[_Piece]:
    """Pieces as large as `PASSAGE_CHARS` lets them be."""
    held: list[_Piece] = []
    for block in blocks:
        for piece in _cut(block, lines, offset):
            if held and sum(len(p.text) + 1 for p in held) + len(piece.text) > PASSAGE_CHARS:
                yield _joined(held, lines, offset)
                held = []
            held.append(piece)
    if held:
        yield _joined(held, lines, offset)


def _joined(pieces: list[_Piece], lines: list[str], offset: int) -> _Piece:
    if len(pieces) == 1:
        return pieces[0]
    first, last = pieces[0].first_line, pieces[-1].last_line
    return _Piece(first, last, "\n".join(lines[first - offset : last - offset + 1]))


def _cut(block: Span, lines: list[str], offset: int) -> Iterator[_Piece]:
    span = lines[block.first_line - offset : block.last_line - offset + 1]
    yield _Piece(block.first_line, block.last_line, "\n".join(span))
