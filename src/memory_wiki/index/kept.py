"""What the word index keeps of a page: the records that `records` makes, and the way back from them. Pure."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeVar

from memory_wiki.index.entries import PageEntry, WordHit
from memory_wiki.page.path import PagePath, Version

T = TypeVar("T")

OF_BOTH = tuple(name for name in PageEntry.__slots__ if name in WordHit.__slots__)
"""What a page's entry and its hits have in common, the first fields of both: kept once, as JSON costs a tenth of
preparing a page."""
_TIMES = tuple(OF_BOTH.index(name) for name in ("changed", "created"))


@dataclass(frozen=True, slots=True)
class Record:
    """One passage as the index takes it in; `page` only with a page's first passage."""

    keys: list[str]
    terms: Mapping[str, str]
    changed: int
    told: int
    mark: int
    hit: bytes
    page: bytes


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page's records, and which page, in which version, they were made of."""

    path: PagePath
    version: Version
    records: tuple[Record, ...]


def moment(time: datetime) -> int:
    """Microseconds since 1970."""
    return round(time.timestamp() * 1_000_000)


def kept_page(data: bytes) -> PageEntry:
    return PageEntry(*_revived(data))


def kept_hit(data: bytes, score: float = 0.0) -> WordHit:
    """A recall reads some 300 of them: by place, as by name it takes three times as long."""
    return WordHit(*[*_revived(data), score])


def _revived(data: bytes) -> list[Any]:
    """The values of an entry or a hit in the order of its fields; JSON knows no tuples and no times."""
    values: list[Any] = [tuple(value) if type(value) is list else value for value in json.loads(data)]
    for place in _TIMES:
        if values[place]:
            values[place] = datetime.fromisoformat(values[place])
    return values


def evenly(marked: Sequence[tuple[float, T]], most: int) -> list[T]:
    """Of what comes with its mark no more than `most`: the first of each mark, then the second, and so on, lest a text
    that hundreds of pages say hide others.
    """
    counts: Counter[float] = Counter()
    turns: list[tuple[int, T]] = []
    for mark, one in marked:
        turns.append((counts[mark], one))
        counts[mark] += 1
    return [one for _, one in sorted(turns, key=itemgetter(0))[:most]]
