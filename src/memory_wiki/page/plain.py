"""The blocks of a body that is plainly written, told line by line: what most pages are, at a fifth of the cost.

Plain are paragraphs, ATX headings, closed fences, rules, and lists without anything nested; a line whose first
characters could begin anything else, or be read in two ways, makes the body not plain, and the Markdown parser is
asked. It is right by definition: a property test holds that both say the same.
"""

import re
from collections.abc import Iterator
from typing import cast

from memory_wiki.page.elements import Kind, Span
from memory_wiki.page.outline import Leaf, Outline

_TEXT = (
    r"""(?:[^\s!-/:-@\[-`{-~0-9]|[!"$%&'(),./;?@\[\\\]^{}]|[0-9]++(?:(?![.)])|[.)](?=\S))"""
    r"""|`{1,2}+(?=[^`\s])|\*{1,2}+(?=[^*\s])|_{1,2}+(?=[^_\s])|~{1,2}+(?=[^~\s])|\#{1,6}+(?=[^\s#]))[^\n]*"""
)
"""A line that begins nothing, whatever its indent below another: no list, quote, heading, fence, rule or HTML, nor
the second line of a table or an underlined heading."""
_PARAGRAPH = rf"{_TEXT}(?:\n[ ]*+{_TEXT})*+(?:\n|\Z)"
_ALONE = r"(?=[ ]*+(?:\n|\Z))"
_BLOCK = re.compile(
    rf"""
      (?P<blank> [ ]*+\n )
    | (?P<item> (?P<number>[0-9]{{0,9}}+) (?P<marker>(?<=[0-9])[.)]|(?<![0-9])[-*+]) [ ] (?P<said>{_PARAGRAPH}) )
    | (?P<heading> (?P<marks>\#{{1,6}}+) [ ]++ (?P<title>[^\s#](?:[^\n]*[^\s#])?) [ ]*+ (?:\n|\Z) )
    | (?P<code> (?P<fence>`{{3,}}+) [^`|\n]*+ \n (?:(?![ ]*+(?P=fence))[^\n]*+\n)*+ (?P=fence) `*+ [ ]*+ (?:\n|\Z) )
    | (?P<rule> (?:-{{3,}}+|\*{{3,}}+|_{{3,}}+) [ ]*+ (?:\n|\Z) )
    | (?P<table> \|(?:[^|\n\\]*+\|)++ [ ]*+\n  # as many cells as below; `_is_odd` counts them
                 \|(?:[ ]*+:?-++:?[ ]*+\|)++ [ ]*+(?:\n|\Z) (?:\|[^\n]*+(?:\n|\Z))*+ ) {_ALONE}
    | (?P<quote> >[ ] {_TEXT} (?:\n>[ ] {_TEXT})*+ (?:\n|\Z) ) {_ALONE}
    | (?P<paragraph> {_PARAGRAPH} )
    | (?P<odd> . )
    """,
    re.VERBOSE | re.DOTALL,
)
MAX_TABLE = 10_000
"""Characters; the parser cuts a table that it would have to fill up with 65,536 cells, which takes more than these."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_ODD = re.compile("[\0\r\t]")


IS_SOUND = [block.end() for block in _BLOCK.finditer("# a\nb\n\n- c\n")] == [4, 6, 7, 11]
"""Whether possessive quantifiers give back nothing, as they should: before Python 3.11.5 some do, and pages would be
misread (https://github.com/python/cpython/issues/106052)."""


def outline(body: str, first_line: int) -> Outline | None:
    """The blocks of `body`, which begins in line `first_line` of its file; None where it is not plain."""
    if not IS_SOUND or _ODD.search(body):
        return None
    found: list[re.Match[str]] = []
    before = ""
    for block in _BLOCK.finditer(body):
        kind = block.lastgroup or ""
        if kind == "odd" or _is_odd(block, kind, before):
            return None
        before = kind
        found.append(block)
    return Outline([leaf for block in found for leaf in _leaves(block)], list(_spans(found, first_line)))


def _is_odd(block: re.Match[str], kind: str, before: str) -> bool:
    """Whether it could be one block with the one before, or one of another kind, as nothing stands between."""
    if kind in {"rule", "table", "quote"} and before in {"paragraph", "item", "heading"}:
        return True  # a line of dashes makes a heading, or a table, of the one above
    if kind == "quote":
        return block.group().rstrip(" \n")[-1].isspace()
    if kind == "table":
        head, dashes = block.group().split("\n", 2)[:2]
        return head.count("|") != dashes.count("|") or len(block.group()) > MAX_TABLE
    return kind == "item" and before == "paragraph" and block["number"] not in {"", "1"}


def _leaves(block: re.Match[str]) -> Iterator[Leaf]:
    start, end = block.span()
    match block.lastgroup:
        case "paragraph":
            yield Leaf(start, end)
        case "item":
            yield Leaf(start, end, 0, block["said"].split("\n", 1)[0].rstrip(), "item", block["marker"])
        case "heading":
            yield Leaf(start, end, len(block["marks"]), block["title"])
        case "quote":
            lines = block.group().split("\n")
            yield Leaf(start, end, 0, "\n".join(line[2:] for line in lines).rstrip(" \n"), "quote")
        case "table":
            yield from _rows(start, block.group())


def _rows(start: int, table: str) -> Iterator[Leaf]:
    for number, line in enumerate(_LINE.finditer(table)):
        if number != 1:  # the line of dashes
            yield Leaf(start + line.start(), start + line.end())


def _spans(found: list[re.Match[str]], first_line: int) -> Iterator[Span]:
    """The top-level blocks by lines: neighbouring items with one marker are a list, blank lines between or not."""
    items: list[Span] = []
    marker = ""
    line = first_line
    for block in found:
        start, end = block.span()
        kind, first = block.lastgroup, line
        line += block.string.count("\n", start, end)
        if kind == "blank":
            continue
        last = line - (block.string[end - 1] == "\n")
        if items and (kind != "item" or block["marker"] != marker):
            yield _list(items)
            items = []
        if kind == "item":
            marker = block["marker"]
            items.append(Span("item", first, last))
        else:
            yield Span(cast(Kind, kind), first, last)
    if items:
        yield _list(items)


def _list(items: list[Span]) -> Span:
    return Span("list", items[0].first_line, items[-1].last_line, tuple(items))
