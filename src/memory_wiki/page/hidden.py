"""What a page holds but says to nobody: code spans, comments and math, blanked out character by character.

The blanked text is as long as the body, so an offset in one is the same place in the other. Linear in the text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

BLANK = "\0"
"""Stands for a character of code or comment; no syntax of ours holds it, and it is no space."""

_OPENING = re.compile(r"\\.|`+|%%|\$\$|<!--")
_RUN = re.compile(r"`+")
_LONGEST_PREFIX = 100  # characters of `> > - ` before what still begins a line


def blank(body: str, leaves: Iterable[tuple[int, int]]) -> str:
    """The body with what is hidden blanked; `leaves` are the offsets of the blocks that hold text, in order."""
    if not _OPENING.search(body):
        return body
    pieces = []
    reached = 0
    for start, end in leaves:
        for begins, ends in _hidden(body, max(start, reached), end):
            pieces += [body[reached:begins], BLANK * (ends - begins)]
            reached = ends
    return "".join([*pieces, body[reached:]])


def _hidden(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges in one leaf; the last may end far behind it, as a comment may span blocks."""
    runs: dict[int, list[int]] | None = None
    is_closed = True
    while start < end and (opening := _OPENING.search(body, start, end)):
        start = opening.end()
        mark = opening.group()
        if mark[0] == "\\":
            continue
        if mark[0] == "`":
            runs = _runs(body, opening.start(), end) if runs is None else runs
            close = _next_run(runs, len(mark), start)
        elif mark == "<!--":
            close = body.find("-->", start, end) if is_closed else -1
            is_closed = close >= 0
        else:
            close = body.find(mark, start, len(body) if _begins_line(body, opening.start()) else end)
        if close >= 0:
            start = close + (len("-->") if mark == "<!--" else len(mark))
            yield opening.start(), start


def _runs(body: str, start: int, end: int) -> dict[int, list[int]]:
    """Where runs of so many backticks are: only a run of the same length closes a code span."""
    runs: dict[int, list[int]] = {}
    for run in _RUN.finditer(body, start, end):
        runs.setdefault(len(run.group()), []).append(run.start())
    return runs


def _next_run(runs: dict[int, list[int]], length: int, start: int) -> int:
    same = runs.get(length, [])
    index = bisect_left(same, start)
    return same[index] if index < len(same) else -1


def _begins_line(body: str, offset: int) -> bool:
    """Whether only quote marks, bullets and space stand before it: then a comment may span blocks."""
    near = body[max(0, offset - _LONGEST_PREFIX) : offset]
    before = re.split(r"[\r\n]", near)[-1]
    return len(before) < _LONGEST_PREFIX and not before.strip(" \t>-*+")
