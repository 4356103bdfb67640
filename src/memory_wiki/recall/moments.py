"""What a question says of time: a range, an order, and the events it is timed by; and how well a time fits it.

Pure; `now` is an argument. Any text is survived, and what can't be read gives no hint. Hints weigh and never filter:
a question's `in March` may be about what was decided in April.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from memory_wiki.recall.anchors import Anchor, anchors_in
from memory_wiki.recall.listening import heard
from memory_wiki.recall.subject import MOST, asks_for_an_order, without_sequence

if TYPE_CHECKING:
    from memory_wiki.recall.dates import Dated

NEUTRAL = 0.5
"""The weight of a time of which nothing is asked."""
PREFERENCE = 0.2
"""What the newest gains by LATEST, and the oldest loses: mild, as the best answer is seldom the very last page."""
LEAST_SCALE = timedelta(days=1)
OPEN_SCALE = timedelta(days=30)
"""By how much a time may miss a range of one day, or one without an end, to be half as good."""


class Order(StrEnum):
    """What of several times is asked for: the last, the first, or all of them in a row."""

    NONE = "none"
    LATEST = "latest"
    FIRST = "first"
    SEQUENCE = "sequence"


@dataclass(frozen=True, slots=True)
class Hints:
    """What a question says of time. `since` is in the range, `until` is not; None where that end is open.

    `said` are the phrases that the range was read from, in the question's own words.
    """

    since: datetime | None = None
    until: datetime | None = None
    order: Order = Order.NONE
    anchors: tuple[Anchor, ...] = ()
    said: tuple[str, ...] = ()


_LATEST = re.compile(
    r"(?<![\w@:/-])(?:latest|newest|most\s+recent(?:ly)?|(?:for\s+)?the\s+last\s+time|last\s+time|recently"
    r"|currently|nowadays|these\s+days"
    r"|when\s+(?:did|was|were|have|has)\s+(?:[\w']+\s+){1,5}?last(?!\s+(?:\w+day|week|month|year|night|spring"
    r"|summer|autumn|fall|winter))"
    r"|at\s+(?:the\s+moment|present)|as\s+of\s+(?:now|today)"
    r"|current(?!\s+(?:director|folder|working|branch|user|thread|process|line|file|cursor|selection))"
    r"|zuletzt|(?:aller)?neu(?:e)?ste[nmrs]?|aktuell\w*|derzeit\w*|momentan|kürzlich|neulich"
    r"|dernièrement|récemment|(?:le|la|les)\s+plus\s+récente?s?|actuell?e?(?:ment)?|en\s+ce\s+moment"
    r"|la\s+dernière\s+fois"
    r"|(?:más|mas)\s+recientes?|recientemente|últimamente|actual(?:mente)?|la\s+última\s+vez"
    r"|последн(?:ий|ее)\s+раз|недавно|сейчас|текущ\w+|(?:самы[йе]|сам(?:ая|ое))\s+(?:нов|последн"
    r"|свеж)\w+)(?!\w)|最新|最近(?![\d一二两三几])|目前|当前|上一?次",
    re.IGNORECASE,
)
_NOT_FIRST = (
    r"names?|class|line|aid|part(?:y|ies)|person|order|responder|letter|char\w*|element|column|row|argument"
    r"|param\w*|digit|byte|page|item"
)
_FIRST = re.compile(
    r"(?<![\w@:/-])(?:earliest|initial(?:ly)?(?!i[sz])|originally|in\s+the\s+(?:first\s+place|beginning)"
    r"|at\s+(?:the\s+beginning|first)"
    rf"|(?<!my\s)(?<!our\s)(?<!his\s)(?<!her\s)(?<!their\s)(?:very\s+)?first(?!-|\s+(?:{_NOT_FIRST}|of\s+all|\d+"
    rf"|two|three|four|five|few|ten)\b)"
    r"|zuerst|anfangs|anfänglich|ursprünglich|zum\s+ersten\s+mal|am\s+anfang"
    r"|au\s+début|initialement|à\s+l['’]origine|d['’]abord|(?:pour\s+)?la\s+première\s+fois"
    r"|al\s+principio|inicialmente|originalmente|primero|(?:por\s+)?primera\s+vez"
    r"|впервые|сначала|изначально|первоначально|в\s+первый\s+раз|раньше\s+всего)(?!\w)|最初|最早|首次|第一次|一开始",
    re.IGNORECASE,
)


def hints(text: str, now: datetime) -> Hints:
    """What `text` says of time, asked at `now`: dates are meant in its zone, and given in UTC."""
    text = text[:MOST]
    dated = _dates(text, now)
    since, until = _bounds(dated, now)
    return Hints(
        since,
        until,
        _order(text),
        anchors_in(text, [(date.start, date.end) for date in dated]),
        tuple(text[date.start : date.end] for date in dated) if since or until else (),
    )


def _dates(text: str, now: datetime) -> "list[Dated]":
    codes = heard(text)
    if not codes:
        return []
    from memory_wiki.recall.dates import dates_in

    return dates_in(text, codes, now.replace(tzinfo=None))


def _order(text: str) -> Order:
    """Who asks for the first and for the latest asks for what lies between, too."""
    last, first = _LATEST.search(text), _FIRST.search(text)
    if asks_for_an_order(text) or (last and first):
        return Order.SEQUENCE
    return Order.LATEST if last else Order.FIRST if first else Order.NONE


def without_order(text: str) -> str:
    """`text` without what says that the last, the first, or an order of things is asked for."""
    return _FIRST.sub(" ", _LATEST.sub(" ", without_sequence(text)))


def _bounds(dated: "list[Dated]", now: datetime) -> tuple[datetime | None, datetime | None]:
    """All that is named, cut by what else bounds it; where those contradict each other, all that is named."""
    spans = [date.span for date in dated if date.role == "at"]
    inside = (min(span[0] for span in spans), max(span[1] for span in spans)) if spans else (None, None)
    since = [date.span[date.role == "after"] for date in dated if date.role in {"since", "after"}]
    until = [date.span[date.role == "until"] for date in dated if date.role in {"before", "until"}]
    begin = max([*since, *([inside[0]] if inside[0] else [])], default=None)
    end = min([*until, *([inside[1]] if inside[1] else [])], default=None)
    if begin and end and begin >= end:
        begin, end = inside
    return _in_utc(begin, now), _in_utc(end, now)


def _in_utc(at: datetime | None, now: datetime) -> datetime | None:
    try:
        return at.replace(tzinfo=now.tzinfo).astimezone(UTC) if at else None
    except OverflowError:  # the first and last day that there is, in another zone
        return None


def closeness(said: Hints, at: datetime) -> float:
    """How well a time fits the range: 1 inside, 0.5 as far outside as the range is long, towards 0 beyond.

    0.5 where no range was asked for.
    """
    if said.since is None and said.until is None:
        return NEUTRAL
    if said.since and at < said.since:
        outside = said.since - at
    elif said.until and at >= said.until:
        outside = at - said.until
    else:
        return 1.0
    length = said.until - said.since if said.since and said.until else OPEN_SCALE
    return 1 / (1 + outside / max(length, LEAST_SCALE))


def when_weights(said: Hints, times: Sequence[datetime]) -> list[float]:
    """A weight from 0 to 1 for each time: its closeness, and where an order is asked up to 0.2 more or less by rank.

    Equal times weigh the same, whatever their places; 0.5 each where nothing is asked.
    """
    weights = [closeness(said, at) for at in times]
    if said.order not in {Order.LATEST, Order.FIRST}:
        return weights
    rank = {at: number for number, at in enumerate(sorted(set(times), reverse=said.order is Order.FIRST))}
    top = max(len(rank) - 1, 1)
    gained = (PREFERENCE * (2 * rank[at] / top - 1) if len(rank) > 1 else 0.0 for at in times)
    return [min(max(weight + gain, 0.0), 1.0) for weight, gain in zip(weights, gained, strict=True)]
