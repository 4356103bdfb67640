"""The first sentence of a page, as it is written there. Pure.

Told by lines alone, as no recall waits for a parser of Markdown: the first paragraph that is neither a heading, a list,
a quote, a table, a field, code nor a comment.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

MOST = 200
"""Characters, after which a sentence is cut between words."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|%%.*?(?:%%|\Z)", re.DOTALL)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")  # what makes the lines above a heading
_NO_PROSE = re.compile(
    r"\s*$| {4}|\t|\s*(?:[>|<]|!\[|#{1,6}(?:\s|$)|(?:[-*+]|\d{1,9}[.)])(?:\s|$)|(?:[-*_]\s*){3,}$|\[[^\]]*\]:|[\w-]+::)"
)
_END = re.compile(r"[.!?][\"')\]*_]*(?=\s+[^\sa-z])|[。！？]")  # a small letter goes on, as after an abbreviation


def lead(lines: Sequence[str]) -> str:
    """The sentence, on one line; "" of a page that says nothing in prose. `lines` are those of the whole file."""
    below = lines[_front_matter(lines) :]
    text = "\n".join(below)
    if "%%" in text or "<!--" in text:
        below = _COMMENT.sub("", text).split("\n")
    paragraph = " ".join(_paragraph(below))
    end = _END.search(paragraph)
    sentence = paragraph[: end.end()] if end else paragraph
    return sentence if len(sentence) <= MOST else f"{sentence[:MOST].rpartition(' ')[0] or sentence[:MOST]} …"


def _front_matter(lines: Sequence[str]) -> int:
    """How many lines it has."""
    if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
        return 0
    return next((n for n, line in enumerate(lines[1:], 2) if line.rstrip() in {"---", "..."}), 0)


def _paragraph(lines: Iterable[str]) -> list[str]:
    """The first that is prose."""
    found: list[str] = []
    for line in _outside_code(lines):
        if found and _UNDERLINE.match(line):
            found = []
        elif not _NO_PROSE.match(line):
            found.append(line.strip())
        elif found:
            break
    return found


def _outside_code(lines: Iterable[str]) -> Iterator[str]:
    """The lines, with an empty one for each of a fenced block."""
    is_code = False
    for line in lines:
        is_fence = _FENCE.match(line) is not None
        yield "" if is_code or is_fence else line
        is_code ^= is_fence
