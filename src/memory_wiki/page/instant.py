"""Instants as people and YAML write them, read as aware UTC datetimes."""

import re
from datetime import UTC, date, datetime

_GIVEN = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{2}:[0-9]{2}))?"
)


def instant(value: object) -> datetime | None:
    """A datetime, date, or ISO 8601 text (`2026-11-30`, `2026-11-30T12:00Z`) in UTC; None where it is no instant.

    A date is its first moment; a time without zone counts as UTC.
    """
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return None
    if isinstance(value, datetime):
        return _in_utc(value)
    return datetime(value.year, value.month, value.day, tzinfo=UTC) if isinstance(value, date) else None


def given(text: str) -> datetime | date | None:
    """A date as `2026-11-30`, or a time with its zone as RFC 3339 writes it; None for any other text."""
    if not _GIVEN.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text.upper()) if len(text) > len("2026-11-30") else date.fromisoformat(text)
    except ValueError:
        return None


def _in_utc(moment: datetime) -> datetime | None:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # the first and last day that there is, in another zone
        return None
