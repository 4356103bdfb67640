"""One value as YAML on one line, quoted only where YAML would not read back the same."""

import math
import re
from datetime import UTC, datetime

from memory_wiki.errors import BadPage
from memory_wiki.page.values import plain_tag

Value = str | bool | int | float | datetime | tuple[str, ...]

_UNSAFE = re.compile("[\x85\u2028\u2029\ud800-\udfff]")  # line ends to YAML and to nobody else; invalid UTF-8
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\x9f\ufeff\ufffe\uffff]')
_NEEDS_QUOTES = re.compile(r"""\A[\s\-?:,\[\]{}\#&*!|>'"%@`]|:(?:\s|\Z)|\s\#|\s\Z""")
_NEEDS_QUOTES_IN_LIST = re.compile(r"[,\[\]{}]")
_OTHER_READERS = re.compile(
    r"[-+]?(?:0o[0-7]+|[\d.]+(?:[eE][-+]?\d+)?)|[yYnN]"
)  # not text in YAML 1.2, or in strict 1.1


def dump(value: Value) -> str:
    """`value` as YAML on one line; raises `BadPage` for what no line can hold."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case tuple():
            return "[" + ", ".join(_item(text) for text in value) + "]"
        case datetime():
            return _instant(value)
        case float():
            return _float(value)
        case int():
            return str(value)


def _string(text: str) -> str:
    if bad := _UNSAFE.search(text):
        raise BadPage(f"front matter cannot hold the character {bad.group()!r}; leave it out of {text[:40]!r}")
    quoted = (
        _NEEDS_QUOTES.search(text)
        or _ESCAPED.search(text)
        or _OTHER_READERS.fullmatch(text)
        or _plain_tag(text) != "str"
    )
    return _quoted(text) if quoted else text


def _item(text: str) -> str:
    plain = _string(text)
    return _quoted(text) if plain == text and _NEEDS_QUOTES_IN_LIST.search(text) else plain


def _quoted(text: str) -> str:
    return '"' + _ESCAPED.sub(_escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    return named.get(char) or f"\\u{ord(char):04x}"


def _instant(value: datetime) -> str:
    if value.tzinfo is None:
        raise BadPage(f"{value} has no time zone; give it one, UTC for instance")
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _float(value: float) -> str:
    if not math.isfinite(value):
        raise BadPage(f"front matter holds no {value}; give a finite number")
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")  # YAML 1.1 wants the dot
