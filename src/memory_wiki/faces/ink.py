"""How text reaches a terminal: in colours or none, wrapped, and without what could steer it. Pure."""

import re
import textwrap
from dataclasses import dataclass

SHORT = 10  # digits of a version or commit that people see
NARROWEST = 20  # columns, below which wrapping helps nobody
_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_ENDS = re.compile(r"[\n\u2028\u2029]")


def plain(text: str) -> str:
    """Text without what could steer a terminal, or turn its order round; lines end in a newline alone."""
    clean = text.replace("\r\n", "\n").encode("utf-8", "replace").decode()
    return _STEERS.sub("\N{REPLACEMENT CHARACTER}", clean)


def on_one_line(text: str) -> str:
    """The same in one line, so that no name adds a line to an answer."""
    return _ENDS.sub("\N{REPLACEMENT CHARACTER}", plain(text))


def count(number: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


@dataclass(frozen=True, slots=True)
class Ink:
    """Colours, or none; whether a hit shows what made its score; and the columns to wrap quotes at, 0 for never."""

    is_coloured: bool
    shows_why: bool = False
    columns: int = 0

    def bold(self, text: str) -> str:
        return self._in("1", text)

    def dim(self, text: str) -> str:
        return self._in("2", text)

    def green(self, text: str) -> str:
        return self._in("32", text)

    def yellow(self, text: str) -> str:
        return self._in("33", text)

    def red(self, text: str) -> str:
        return self._in("31", text)

    def cyan(self, text: str) -> str:
        return self._in("36", text)

    def wrapped(self, text: str, indent: int) -> list[str]:
        """The lines of a text, broken between words where a terminal would break them anywhere."""
        lines = plain(text).split("\n") if text else []
        room = self.columns - indent
        if room < NARROWEST:
            return lines
        return [part for line in lines for part in textwrap.wrap(line, room, replace_whitespace=False) or [""]]

    def _in(self, code: str, text: str) -> str:
        clean = on_one_line(text)
        return f"\x1b[{code}m{clean}\x1b[0m" if self.is_coloured else clean
