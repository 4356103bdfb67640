"""How much a hit counts beside its words. Pure: few numbers, each named, each shown by `--why`."""

from dataclasses import dataclass
from math import prod

from memory_wiki.index.entries import WordHit

PROJECT_WEIGHT = 1.2
"""For a page of the project one stands in: ahead of an equal one from elsewhere, not of a clearly better one."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit with its score: that of its words, times `weights`."""

    hit: WordHit
    score: float
    weights: tuple[tuple[str, float], ...]


def rank(hits: tuple[WordHit, ...], project: str) -> list[Ranked]:
    """Best first, what is superseded or put away after all the rest. Independent of the order of `hits`."""
    ranked = [_ranked(hit, project) for hit in hits]
    return sorted(ranked, key=lambda r: (not r.hit.is_current, -r.score, r.hit.path, r.hit.ordinal))


def _ranked(hit: WordHit, project: str) -> Ranked:
    weights = (("project", PROJECT_WEIGHT),) if project and hit.project == project else ()
    score = hit.score * prod(weight for _, weight in weights)
    return Ranked(hit, score, weights)
