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
    return _people_first(weighed) if said.order is Order.SEQUENCE else sorted(weighed, key=place)


def _people_first(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Who asks in what order things came up means what people brought up; what models said of it is left for last."""
    return sorted(ranked, key=lambda one: (one.hit.is_of_a_model, place(one)))
