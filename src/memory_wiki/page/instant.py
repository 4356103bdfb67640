"""Instants as people and YAML write them, read as aware UTC datetimes."""

from datetime import UTC, date, datetime


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


def _in_utc(moment: datetime) -> datetime | None:
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # the first and last day that there is, in another zone
        return None
