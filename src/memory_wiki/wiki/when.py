"""Dates as people give them on a command line. Pure; `now` is an argument."""

import re
from datetime import UTC, datetime, time, timedelta

from memory_wiki.errors import BadInput

LAST = datetime.max.replace(tzinfo=UTC)
_AGO = re.compile(r"(\d{1,5})\s*(minute|hour|day|week|month|year)s?(?:\s+ago)?")
_DAY = re.compile(r"\d{4}-?\d{2}-?\d{2}|\d{4}-?w\d{2}(-?\d)?")
_DAYS = {"minute": 1 / 1440, "hour": 1 / 24, "day": 1.0, "week": 7.0, "month": 30.0, "year": 365.0}


def start_of(text: str, now: datetime) -> datetime:
    """`2026-11-30`, `2026-11-30T12:00`, `today`, `yesterday`, `3 days ago`, with or without `@{…}` → aware UTC.

    A day is meant from its first instant; what names no zone is meant in that of `now`. Raises `BadInput`.
    """
    return _parse(text, now)[0]


def end_of(text: str, now: datetime) -> datetime:
    """The same, but a day is meant up to its last instant."""
    at, is_day = _parse(text, now)
    return at + min(timedelta(days=1) - timedelta(microseconds=1), LAST - at) if is_day else at


def _parse(text: str, now: datetime) -> tuple[datetime, bool]:
    """The instant, and whether it stands for a whole day."""
    said = text.strip().removeprefix("@").removeprefix("{").removesuffix("}").strip().casefold()
    try:
        if said == "now":
            return now.astimezone(UTC), False
        if said in {"today", "yesterday"}:
            day = now.date() - timedelta(days=said == "yesterday")
            return _local(datetime.combine(day, time()), now).astimezone(UTC), True
        if found := _AGO.fullmatch(said):
            return now.astimezone(UTC) - timedelta(days=int(found[1]) * _DAYS[found[2]]), False
        at = datetime.fromisoformat(said.upper())
        at = at if at.tzinfo else _local(at, now)
        return at.astimezone(UTC), _DAY.fullmatch(said) is not None
    except (ValueError, OverflowError):
        raise BadInput(
            f"{text!r} is no date; give one as 2026-11-30, 2026-11-30T14:00, yesterday or '3 days ago'"
        ) from None


def _local(at: datetime, now: datetime) -> datetime:
    """A time without a zone in the zone of `now`; where that is the machine's own, with the summer time of its day."""
    is_machines = now.utcoffset() == now.replace(tzinfo=None).astimezone().utcoffset()
    return at.astimezone() if is_machines else at.replace(tzinfo=now.tzinfo)
