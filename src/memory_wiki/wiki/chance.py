"""Ids for pages and facts, from the clock and the system's randomness; tests put their own in place."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

LETTERS = "abcdefghjkmnpqrstvwxyz0123456789"  # of a fact's id, a power of two; none that read alike


def _ulid(at: datetime) -> str:
    from ulid import ULID

    return str(ULID.from_datetime(at))


def _fact_id() -> str:
    from secrets import token_bytes  # 2 ms that only new facts need

    return "f" + "".join(LETTERS[byte % len(LETTERS)] for byte in token_bytes(4))


@dataclass(frozen=True, slots=True)
class Chance:
    """Where time and ids come from. Times are aware, in UTC; page ids are ULIDs, fact ids short block ids."""

    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    new_id: Callable[[datetime], str] = _ulid
    new_fact_id: Callable[[], str] = _fact_id
