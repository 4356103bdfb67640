"""A page's bytes as text and back, and its line ends. Pure.

Bytes that are no UTF-8 survive the round trip as lone surrogates (PEP 383).
"""

import re

NEWLINE = re.compile(r"\r\n|\r|\n")


def decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def line_end(text: str) -> str:
    """The line end that a text uses first; a line feed where it has none."""
    found = NEWLINE.search(text)
    return found.group() if found else "\n"
