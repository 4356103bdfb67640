"""A page cut into passages: the pieces that are found, ranked and quoted.

Pure. Each line of the body that is not blank lies in exactly one passage, but for a line too long for one, which
several share. Front matter lies in none, nor the unscanned rest of a page larger than `MAX_BYTES`. Only what is
larger than a passage alone is cut: a list between items, any other block between lines, a line between words.
A conversation is cut by turns, so that what one said is found, and not what was said around it.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory_wiki.index.entries import MODELS
from memory_wiki.index.language import language_of
from memory_wiki.page.elements import Heading, Span
from memory_wiki.page.facts import Fact
from memory_wiki.page.page import MAX_BYTES, Page
from memory_wiki.page.path import PagePath

PASSAGE_CHARS = 1_200
"""Some 300 tokens: an answer's budget holds several, and a small embedding model takes one whole."""

CODE_CHARS = 4_000
"""Up to here a fenced block stays whole."""

DIALOGUES = frozenset({"session", "conversation", "chat", "transcript"})
"""Types of page in which a paragraph that begins with `**Somebody:**` is a turn of a conversation."""

PERSONS = frozenset({"user", "human", "me", "i", "you"})
"""Who speaks in a conversation with a model and is a person, where no name is given."""

_SPEAKER = re.compile(r"\*\*(?P<name>[^*\n:]{1,60}):?\*\*:?(?=\s|$)")
_WORDS = re.compile(rf"\S.{{0,{PASSAGE_CHARS - 1}}}(?=\s|$)|\S{{{PASSAGE_CHARS}}}")
_FENCE = re.compile(r"[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)*(```|~~~)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a page. Lines are 1-based in the whole file; `headings` lead from the outermost to its own.

    `speaker` is who says it in a conversation, "" elsewhere.
    """

    path: PagePath
    ordinal: int
    headings: tuple[str, ...]
    first_line: int
    last_line: int
    text: str
    language: str
    facts: tuple[str, ...]
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block, or a part of one, or several."""

    first_line: int
    last_line: int
    text: str
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class _Section:
    """Blocks under the same headings, said by the same person at one go.

    `since` is the line of the headings that stand right above a conversation's first turn, 0 elsewhere: they are quoted
    with it, and are nothing that anybody said.
    """

    headings: tuple[str, ...]
    speaker: str
    blocks: list[Span]
    since: int = 0

    def first_line(self, piece: _Piece) -> int:
        return self.since if self.since and piece.first_line == self.blocks[0].first_line else piece.first_line


def passages(page: Page, unsure: str = "") -> tuple[Passage, ...]:
    """The passages of `page` in order, one at least: a page without text is still found by its title.

    `unsure` is the language it is taken for where its own can't be told.
    """
    lines, readable = page.lines, page.readable
    body = readable.split("\n")
    top = len(lines) - len(body) + 1
    rest = _unscanned(page.markup.blocks, body, top) if len(page.data) <= MAX_BYTES else ()
    blocks = [*page.markup.blocks, *rest]
    turns = _turns(blocks, lines) if page.type in DIALOGUES else {}
    pieces = [
        (section, piece)
        for section in _sections(blocks, page.markup.headings, turns)
        for piece in _packed(piece for block in section.blocks for piece in _cut(block, lines))
    ]
    language = language_of(readable, page.language) or unsure
    facts = [fact for fact in page.facts if fact.id]
    return tuple(
        Passage(
            path=page.path,
            ordinal=ordinal,
            headings=section.headings,
            first_line=section.first_line(piece),
            last_line=piece.last_line,
            text=piece.text,
            language=language,
            facts=tuple(fact.id for fact in _within(facts, piece)),
            speaker=section.speaker,
        )
        for ordinal, (section, piece) in enumerate(pieces or [(_Section((), "", []), _Piece(top, top, ""))])
    )


def said(passage: Passage) -> str:
    """What a turn says from its beginning on, without who says it; "" of what only goes on with one."""
    found = _SPEAKER.match(passage.text) if passage.speaker else None
    return passage.text[found.end() :] if found else ""


def _within(facts: Sequence[Fact], piece: _Piece) -> Sequence[Fact]:
    first = bisect_left(facts, piece.first_line, key=lambda fact: fact.line)
    return facts[first : bisect_right(facts, piece.last_line, key=lambda fact: fact.line)]


def _unscanned(blocks: Sequence[Span], body: list[str], top: int) -> Iterator[Span]:
    """The rest of a page so long that only its beginning was scanned; `top` is the number of the body's first line."""
    after = blocks[-1].last_line if blocks else top - 1
    if any(line.strip("\ufeff \t") for line in body[after - top + 1 :]):
        yield Span("paragraph", after + 1, top + len(body) - 1)


def _turns(blocks: Iterable[Span], lines: list[str]) -> dict[int, str]:
    """The lines at which somebody begins to speak, and who."""
    begun = ((block, _SPEAKER.match(lines[block.first_line - 1])) for block in blocks if block.kind == "paragraph")
    labelled = {block.first_line: found["name"].strip() for block, found in begun if found}
    speakers = _speakers([*labelled.values()])
    return {line: label for line, label in labelled.items() if label in speakers}


def _speakers(labels: Sequence[str]) -> frozenset[str]:
    """Who of the labels speaks: `**Step 2:**` within what somebody says is no turn.

    Where there are roles, such as user and assistant, they alone do; else who speaks first, and who often does. Where a
    model answers people by name, who often does right before it.
    """
    roles = frozenset(label for label in labels if label.casefold() in MODELS | PERSONS)
    if any(label.casefold() in PERSONS for label in roles):
        return roles
    named = [one for one, after in pairwise(labels) if after in roles and one not in roles] if roles else labels
    first = named[:1] if roles.issuperset(labels[:1]) else labels[:1]
    counts = Counter(named)
    often = max(2.0, max(counts.values(), default=0) / 4)
    return roles.union(first, (label for label, count in counts.items() if count >= often))


def _sections(blocks: Iterable[Span], headings: Iterable[Heading], turns: Mapping[int, str]) -> Iterator[_Section]:
    """Blocks by the headings they stand under. A heading with nothing before a deeper one goes with that.

    A turn stands under those that the conversation stands under: what somebody wrote as a heading is theirs alone.
    """
    by_line = {heading.line: heading for heading in headings}
    first_turn = min(turns, default=0)
    above = [heading for line, heading in by_line.items() if line < first_turn]
    trail: list[Heading] = []
    section: list[Span] = []
    speaker, since = "", 0
    for block in blocks:
        heading = by_line.get(block.first_line) if block.kind == "heading" else None
        if heading or block.first_line in turns:
            is_bare = heading and section and section[-1].kind == "heading" and trail[-1].level < heading.level
            is_above = not (heading or speaker) and all(one.kind == "heading" for one in section)
            if section and not (is_bare or is_above):
                yield _Section(tuple(one.text for one in trail), speaker, section, since)
                section, since = [], 0
            if heading:
                trail = [one for one in trail if one.level < heading.level] + [heading]
            else:
                since = section[0].first_line if section else 0
                section, speaker, trail = [], turns[block.first_line], _leading(above)
        section.append(block)
    if section:
        yield _Section(tuple(one.text for one in trail), speaker, section, since)


def _leading(headings: Iterable[Heading]) -> list[Heading]:
    """The trail that leads to what stands after all of `headings`."""
    trail: list[Heading] = []
    for heading in headings:
        trail = [one for one in trail if one.level < heading.level] + [heading]
    return trail


def _packed(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Neighbours together, as many as make a passage; a heading weighs nothing, so as to stay with what follows."""
    held: list[_Piece] = []
    size = 0
    for piece in pieces:
        weight = 0 if piece.is_heading else len(piece.text) + 1
        if size and size + weight > PASSAGE_CHARS:
            yield _joined(held)
            held, size = [], 0
        held.append(piece)
        size += weight
    if held:
        yield _joined(held)


def _joined(pieces: Sequence[_Piece]) -> _Piece:
    texts = [pieces[0].text]
    for before, piece in pairwise(pieces):
        texts += ["\n" * (piece.first_line - before.last_line), piece.text]
    return _Piece(pieces[0].first_line, pieces[-1].last_line, "".join(texts))


def _cut(block: Span, lines: list[str]) -> Iterator[_Piece]:
    """A block as it is, or the parts of one that is too large."""
    first, last = block.first_line, block.last_line
    text = "\n".join(lines[first - 1 : last])
    if len(text) <= (CODE_CHARS if block.kind == "code" else PASSAGE_CHARS):
        yield _Piece(first, last, text, is_heading=block.kind == "heading")
    elif first == last:
        yield from (_Piece(first, last, part) for part in _WORDS.findall(text))
    else:
        for part in block.items or _runs(block, lines):
            yield from _cut(part, lines)


def _runs(block: Span, lines: list[str]) -> Iterator[Span]:
    """A block by lines; those of a fenced block inside it together."""
    start, fence = block.first_line, ""
    for number in range(block.first_line, block.last_line + 1):
        mark = _FENCE.match(lines[number - 1]) if block.kind != "code" else None
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        if not fence:
            yield Span("paragraph" if start == number else "code", start, number)
            start = number + 1
    if fence:
        yield Span("code", start, block.last_line)
