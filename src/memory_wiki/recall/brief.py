"""What of all that a session might know fits into its brief. Pure: candidates and a budget in, those that fit out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.tokens import tokens

SHARES: dict[str, float] = {
    "project": 0.1,
    "pinned": 0.25,
    "asked for from now on": 0.25,
    "open handoffs": 0.15,
    "to be reviewed": 0.05,
    "decisions": 0.2,
    "last sessions": 0.1,
    "also": 0.0,
}
"""Sections in their order, each with the part of the budget that it has before the others; what it leaves is theirs, in
the same order. So a hundred pinned pages leave room for the decisions, and nothing is left empty for a section that is.
"""


@dataclass(frozen=True, slots=True)
class BriefItem:
    """One page of a section, or what a passage of it asks for."""

    section: str
    path: PagePath
    version: Version
    title: str
    type: str
    status: str
    at: datetime
    text: str

    @property
    def tokens(self) -> int:
        return tokens(f"{self.path} {self.title}\n{self.text}\n")


@dataclass(frozen=True, slots=True)
class Brief:
    """What a session should know now, of at most `budget` tokens; `left_out` is how many candidates had no room."""

    project: str
    items: tuple[BriefItem, ...]
    tokens: int
    budget: int
    left_out: int


def packed(project: str, candidates: Iterable[BriefItem], budget: int) -> Brief:
    """By sections, in each as the candidates come; a page counts in the first section that it comes in."""
    once: dict[tuple[PagePath, str], BriefItem] = {}
    seen: set[PagePath] = set()
    for item in sorted(candidates, key=_section):
        if item.path not in seen or (item.section == "asked for from now on" and (item.path, item.text) not in once):
            seen.add(item.path)
            once[item.path, item.text] = item
    every = list(once.values())
    taken = _taken(every, budget)
    items = tuple(item for item in every if id(item) in taken)
    return Brief(project, items, sum(item.tokens for item in items), budget, len(every) - len(items))


def _section(item: BriefItem) -> int:
    return list(SHARES).index(item.section)


def _taken(items: Sequence[BriefItem], budget: int) -> set[int]:
    """The ids of those that fit: first within the shares, then in what these left."""
    taken: set[int] = set()
    left = budget
    for section, share in SHARES.items():
        own = share * budget
        for item in (each for each in items if each.section == section):
            if item.tokens <= min(own, left):
                taken.add(id(item))
                own -= item.tokens
                left -= item.tokens
    for item in items:
        if id(item) not in taken and item.tokens <= left:
            taken.add(id(item))
            left -= item.tokens
    return taken
