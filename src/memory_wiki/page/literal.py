"""One value as YAML on one line, quoted only where YAML would not read the same back."""

import math
import re
from datetime import UTC, date, datetime

from memory_wiki.errors import BadPage
from memory_wiki.page.values import plain_kind

Value = str | bool | int | float | datetime | date | tuple[str, ...]

_UNSAFE = re.compile("[\x85\u2028\u2029\ud800-\udfff]")  # ends of lines to YAML alone, and invalid UTF-8
_CONTROL = r"\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff"
_ESCAPED = re.compile(rf'["\\{_CONTROL}]')
_NEEDS_QUOTES = re.compile(rf"""\A[\s\-?:,\[\]{{}}\#&*!|>'"%@`]|:(?:\s|\Z)|\s\#|\s\Z|\A\Z|[{_CONTROL}]""")
_NEEDS_QUOTES_IN_LISTS = re.compile(r"[,\[\]{}]")
_NUMBER_ELSEWHERE = re.compile(
    r"[-+]?(?:0o[0-7]+|[\d.]+(?:[eE][-+]?\d+)?)|[yYnN]"
)  # or a truth, in YAML 1.2 or strict 1.1
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t", '"': r"\"", "\\": r"\\"}


def dump(value: Value) -> str:
    """`value` as it stands after `key: `; raises `BadPage` for what YAML cannot hold safely."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value, _NEEDS_QUOTES)
        case tuple():
            return "[" + ", ".join(_string(text, _NEEDS_QUOTES_IN_LISTS, _NEEDS_QUOTES) for text in value) + "]"
        case date():
            return _instant(value)
        case float():
            return _float(value)
        case int():
            return str(value)


def _string(text: str, *reasons: re.Pattern[str]) -> str:
    if bad := _UNSAFE.search(text):
        raise BadPage(f"front matter cannot hold the character {bad.group()!r}; leave it out of {text[:40]!r}")
    if any(reason.search(text) for reason in reasons) or _is_other(text):
        return '"' + _ESCAPED.sub(_escape, text) + '"'
    return text


def _is_other(text: str) -> bool:
    """Whether it would be read as a number, truth, date or nothing, here or by another reader."""
    return plain_kind(text) != "str" or bool(_NUMBER_ELSEWHERE.fullmatch(text))


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    return _SHORT.get(char) or f"\\u{ord(char):04x}"


def _instant(value: datetime | date) -> str:
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is None:
        raise BadPage(f"{value} has no time zone; give it one, UTC for instance")
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise BadPage(f"front matter holds no {value}; give a finite number")
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")  # YAML 1.1 knows no exponent without a dot
