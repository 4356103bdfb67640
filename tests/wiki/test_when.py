"""Dates as people give them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_wiki.errors import BadInput
from memory_wiki.wiki.when import end_of, start_of

NOW = datetime(2026, 11, 30, 14, 30, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("said", "start"),
    [
        ("2026-11-02", "2026-11-01T22:00:00+00:00"),
        ("20261102", "2026-11-01T22:00:00+00:00"),
        ("@{2026-11-02}", "2026-11-01T22:00:00+00:00"),
        ("2026-11-02T10:00", "2026-11-02T08:00:00+00:00"),
        ("2026-11-02 10:00", "2026-11-02T08:00:00+00:00"),
        ("2026-11-02T10:00Z", "2026-11-02T10:00:00+00:00"),
        ("today", "2026-11-29T22:00:00+00:00"),
        ("Yesterday", "2026-11-28T22:00:00+00:00"),
        ("now", "2026-11-30T12:30:00+00:00"),
        ("3 days ago", "2026-11-27T12:30:00+00:00"),
        ("1 week", "2026-11-23T12:30:00+00:00"),
        ("90 minutes ago", "2026-11-30T11:00:00+00:00"),
    ],
)
def test_a_date_is_an_instant_in_the_zone_of_who_says_it(said: str, start: str) -> None:
    assert start_of(said, NOW).isoformat() == start


def test_a_day_ends_at_its_last_instant_and_a_time_at_itself() -> None:
    assert end_of("2026-11-02", NOW) == datetime(2026, 11, 2, 21, 59, 59, 999999, tzinfo=UTC)
    assert end_of("2026-11-02T10:00Z", NOW) == datetime(2026, 11, 2, 10, tzinfo=UTC)


@pytest.mark.parametrize(
    "said", ["", "soon", "2026-13-01", "2026-02-30", "99999 years ago", "12", "-1 days ago", "0001-01-01"]
)
def test_what_is_no_date_is_refused_with_an_example(said: str) -> None:
    with pytest.raises(BadInput, match="2026-11-30"):
        start_of(said, NOW)
