"""What the word index keeps of a page: the records that `records` makes, and the way back from them. Pure."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import TypeVar

from memory_wiki.index.entries import PageEntry, WordHit
from memory_wiki.page.path import PagePath, Version

T = TypeVar("T")


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
    return PageEntry(**json.loads(data, object_hook=_revived))


def kept_hit(data: bytes) -> WordHit:
    return WordHit(**json.loads(data, object_hook=_revived))


def _revived(values: dict[str, object]) -> dict[str, object]:
    """JSON knows no tuples and no times."""
    for name, value in values.items():
        if isinstance(value, list):
            values[name] = tuple(value)
        elif name in {"changed", "created"} and isinstance(value, str):
            values[name] = datetime.fromisoformat(value)
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
