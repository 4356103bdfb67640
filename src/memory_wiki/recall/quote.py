"""What of a passage is quoted: the lines as they stand in the file, narrowed to a budget. Pure."""

from collections.abc import Collection
from dataclasses import dataclass

from memory_wiki.index.analyze import terms
from memory_wiki.page.facts import Fact
from memory_wiki.page.page import Page
from memory_wiki.recall.tokens import tokens


@dataclass(frozen=True, slots=True)
class Quote:
    """Lines `first_line` to `last_line` (1-based, of the file); `fact` is the id of the best answer, or ""."""

    text: str
    first_line: int
    last_line: int
    fact: str


def quote(page: Page, first_line: int, last_line: int, wanted: Collection[str], budget: int) -> Quote | None:
    """The passage, or as many whole lines around its best line as fit in `budget` tokens; None where not one fits."""
    lines = page.lines[first_line - 1 : last_line]
    facts = [fact for fact in page.facts if first_line <= fact.line <= last_line]
    best = _best_fact(facts, wanted)
    if tokens("\n".join(lines)) <= budget:
        return _trimmed(lines, first_line, best)
    middle = best.line - first_line if best else _best_line(lines, wanted)
    start, end = _grown(lines, middle, budget)
    if start == end:
        return None
    inside = best if best and start <= best.line - first_line < end else None
    return _trimmed(lines[start:end], first_line + start, inside)


def _trimmed(lines: list[str], first_line: int, fact: Fact | None) -> Quote:
    while lines and not lines[0].strip():
        lines, first_line = lines[1:], first_line + 1
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return Quote("\n".join(lines), first_line, first_line + max(len(lines) - 1, 0), fact.id if fact else "")


def _best_fact(facts: list[Fact], wanted: Collection[str]) -> Fact | None:
    """The fact that holds most of the wanted terms, the earlier of equals; None where none holds any."""
    best = max(facts, key=lambda fact: _shared(fact.text, wanted), default=None)
    return best if best and _shared(best.text, wanted) else None


def _best_line(lines: list[str], wanted: Collection[str]) -> int:
    return max(range(len(lines)), key=lambda n: _shared(lines[n], wanted))


def _shared(text: str, wanted: Collection[str]) -> int:
    return len(set(terms(text)) & set(wanted))


def _grown(lines: list[str], middle: int, budget: int) -> tuple[int, int]:
    """The widest run of lines around `middle` within the budget: half-open, empty where that line alone is too much."""
    start = end = middle
    used = 0
    while True:
        options = [n for n in (end, start - 1) if 0 <= n < len(lines)]
        fitting = [n for n in options if used + tokens(lines[n]) + 1 <= budget]
        if not fitting or (start == end and middle not in fitting):
            return start, end
        used += tokens(lines[fitting[0]]) + 1
        start, end = (start, end + 1) if fitting[0] == end else (start - 1, end)
