"""Where a text speaks of dates, and which range each means. Pure; `now` is an argument.

`tongues` says where a phrase begins and ends, dateparser what it means: the library alone takes `we` for Wednesday
and `a second` for a time, and knows a date's period but not its bounds. What can't be read is no date, never an error.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_wiki.recall.phrases import Role, counted, distance, finder, window
from memory_wiki.recall.tongues import TONGUES, Tongue, days_of

MOST_DATES = 12
"""Of a text, so that one full of dates takes no longer than a question."""
Span = tuple[datetime, datetime]
"""The first instant, and the first one after the end; without a zone, as a clock on the wall shows them."""

_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_FOUR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_QUARTER = re.compile(r"q([1-4])\D+(\d{4})")
_LAST = re.compile(r"last|past|previous|letzt|vorig|vergang|derni|passé|pasad|прошл|上")
_THIS = re.compile(r"this|dies|эти|этих|本|这")


@dataclass(frozen=True, slots=True)
class Dated:
    """A phrase at `start` to `end` of a text, and the range that it means."""

    start: int
    end: int
    role: Role
    span: Span


def dates_in(text: str, codes: Iterable[str], now: datetime) -> list[Dated]:
    """Every date that a text speaks of in these languages, in order; `now` is without a zone, as on the wall."""
    found = [(match, TONGUES[code]) for code in codes for match in finder(code).finditer(text)]
    taken: list[tuple[re.Match[str], Tongue]] = []
    for match, tongue in sorted(found, key=lambda one: one[0].start() - one[0].end()):  # the longest first
        if all(match.end() <= other.start() or other.end() <= match.start() for other, _ in taken):
            taken.append((match, tongue))
    first = sorted(taken, key=lambda one: one[0].start())[:MOST_DATES]
    return [dated for match, tongue in first for dated in _read(match, tongue, now)]


def _read(match: re.Match[str], tongue: Tongue, now: datetime) -> Iterator[Dated]:
    """What a phrase means: nothing, where it is no date after all."""
    said = match.groupdict()
    role, start = Role.AT, match.start()
    try:
        if said["first"]:
            span = _between(tongue, said["first"], said["last"], now)
        else:
            span = _meaning(tongue, said["point"] or said["alone"], now)
            role = next((role for role in Role if said.get(role) or said.get(f"{role}_behind")), Role.AT)
            if span and role in {Role.AFTER, Role.BEFORE}:
                role, span, start = _moved(match, tongue, role, span)
    except OverflowError:  # before the first day that there is, or after the last
        return
    if span and span[0] < span[1] and span[0].year <= now.year + 1:
        yield Dated(start, match.end(), role, span)


def _between(tongue: Tongue, first: str, last: str, now: datetime) -> Span | None:
    """A year said once counts for both ends."""
    years = _FOUR.search(first), _FOUR.search(last)
    begin = _meaning(tongue, first if years[0] or not years[1] else _with_year(tongue, first, years[1].group()), now)
    end = _meaning(tongue, last if years[1] or not years[0] else _with_year(tongue, last, years[0].group()), now)
    begin = begin or _meaning(tongue, first, now)
    return (begin[0], end[1]) if begin and end else None


def _with_year(tongue: Tongue, phrase: str, year: str) -> str:
    return f"{year}年{phrase}" if tongue.code == "zh" else f"{phrase} {year}"


def _moved(match: re.Match[str], tongue: Tongue, role: Role, span: Span) -> tuple[Role, Span, int]:
    """`two days after` a date is a day, and `the week before` one a week."""
    told = distance(tongue.code).search(match.string, 0, match.start())
    if not told:
        return role, span, match.start()
    days = timedelta(days=days_of(tongue, told["n"] or "1", told["u"]))
    forth = role is Role.AFTER
    if told["n"]:
        moved = (span[0] + days, span[1] + days) if forth else (span[0] - days, span[1] - days)
    else:
        moved = (span[1], span[1] + days) if forth else (span[0] - days, span[0])
    return Role.AT, moved, told.start()


def _meaning(tongue: Tongue, phrase: str, now: datetime) -> Span | None:
    said = " ".join(phrase.casefold().split())
    if re.fullmatch(tongue.weekend, said):
        return _weekend(said, now)
    if quarter := _QUARTER.fullmatch(said):
        return _months(int(quarter[2]), 3 * int(quarter[1]) - 2, 3)
    for place, name in enumerate(tongue.seasons):
        if re.search(rf"(?:{name})\b", said):
            return _season(place, said, now)
    if recent := window(tongue.code).fullmatch(said):
        number, unit = (found for found in recent.groups() if found)
        begin = _asked(tongue, tongue.ago.format(n=number, u=unit), now)
        return (begin[0], now) if begin else None
    return _asked(tongue, said, now)


def _asked(tongue: Tongue, said: str, now: datetime) -> Span | None:
    """What the library makes of it."""
    for pattern, instead in tongue.rewrites:
        said = re.sub(pattern, instead, said)
    said = _DOTTED.sub(lambda d: f"{d[3]}-{d[2]:0>2}-{d[1]:0>2}", said)
    said = counted(tongue.code).sub(lambda n: str(tongue.numbers[n.group()]), said)
    if tongue.code == "zh" and re.fullmatch(r"[^年]+月\d+日", said):
        said = f"{now.year}年{said}"
    at, period = _parsed(tongue.code, said.strip(), now.replace(hour=12, minute=0, second=0, microsecond=0))
    return _around(at, period) if at else None


def _parsed(code: str, said: str, noon: datetime) -> tuple[datetime | None, str]:
    """At noon, as the library keeps what it was set to for each moment it was asked at."""
    from dateparser.date import DateDataParser

    settings = {
        "RELATIVE_BASE": noon, "PREFER_DATES_FROM": "past", "PREFER_DAY_OF_MONTH": "first", "TIMEZONE": "UTC",
        "RETURN_AS_TIMEZONE_AWARE": False,
    }  # fmt: skip
    try:
        found = DateDataParser(languages=[code], settings=settings).get_date_data(said)
    except Exception:  # noqa: BLE001  # a stranger's parser on a stranger's words: what fails in it is no date
        return None, ""
    return found.date_obj, str(found.period)


def _around(at: datetime, period: str) -> Span:
    """The day, calendar week (from Monday on), month or year that an instant is in."""
    day = at.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if period == "year":
        return _months(day.year, 1, 12)
    if period == "month":
        return _months(day.year, day.month, 1)
    if period == "week":
        monday = day - timedelta(days=day.weekday())
        return monday, monday + timedelta(days=7)
    return day, day + timedelta(days=1)


def _months(year: int, month: int, count: int) -> Span:
    """So many months, from the first of one on."""
    last_year, last = year + (month + count - 2) // 12, (month + count - 2) % 12 + 1
    start, end = datetime(year, month, 1), datetime(last_year, last, monthrange(last_year, last)[1])  # noqa: DTZ001
    return start, end + timedelta(days=1)


def _season(number: int, said: str, now: datetime) -> Span:
    """Three months from March, June, September or December on: the year's, else the latest that has begun.

    `last` is the latest that is over.
    """
    for year, name in ((now.year, "今年"), (now.year - 1, "去年")):
        said = said.replace(name, str(year))
    if named := _FOUR.search(said):
        return _months(int(named.group()), 3 + 3 * number, 3)
    is_over = bool(_LAST.search(said))
    spans = (_months(year, 3 + 3 * number, 3) for year in (now.year, now.year - 1, now.year - 2))
    return next(span for span in spans if span[is_over] <= now)


def _weekend(said: str, now: datetime) -> Span:
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    saturday = today - timedelta(days=(today.weekday() - 5) % 7)
    if _THIS.search(said) and today.weekday() < 5:  # noqa: PLR2004
        saturday += timedelta(days=7)
    elif not _THIS.search(said) and today.weekday() >= 5:  # noqa: PLR2004
        saturday -= timedelta(days=7)
    return saturday, saturday + timedelta(days=2)
