"""A page's bytes as text and back, and its line ends. Pure.

Bytes that are no UTF-8 survive the round trip as lone surrogates (PEP 383).
"""

import re

NEWLINE = re.compile(r"\r\n|\r|\n")
_UNREADABLE = re.compile("[\0\ud800-\udfff]")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def readable(text: str) -> str:
    """The text for display: lines end in LF, and what is no character is U+FFFD."""
    text = NEWLINE.sub("\n", text) if "\r" in text else text
    return text if is_clean(text) else _UNREADABLE.sub("\ufffd", text)


def is_clean(text: str) -> bool:
    """Whether all of it is characters; encoding tells a hundred times faster than a pattern would."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def lines_of(data: bytes) -> list[str]:
    """A page's lines for display, without a look at what they say."""
    return readable(decoded(data)).split("\n")


def line_end(text: str) -> str:
    """The line end that a text uses first; a line feed where it has none."""
    found = NEWLINE.search(text)
    return found.group() if found else "\n"
