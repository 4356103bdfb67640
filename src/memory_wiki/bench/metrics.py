"""How good a ranking is, how well a score tells two kinds apart, and how sure of it one can be. Pure.

A ranking is ids, best first, none twice; gold is the ids that answer, one at least.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

RESAMPLES = 1_000
SEED = 20_261_130
OUTSIDE = 0.025  # at each end of an interval of 95 %


def any_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if something that answers is among the first `k`."""
    return float(not set(gold).isdisjoint(ranking[:k]))


def all_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """1 if all that answers is among the first `k`."""
    return float(set(gold) <= set(ranking[:k]))


def recall_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """The share of what answers that is among the first `k`."""
    wanted = set(gold)
    return len(wanted & set(ranking[:k])) / len(wanted)


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """1 by the rank, from 1 on, of the first that answers; 0 where none does. Its mean is MRR."""
    return next((1 / rank for rank, id_ in enumerate(ranking, 1) if id_ in gold), 0.0)


def ndcg_at(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain, of what answers or does not (Järvelin and Kekäläinen, TOIS 2002)."""
    gained = sum(1 / math.log2(rank + 1) for rank, id_ in enumerate(ranking[:k], 1) if id_ in gold)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(set(gold))) + 1))


def auroc(high: Sequence[float], low: Sequence[float]) -> float:
    """The chance that one of `high` is above one of `low`, ties counted half (Hanley and McNeil, 1982)."""
    ranked = sorted([(value, True) for value in high] + [(value, False) for value in low])
    total, start = 0.0, 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end][0] == ranked[start][0]:
            end += 1
        total += (start + 1 + end) / 2 * sum(is_high for _, is_high in ranked[start:end])  # of equals, the mean rank
        start = end
    return (total - len(high) * (len(high) + 1) / 2) / (len(high) * len(low))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the ends of its 95 % interval, by the percentiles of a bootstrap (Efron, 1979)."""

    value: float
    low: float
    high: float


def mean(values: Sequence[float], seed: int = SEED) -> Estimate:
    """Of one value or more."""
    return _bootstrapped(lambda chance: fmean(chance.choices(values, k=len(values))), fmean(values), seed)


def separation(high: Sequence[float], low: Sequence[float], seed: int = SEED) -> Estimate:
    """The AUROC of two samples, each of one value or more."""

    def again(chance: Random) -> float:
        return auroc(chance.choices(high, k=len(high)), chance.choices(low, k=len(low)))

    return _bootstrapped(again, auroc(high, low), seed)


def percentile(values: Sequence[float], percent: float) -> float:
    """By nearest rank: of 100 values the 95th percentile is the sixth largest."""
    return sorted(values)[max(math.ceil(len(values) * percent / 100), 1) - 1]


def _bootstrapped(again: Callable[[Random], float], value: float, seed: int) -> Estimate:
    chance = Random(seed)  # noqa: S311 - nothing secret, and the same each time
    found = sorted(again(chance) for _ in range(RESAMPLES))
    outside = int(RESAMPLES * OUTSIDE)
    return Estimate(value, found[outside], found[-1 - outside])
