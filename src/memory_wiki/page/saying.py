"""What a page says, apart from how it is written: the same words in the same order are the same saying. Pure.

Case, white space, Markdown's marks, the full stop after a word and the ids of facts are put aside, and nothing else:
`x > 5` and `x < 5` differ, and so do `C#` and `C++`.
"""

import hashlib
import re
import unicodedata

from memory_wiki.page.text import readable

LONGEST = 8_192
"""Characters of a body by which its saying is looked for; all of them are compared."""

_FIRST = frozenset("-*+>#0123456789")
_OF_BLOCKS = re.compile(r"(?:(?:[-*+>]|#{1,6}|[0-9]{1,9}[.)])[ \t]+)+")  # lists, quotes and headings
_ID = re.compile(r"\^(?<=[ \t]\^)[A-Za-z0-9-]+[ \t]*$", re.MULTILINE)  # what begins with a character is found fast
_STARS = re.compile(r"\*+")
_STOPS = ".,;:!?"
_WORD = re.compile(r"\w+")


def saying(title: str, body: str) -> str:
    """What a body says, or a title where that says nothing."""
    return _plain(body) or _plain(title)


def saying_key(title: str, body: str) -> str:
    """What pages that say the same have in common, and hardly any other: a digest."""
    said = saying(title, body[:LONGEST])
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def adds_nothing(title: str, other: str, said: str) -> bool:
    """Whether a title says no word that stands neither in the `other` one nor in what both pages say."""
    return {*_words(title)} <= {*_words(other), *_words(said)}


def _plain(text: str) -> str:
    text = readable(text)
    text = (text if text.isascii() else unicodedata.normalize("NFC", text)).casefold()
    if "^" in text:
        text = _ID.sub("", text)
    for mark in ("`", "[[", "]]"):
        text = text.replace(mark, "")
    if "*" in text:
        text = _STARS.sub(_unless_emphasis, text)
    words = [word for line in text.split("\n") for word in _without_mark(line.strip()).split()]
    return " ".join([word.rstrip(_STOPS) or word for word in words])


def _without_mark(line: str) -> str:
    if line[:1] not in _FIRST:
        return line
    marks = _OF_BLOCKS.match(line)
    return line[marks.end() :] if marks else line


def _unless_emphasis(stars: re.Match[str]) -> str:
    """Stars at one end of a word are marks; alone, or within one, they say something."""
    text, (start, end) = stars.string, stars.span()
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    opens, closes = after.strip() and not before.isalnum(), before.strip() and not after.isalnum()
    return "" if opens or closes else stars.group()


def _words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))
