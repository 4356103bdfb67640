"""How much a passage counts for the time that a question speaks of.

Never a filter: what was decided in April may answer what is asked about March.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memory_wiki.index.words import Words
from memory_wiki.recall.anchors import Direction
from memory_wiki.recall.answer import Question
from memory_wiki.recall.moments import NEUTRAL, Hints, Order, hints, when_weights
from memory_wiki.recall.rank import Ranked, place

TIME = 0.4
"""By how much a page may count more or less, at most, for the time that a question speaks of: half of it each way."""

ERAS = 10
"""Into how many parts of equal length what happened is cut where a question asks for an order of things."""

A_DAY = timedelta(days=1)


def said_of_time(question: Question, now: datetime, words: Words) -> Hints:
    """What a question says of time. What it asks before or after an event is bounded by when that was: by the time of
    the page that tells of it best.
    """
    said = hints(question.text, now)
    if said.since or said.until or not said.anchors:
        return said
    anchor = said.anchors[0]
    event = next(iter(words.search(words.forms(anchor.text), question.filter, 1)), None)
    if event is None:
        return said
    is_before = anchor.direction is Direction.BEFORE
    if not anchor.days:
        return replace(said, until=event.own_time) if is_before else replace(said, since=event.own_time)
    try:
        at = event.own_time + timedelta(days=-anchor.days if is_before else anchor.days)
        return replace(said, since=at - A_DAY, until=at + A_DAY)
    except OverflowError:  # beyond all years that there are
        return said


def timed(ranked: Sequence[Ranked], said: Hints) -> list[Ranked]:
    """By what the question says of time: a range, the latest or first, or an order of things, best first."""
    weights = when_weights(said, [one.hit.own_time for one in ranked])
    factors = [1 + TIME * (weight - NEUTRAL) for weight in weights]
    weighed = [
        one if factor == 1 else replace(one, score=one.score * factor, weights=(*one.weights, ("time", factor)))
        for one, factor in zip(ranked, factors, strict=True)
    ]
    return _spread(weighed) if said.order is Order.SEQUENCE else sorted(weighed, key=place)


def _spread(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The best of each era, then the others: what somebody brought up in which order lies all over the time they spoke.
    What models said of it is left for last.
    """
    told = [one for one in ranked if not one.hit.is_of_a_model]
    in_order = sorted(told, key=lambda one: (one.hit.own_time, one.hit.path, one.hit.ordinal))
    eras = [in_order[n * len(told) // ERAS : (n + 1) * len(told) // ERAS] for n in range(ERAS)]
    best = sorted((min(era, key=place) for era in eras if era), key=place)
    chosen = set(map(id, best))
    rest = sorted((one for one in told if id(one) not in chosen), key=place)
    return [*best, *rest, *sorted((one for one in ranked if one.hit.is_of_a_model), key=place)]
