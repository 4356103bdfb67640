"""One pass over a body: its blocks by a Markdown parser, what stands inside them by Obsidian's syntax.

Never fails, for any text; nothing is found in code, comments, math and HTML. Only the parser's rules for blocks
are used: its inline rules know none of Obsidian's syntax, and take half the time.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from markdown_it import MarkdownIt
from markdown_it.token import Token

from memory_wiki.page import inline
from memory_wiki.page.elements import BlockId, Callout, Field, Heading, Kind, Link, ListItem, Markup, Span, Tag
from memory_wiki.page.hidden import BLANK, blank
from memory_wiki.page.inline import Text
from memory_wiki.page.text import NEWLINE

_NESTING = 40  # deeper lists are text; each level is two to the parser, and costs it a pass over the lines
_PARSER = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
_PARSER.disable(["inline", "text_join", "reference"])  # a `[x]: y` line is text here, and belongs to a block

MAX_CHARS = 1024 * 1024
MAX_STEPS = 20_000
"""How far into a body we look. A step is a line or a container's mark, for each of which the parser takes 10–25 µs."""

MAX_HEADING = 1000
"""Characters of a heading that become its text."""

_STEP = re.compile(r"\r\n|\r|\n|[-+*>][ \t]")
_CALLOUT = re.compile(r"\[!([^\[\]|\n]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*([^\n]*)")
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+\s*\Z")
_MARKS = BLANK + " \t\r\n#>-*+=|"
_KINDS: dict[str, Kind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "fence": "code",
    "code_block": "code",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
}


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A block that holds text: its lines as offsets, that text, and the tokens that opened it and its parent."""

    start: int
    end: int
    content: str
    opening: Token
    parent: Token | None


def scan(body: str, first_line: int = 1) -> Markup:
    """All that `body` holds, up to `Markup.end`; `first_line` is the line of the file in which it begins."""
    body = body[: _end(body)]
    starts = [0, *(newline.end() for newline in NEWLINE.finditer(body)), len(body)]
    tokens = _PARSER.parse(body)
    leaves = list(_leaves(tokens, starts))
    text = Text(body, blank(body, ((leaf.start, leaf.end) for leaf in leaves)), starts, first_line)
    shown = [leaf for leaf in leaves if _is_shown(leaf, text)]
    return Markup(
        headings=tuple(_headings(shown, text)),
        links=_found(inline.links, "[", shown, text),
        tags=_found(inline.tags, "#", shown, text),
        fields=_found(inline.fields, "::", shown, text),
        block_ids=_found(inline.block_ids, "^", shown, text),
        callouts=tuple(_callouts(shown, text)),
        items=tuple(_items(shown, text)),
        blocks=tuple(_blocks(tokens, text))[::-1],
        end=len(body),
    )


_Part = TypeVar("_Part", Link, Tag, Field, BlockId)


def _found(
    find: Callable[[Text, int, int], Iterator[_Part]], mark: str, leaves: Sequence[_Leaf], text: Text
) -> tuple[_Part, ...]:
    """What `find` finds in each leaf; nothing without its `mark` somewhere in the text."""
    if mark not in text.visible:
        return ()
    return tuple(part for leaf in leaves for part in find(text, leaf.start, leaf.end))


def _end(body: str) -> int:
    """Where to stop looking: between two lines, where that can be."""
    if len(body) <= MAX_STEPS:
        return len(body)
    steps = islice(_STEP.finditer(body, 0, MAX_CHARS), MAX_STEPS, None)
    end = next((step.start() for step in steps), min(len(body), MAX_CHARS))
    if end == len(body):
        return end
    return max(body.rfind("\n", 0, end), body.rfind("\r", 0, end)) + 1 or end


def _leaves(tokens: Sequence[Token], starts: Sequence[int]) -> Iterator[_Leaf]:
    for index, token in enumerate(tokens):
        is_row = token.type == "tr_open"  # a cell's token does not say where in its line it stands
        if not token.map or not (is_row or token.type == "inline"):
            continue
        opening = token if is_row else tokens[index - 1]
        if opening.type not in {"th_open", "td_open"}:
            parent = tokens[index - 2] if index > 1 else None
            first, last = token.map
            yield _Leaf(starts[first], starts[last], token.content, opening, parent)


def _is_shown(leaf: _Leaf, text: Text) -> bool:
    """Whether it is more than a part of a comment that spans blocks; a code span alone is."""
    visible = text.visible[leaf.start : leaf.end]
    return BLANK not in visible or bool(visible.strip(_MARKS)) or "`" in text.body[leaf.start : leaf.end]


def _headings(leaves: Sequence[_Leaf], text: Text) -> Iterator[Heading]:
    for leaf in leaves:
        if leaf.opening.type == "heading_open":
            shown = _BLOCK_ID.sub("", leaf.content[:MAX_HEADING])
            yield Heading(int(leaf.opening.tag[1:]), inline.plain(shown), text.line(leaf.start))


def _callouts(leaves: Sequence[_Leaf], text: Text) -> Iterator[Callout]:
    for leaf in leaves:
        if leaf.parent and leaf.parent.type == "blockquote_open" and (found := _CALLOUT.match(leaf.content)):
            yield Callout(found[1].strip().lower(), inline.plain(found[2]), text.line(leaf.start))


def _items(leaves: Sequence[_Leaf], text: Text) -> Iterator[ListItem]:
    for leaf in leaves:
        if leaf.parent and leaf.parent.type == "list_item_open" and leaf.opening.type == "paragraph_open":
            line = text.line(leaf.start)
            first = text.body[leaf.start : text.starts[line - text.first_line + 1]].rstrip()
            start = leaf.start + len(first) - len(leaf.content.split("\n", 1)[0].rstrip())
            end = leaf.start + len(text.body[leaf.start : leaf.end].rstrip())
            yield ListItem(leaf.parent.markup, line, start, end)


def _blocks(tokens: Sequence[Token], text: Text) -> Iterator[Span]:
    items: list[Span] = []
    for token in reversed(tokens):
        if token.type == "list_item_open" and token.level == 1:
            items.append(_span("item", token, text))
        elif token.level == 0 and token.map and token.nesting >= 0:
            yield _span(_KINDS[token.type], token, text, tuple(reversed(items)))
            items.clear()


def _span(kind: Kind, token: Token, text: Text, items: tuple[Span, ...] = ()) -> Span:
    """Its lines without the blank ones at the end, which the parser counts in for lists and code."""
    first, last = token.map or (0, 0)
    while last > first + 1 and not text.body[text.starts[last - 1] : text.starts[last]].strip():
        last -= 1
    return Span(kind, text.first_line + first, text.first_line + last - 1, items)
