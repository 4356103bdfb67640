"""What of a passage is quoted: lines as they stand in the file, narrowed to a budget. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from memory_wiki.index.analyze import Groups, terms
from memory_wiki.page.path import Version, version_of
from memory_wiki.page.text import lines_of
from memory_wiki.recall.tokens import BYTES_PER_TOKEN, tokens

if TYPE_CHECKING:
    from memory_wiki.page.facts import Fact

T = TypeVar("T")
CUT = "…"  # stands where a line goes on
_CATEGORY = re.compile(r"\[[^\[\]\s]{2,64}\][ \t]")  # no line without one is a fact
_ID = re.compile(r"\^[A-Za-z0-9-]")  # no fact without one has an id
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines `first_line` to `last_line` (1-based, of the file); `fact` is the id of the best among them, or ""."""

    text: str
    first_line: int
    last_line: int
    fact: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A page's file, hashed and cut into lines once; what else it says is looked up only where an answer needs it."""

    version: Version
    lines: tuple[str, ...]
    language: str

    @staticmethod
    def of(data: bytes, language: str) -> "Leaf":
        return Leaf(version_of(data), tuple(lines_of(data)), language)

    def between(self, first_line: int, last_line: int) -> tuple[str, ...]:
        return self.lines[first_line - 1 : last_line]


def quote(leaf: Leaf, first_line: int, last_line: int, wanted: Groups, budget: int) -> Quote | None:
    """The passage, or what fits in `budget` tokens around its best line: lines, else sentences, else words of it.

    None where nothing fits.
    """
    lines = leaf.between(first_line, last_line)
    text = "\n".join(lines)
    is_whole = tokens(text) <= budget
    if is_whole and not _ID.search(text):
        return _trimmed(lines, first_line, "")
    fact = _best(_facts(text, first_line), lambda fact: fact.text, wanted, leaf.language)
    if is_whole:
        return _trimmed(lines, first_line, fact.id if fact else "")
    middle = fact.line - first_line if fact else lines.index(_best(lines, str, wanted, leaf.language) or lines[0])
    start, end = _grown(lines, middle, budget)
    if start == end:
        part = _part_of(lines[middle], wanted, leaf.language, budget)
        return Quote(part, first_line + middle, first_line + middle, fact.id if fact else "") if part else None
    return _trimmed(lines[start:end], first_line + start, fact.id if fact else "")


def _facts(text: str, first_line: int) -> "Sequence[Fact]":
    """Those of a passage, read by itself: a long page costs far more. Some of them may be examples in code."""
    if not _CATEGORY.search(text):
        return ()
    from memory_wiki.page import facts
    from memory_wiki.page.markup import scan

    text = text.lstrip(" \t")  # else a passage that begins amid a nested list would begin with code
    return facts.find(scan(text, first_line), text)


def _best(options: Sequence[T], text_of: Callable[[T], str], wanted: Groups, language: str) -> T | None:
    """The option that holds most of the wanted words, the earliest of equals; None where none holds any."""
    held = [set(terms(text_of(option), language)) for option in options]
    shared = [sum(not forms.isdisjoint(word) for word in wanted) for forms in held]
    return options[shared.index(max(shared))] if any(shared) else None


def _trimmed(lines: Sequence[str], first_line: int, fact: str) -> Quote:
    """Without blank lines at either end."""
    full = [number for number, line in enumerate(lines) if line.strip()] or [0]
    start, end = full[0], full[-1] + 1
    return Quote("\n".join(lines[start:end]), first_line + start, first_line + end - 1, fact)


def _grown(pieces: Sequence[str], middle: int, budget: int) -> tuple[int, int]:
    """The widest run around `middle` within the budget: half-open, empty where that piece alone is too much."""
    start, end, used = middle, middle, 0
    while True:
        options = [end] if start == end else [end, start - 1]
        fitting = [n for n in options if 0 <= n < len(pieces) and used + tokens(pieces[n]) + 1 <= budget]
        if not fitting:
            return start, end
        used += tokens(pieces[fitting[0]]) + 1
        start, end = (start, end + 1) if fitting[0] == end else (start - 1, end)


def _part_of(line: str, wanted: Groups, language: str, budget: int) -> str:
    """Whole sentences of a line too long for the budget, or the first words of the best one; cuts are marked."""
    sentences = [sentence for sentence in _SENTENCE_END.split(line) if sentence.strip()]
    if not sentences:
        return ""
    middle = sentences.index(_best(sentences, str, wanted, language) or sentences[0])
    start, end = _grown(sentences, middle, budget - 2)
    if start == end:
        short = sentences[middle].encode()[: max(budget - 2, 0) * BYTES_PER_TOKEN].decode("utf-8", "ignore")
        words = short.rsplit(" ", 1)[0] if " " in short else short
        return f"{words} {CUT}" if words.strip() else ""
    said = " ".join(sentences[start:end])
    return f"{CUT} " * (start > 0) + said + f" {CUT}" * (end < len(sentences))
