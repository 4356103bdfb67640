"""Which figures are told of which dataset, and whether turns or sessions are counted. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from memory_wiki.bench import metrics

Metric = Callable[[Sequence[str], Sequence[str]], float]


class Level(StrEnum):
    """What is counted as found."""

    TURN = "turn"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure, of a ranking and of what answers, both at one level."""

    name: str
    level: Level
    of: Metric


def _turn(name: str, of: Metric) -> Measure:
    return Measure(name, Level.TURN, of)


def _session(name: str, of: Metric, what: str = "session ") -> Measure:
    return Measure(f"{what}{name}", Level.SESSION, of)


def _any(k: int) -> Metric:
    return partial(metrics.any_at, k=k)


def _all(k: int) -> Metric:
    return partial(metrics.all_at, k=k)


_PAGES = (
    _session("R@1", _any(1), "page "),
    _session("R@5", _any(5), "page "),
    _session("MRR", metrics.reciprocal_rank, "page "),
)
MEASURES: dict[str, tuple[Measure, ...]] = {
    "locomo": (
        _turn("any@5", _any(5)),
        _turn("any@10", _any(10)),
        _turn("all@5", _all(5)),
        _turn("all@10", _all(10)),
        _turn("MRR", metrics.reciprocal_rank),
        _turn("nDCG@10", partial(metrics.ndcg_at, k=10)),
        _session("any@5", _any(5)),
        _session("all@5", _all(5)),
    ),
    "beam": (
        _turn("recall@10", partial(metrics.recall_at, k=10)),
        _turn("MRR", metrics.reciprocal_rank),
        _turn("any@10", _any(10)),
        _turn("nDCG@10", partial(metrics.ndcg_at, k=10)),
    ),
    "longmemeval": (
        _session("any@5", _any(5)),
        _session("all@5", _all(5)),
        _session("MRR", metrics.reciprocal_rank),
    ),
    "xquad": _PAGES,
    "questions": _PAGES,
}
"""The first of them says the level at which evidence is counted besides."""
