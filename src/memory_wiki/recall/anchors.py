"""The events that a question is timed by: `two days after the outage`. Pure.

Told from the words alone, so the event may be anything; a date is none, as `dates` has it already.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class Direction(StrEnum):
    """On which side of an event something is."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Anchor:
    """An event as the question names it; `days` is how far from it, 0 where that is not said."""

    text: str
    direction: Direction
    days: float = 0.0


MOST_WORDS = 9
"""Of an event's name: what goes on for longer is the rest of the sentence."""

_THE_DE = r"(?:de[mrn]|unsere[mrn]|meine[mrn]|diese[mrn]|jene[mrn]|eine[mrn])\s"
_THE_FR = r"(?:l[ea]s?\s|l['’]|no(?:tre|s)\s|m(?:on|a|es)\s|c(?:e|et|ette|es)\s|une?\s|que?\s|qu['’])"
_SIGNS = {
    "en": (r"before|until|till|prior\s+to", r"after|since|following"),
    "de": (
        rf"bevor|(?:vor|bis\s+zu[mr])(?=\s+{_THE_DE})|bis\s+zu[mr]",
        rf"nachdem|seitdem|(?:nach|seit)(?=\s+{_THE_DE})",
    ),
    "fr": (rf"avant(?=\s+(?:{_THE_FR}|d))|jusqu['’](?:au?x?|à)", rf"(?:après|depuis)(?=\s+{_THE_FR})"),
    "es": (r"antes\s+de|hasta", r"después\s+de|desde(?=\s+(?:el|la|los|las|que)\s)"),
    "ru": (r"перед|до(?=\s+(?:того|\w+(?:а|я|и|ы|ей|ов)\b))", r"после|с\s+момента|с\s+тех\s+пор\s+как"),
}
_MARKS = {
    "en": ("befo", "until", "till", "prior", "after", "sinc", "following"),
    "de": ("bevor", "vor ", "bis zu", "nach", "seit"),
    "fr": ("avant", "jusqu", "après", "depuis"),
    "es": ("antes", "hasta", "después", "desde"),
    "ru": ("перед", "до ", "после", "с момента", "с тех"),
}
"""One of these is in a text with such a sign; they cost no expression to be compiled."""
_AWAY = r"(?<!\w)(?:(?P<n>\d{1,3}|\w+)\s+(?P<u>[^\W\d_]+)\s+)?"
_UNTIL = r"(?P<event>[^\W\d_][^,.;:?!()\n\"，。？！；]*)"
_ENDS = re.compile(
    r"\s+(?:before|after|since|until|till|but|did|does|do|bevor|nachdem|aber|mais|avant|après|pero|antes"
    r"|después|но|после|перед)\s.*",
    re.IGNORECASE | re.DOTALL,
)
_NO_EVENT = re.compile(
    r"(?:(?:all|that|this|it|them|then|long|now|each|every|hand|hours|which|what|when|du|das|ça|cela|eso|esto"
    r"|que|того|этого)"
    r"(?:\s+(?:all|that|this|it))?|(?:ende|then)\b.*)$",
    re.IGNORECASE,
)
_HAN = re.compile(
    r"(?:在|自|从)?(?P<event>[^\s\W\d在自从]{2,12}?)(?P<sign>之前|以前|之后|以后|以来)"
    r"(?:(?P<n>\d{1,3}|[一二两三四五六七八九十]+)(?P<u>天|周|个?星期|个?月|年))?"
)


def anchors_in(text: str, dated: Iterable[tuple[int, int]]) -> tuple[Anchor, ...]:
    """Events in the order they are named; none at the places of `dated`, which are dates."""
    places = tuple(dated)
    found = [
        (match.start("event"), anchor)
        for match, sign, code in _signs(text)
        if not any(start < match.end("event") and match.start("sign") < end for start, end in places)
        and (anchor := _anchor(match, sign, code))
    ]
    unique = dict(sorted(found, key=lambda one: one[0]))
    return tuple(dict.fromkeys(unique.values()))


def _signs(text: str) -> Iterator[tuple[re.Match[str], Direction, str]]:
    folded = text.casefold()
    for code in (code for code, marks in _MARKS.items() if any(mark in folded for mark in marks)):
        for direction, pattern in zip(Direction, _patterns(code), strict=True):
            yield from ((match, direction, code) for match in pattern.finditer(text))
    for match in _HAN.finditer(text):
        yield match, Direction.BEFORE if match["sign"].endswith("前") else Direction.AFTER, "zh"


def _anchor(match: re.Match[str], direction: Direction, code: str) -> Anchor | None:
    event = _ENDS.sub("", f"{match['event']} ").strip()
    event = re.sub(r"\s+(?:and|or|und|et|y|и)$", "", event)
    if not event or len(event.split()) > MOST_WORDS or _NO_EVENT.fullmatch(event):
        return None
    return Anchor(event, direction, _days(match, code))


def _days(match: re.Match[str], code: str) -> float:
    if not match["u"]:
        return 0.0
    from memory_wiki.recall.tongues import TONGUES, days_of

    return days_of(TONGUES[code], match["n"], match["u"])


@cache
def _patterns(code: str) -> list[re.Pattern[str]]:
    return [re.compile(rf"{_AWAY}\b(?P<sign>{sign})\s+{_UNTIL}", re.IGNORECASE) for sign in _SIGNS[code]]
