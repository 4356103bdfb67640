"""How much a hit counts beside its words. Pure: few numbers, each named, each shown by `--why`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
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


def rank(hits: Iterable[WordHit], project: str) -> Iterator[Ranked]:
    """Best first, equals by path and place. Of `hits`, the best by words first, no more are taken than it needs."""
    most = PROJECT_WEIGHT if project else 1.0
    waiting: list[tuple[float, str, int, int, Ranked]] = []
    for number, hit in enumerate(hits):
        while waiting and -waiting[0][0] > most * hit.score:  # nothing still to come can pass it
            yield heappop(waiting)[-1]
        ranked = _ranked(hit, project)
        heappush(waiting, (-ranked.score, hit.path, hit.ordinal, number, ranked))
    while waiting:
        yield heappop(waiting)[-1]


def _ranked(hit: WordHit, project: str) -> Ranked:
    weights = (("project", PROJECT_WEIGHT),) if project and hit.project == project else ()
    score = hit.score * prod(weight for _, weight in weights)
    return Ranked(hit, score, weights)
