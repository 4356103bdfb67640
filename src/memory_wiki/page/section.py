"""A section of a page: what stands under a heading, until the next of its level or a higher one. Pure.

Only headings of the page's own count, not those in quotes and lists. The heading's line stays, and so do the blank
lines around what it heads.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory_wiki.errors import BadInput
from memory_wiki.page import frontmatter
from memory_wiki.page.elements import Heading, Span
from memory_wiki.page.markup import scan
from memory_wiki.page.path import folded
from memory_wiki.page.text import NEWLINE, line_end

NAMED, SHOWN = 20, 80  # headings that an error names at most, and characters of each
_MARKED = re.compile(r"\s*(#{1,6})\s+(.*?)[#\s]*\Z")
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Section:
    """Another text under a heading, which is told by its text in any case; `## Text` tells its level too."""

    heading: str
    text: str


Found = tuple[Heading, Span]
"""A heading, and the lines that it takes: two, where it is underlined."""


def with_section(text: str, section: Section) -> str:
    """`text` with the section's own under its heading; raises `BadInput` where there is no such heading, or several, or
    it would hide those below. Where it begins with that very heading, this stands there once all the same.
    """
    every = _headings(text)
    at = _meant(every, section.heading)
    level = every[at][0].level
    after = next((n for n in range(at + 1, len(every)) if every[n][0].level <= level), len(every))
    starts = [0, *(newline.end() for newline in NEWLINE.finditer(text)), len(text)]
    start = starts[every[at][1].last_line]
    end = starts[every[after][1].first_line - 1] if after < len(every) else len(text)
    filled = _filled(text[start:end], _bare(section.text, every[at][0]), line_end(text), is_last=end == len(text))
    above = text[:start] if text[:start].endswith(("\n", "\r")) else text[:start] + line_end(text)
    changed = above + filled + text[end:]
    now, left = _names(_headings(changed)), len(every) - after
    if now[: at + 1] != _names(every[: at + 1]) or (left and now[-left:] != _names(every[after:])):
        raise BadInput("this text would hide the headings below it; close its code block or comment")
    return changed


def _headings(text: str) -> list[Found]:
    """The page's own, in order; raises `BadInput` for a page too long to be seen to its end."""
    begins = frontmatter.read(text).body_start
    body = text[begins:]
    markup = scan(body, 1 + sum(1 for _ in NEWLINE.finditer(text, 0, begins)))
    if markup.end < len(body):
        raise BadInput("this page is too long for its sections to be told; replace a passage of it, or split it")
    spans = {span.first_line: span for span in markup.blocks if span.kind == "heading"}
    return [(heading, spans[heading.line]) for heading in markup.headings if heading.line in spans]


def _meant(every: Sequence[Found], heading: str) -> int:
    """Which heading it is: by its text, and of several by the level too, where that is given as `## Text`."""
    marked = _MARKED.match(heading)
    names = {_key(heading), _key(marked[2])} if marked else {_key(heading)}
    found = [n for n, (each, _) in enumerate(every) if _key(each.text) in names]
    if len(found) > 1 and marked:
        found = [n for n in found if every[n][0].level == len(marked[1])]
    if len(found) == 1:
        return found[0]
    there = ", ".join(f"{'#' * each.level} {each.text[:SHOWN]}" for each, _ in every[:NAMED]) or "none"
    which = f"{len(found)} headings of this page are" if found else "no heading of this page is"
    raise BadInput(f"{which} {heading!r}; there are {there}{' …' * (len(every) > NAMED)}")


def _bare(said: str, heading: Heading) -> str:
    """`said` without the heading that stays anyhow, and without blank lines around."""
    first, _, rest = said.lstrip(_BLANK).partition("\n")
    marked = _MARKED.match(first)
    is_same = marked is not None and len(marked[1]) == heading.level and _key(marked[2]) == _key(heading.text)
    return (rest if is_same else said).strip("\r\n")


def _filled(old: str, said: str, newline: str, *, is_last: bool) -> str:
    """`said` in the place of what stands between two headings, or between the last one and the page's end."""
    apart = "" if is_last else newline
    if not said.strip():
        return apart
    said = NEWLINE.sub(newline, said)
    content = old.strip(_BLANK)
    if not content:
        return newline + said + newline + apart
    above, _, below = old.partition(content)
    before = above[: max(above.rfind("\n"), above.rfind("\r")) + 1]
    ending = NEWLINE.search(below)
    after = below[ending.start() :] if ending else newline
    return before + said + (after if is_last or len(NEWLINE.findall(after)) > 1 else newline + apart)


def _names(every: Sequence[Found]) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading, _ in every]


def _key(text: str) -> str:
    return folded(" ".join(text.split()))
