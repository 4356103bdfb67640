"""How much a hit counts beside its words. Pure: few numbers, each named, each shown by `--why`."""

from dataclasses import dataclass

from memory_wiki.index.words import WordHit
from memory_wiki.page.place import is_archived

PROJECT_WEIGHT = 1.2
"""For a page of the project one stands in: ahead of an equal one from elsewhere, not of a clearly better one."""
LAST = frozenset({"superseded", "archived"})


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit with its score and the parts that made it: `score` is the product of `parts`."""

    hit: WordHit
    score: float
    parts: tuple[tuple[str, float], ...]
    is_last: bool


def rank(hits: tuple[WordHit, ...], project: str) -> list[Ranked]:
    """Best first; what is superseded or archived comes after all the rest. Independent of the order of `hits`."""
    ranked = [_ranked(hit, project) for hit in hits]
    return sorted(ranked, key=lambda r: (r.is_last, -r.score, r.hit.path, r.hit.ordinal))


def _ranked(hit: WordHit, project: str) -> Ranked:
    parts = [("words", hit.score)]
    if project and hit.project == project:
        parts.append(("project", PROJECT_WEIGHT))
    score = 1.0
    for _, weight in parts:
        score *= weight
    return Ranked(hit, score, tuple(parts), hit.status in LAST or is_archived(hit.path))
