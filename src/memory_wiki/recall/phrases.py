"""The phrases of time of each language as compiled expressions, each made when it is first needed. Pure.

They take a millisecond or more each to compile, which a text that speaks of no time must not pay.
"""

import re
from enum import StrEnum
from functools import cache

from memory_wiki.recall.tongues import TONGUES, Tongue

_YEAR = r"(?:19|20)\d\d(?!\d|-\w|[.,]\d)"
_NO_COUNT = r"(?!\w|\s*%|\s+(?:ms|px|[kmgt]i?b|(?!(?:was|is|does|has|this|us|vs)\b)[a-z]+s)\b)"
"""After a year alone: `in 2023 files` speaks of files, and so does `2000 ms` of no year."""
_NUMERIC = (
    r"(?:(?:19|20)\d\d-\d\d(?:-\d\d)?|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d|\d{1,2}/\d{1,2}/(?:19|20)\d\d)(?![\w/]|[.-]\w)"
)


class Role(StrEnum):
    """How a date bounds what is asked for."""

    AT = "at"
    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UNTIL = "until"


@cache
def finder(code: str) -> re.Pattern[str]:
    """A range (`first`, `last`), a `point` after a word that says how it bounds, or a time `alone`."""
    tongue = TONGUES[code]
    gap, is_spaced = tongue.gap, tongue.gap != r"\s*"
    whole = _filled(tongue, f"{tongue.season}|{tongue.weekend}|{tongue.window}|{tongue.whole}|{_NUMERIC}")
    any_ = f"(?:{whole}|{_filled(tongue, tongue.bare.replace('{y}', '{y}' + _NO_COUNT))})"
    words = (tongue.since, tongue.after, tongue.before, tongue.until, tongue.at)
    roles = (Role.SINCE, Role.AFTER, Role.BEFORE, Role.UNTIL, Role.AT)
    ahead = "|".join(f"(?P<{role}>{word})" for role, word in zip(roles, words, strict=True))
    tails = zip((Role.BEFORE, Role.AFTER, Role.SINCE), tongue.behind, strict=True)
    behind = "|".join(f"(?P<{role}_behind>{word})" for role, word in tails)
    joined = rf"(?:{tongue.between}){gap}(?P<first>{any_}){gap}(?:{tongue.joint}){gap}(?P<last>{any_})"
    point = rf"(?:{ahead}){gap}(?:the\s+)?(?P<point>{any_})"
    begin, end = (r"(?<![\w.@/#-])", r"(?!\w)") if is_spaced else ("", "")
    return re.compile(f"{begin}(?:{joined}|{point}|(?P<alone>{whole})){end}(?:{behind})?", re.IGNORECASE)


@cache
def window(code: str) -> re.Pattern[str]:
    """`last 3 weeks`, with its number and its unit as groups."""
    tongue = TONGUES[code]
    pattern = tongue.window.replace("{n}", f"({tongue.number})").replace("{u}", f"({tongue.unit})")
    return re.compile(pattern, re.IGNORECASE)


@cache
def distance(code: str) -> re.Pattern[str]:
    """`two days` or `the week`, right before `after` a date or an event."""
    tongue = TONGUES[code]
    return re.compile(
        rf"(?<!\w)(?:(?P<n>{tongue.number}){tongue.gap})?(?P<u>{tongue.unit}){tongue.gap}$", re.IGNORECASE
    )


@cache
def counted(code: str) -> re.Pattern[str]:
    """A number in words before its unit."""
    tongue = TONGUES[code]
    words = "|".join(sorted(tongue.numbers, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{words})(?={tongue.gap}{tongue.unit})", re.IGNORECASE)


def _filled(tongue: Tongue, pattern: str) -> str:
    seasons = f"(?:{'|'.join(tongue.seasons)})"
    filled = pattern.replace("{s}", seasons).replace("{n}", tongue.number).replace("{u}", tongue.unit)
    return filled.replace("{y}", _YEAR)
