"""Front matter that is flatly written, `key: value` line by line: what most pages have, at a tenth of YAML's cost.

Flat are words, dates, numbers, truths, and lists of words on one line; whatever could be read in two ways is left to
YAML. That is right by definition: a property test holds that both say the same.
"""

import re
from collections.abc import Callable
from datetime import date, datetime

from memory_wiki.page import values
from memory_wiki.page.values import Entry

MAX_CHARS = 4_096
"""A longer text may hold more values than YAML's guard lets pass."""

_CHAR = r"[^\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
_WORD = r"[^\W\d_](?:[\w./+-]|[ ](?=[^\W_]))*+"
_LINE = re.compile(
    rf"""
    (?P<key>[A-Za-z][A-Za-z0-9_-]{{0,60}}+) :[ ]++
    (?: (?P<truth> true | false )
      | (?P<list> \[ {_WORD} (?:,[ ]*+{_WORD})*+ \] )
      | " (?P<quoted> (?:(?!["\\]){_CHAR})*+ ) "
      | (?P<time> [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}Z )
      | (?P<day> [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} )
      | (?P<share> [01]\.[0-9]{{1,6}} )
      | (?P<words> [^\W_]{_CHAR}*+ )
    ) \n""",
    re.VERBOSE,
)
_WORDS = re.compile(_WORD)
_COMMENT_OR_KEY = re.compile(r":(?:[ ]|\Z)|[ ](?:\#|\Z)")


IS_SOUND = [bool(_LINE.fullmatch(line)) for line in ('a: "b"\n', "a: b c\n", "a: [b, c]\n")] == [True] * 3
"""Whether possessive quantifiers do as they should; see `plain`."""


def parse(text: str) -> tuple[dict[str, object], tuple[Entry, ...]]:
    """What `values.parse` says, and mostly without asking it."""
    return read(text) or values.parse(text)


def read(text: str) -> tuple[dict[str, object], tuple[Entry, ...]] | None:
    """The mapping and its entries; None where `text` is not flat."""
    if not IS_SOUND or len(text) > MAX_CHARS:
        return None
    found: dict[str, object] = {}
    entries: list[Entry] = []
    at = 0
    while at < len(text):
        line = _LINE.match(text, at)
        if not line or values.plain_kind(line["key"]) != "str":
            return None
        kind = line.lastgroup or ""
        try:
            value = _READ[kind](line[kind])
        except ValueError:
            return None
        start, end = line.end("key"), line.end() - 1
        found[line["key"]] = value
        entries.append(Entry(line["key"], len(entries), at, start, _after_space(text, start + 1), end))
        at = end + 1
    return (found, tuple(entries)) if entries else None


def _after_space(text: str, at: int) -> int:
    while text[at] == " ":
        at += 1
    return at


def _list(text: str) -> list[str]:
    return [_words(word) for word in _WORDS.findall(text)]


def _words(text: str) -> str:
    """`text`, where YAML reads it as that; raises `ValueError` else."""
    if _COMMENT_OR_KEY.search(text):
        raise ValueError(text)
    if values.plain_kind(text) != "str":
        raise ValueError(text)
    return text


_READ: dict[str, Callable[[str], object]] = {
    "truth": "true".__eq__,
    "list": _list,
    "quoted": str,
    "time": datetime.fromisoformat,
    "day": date.fromisoformat,
    "share": float,
    "words": _words,
}
