"""What the word index keeps of pages and passages, as values again: the way back from `records`. Pure."""

import json
from datetime import datetime

from memory_wiki.index.entries import PageEntry, WordHit


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
