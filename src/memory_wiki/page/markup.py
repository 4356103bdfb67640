"""One pass over a body: its blocks by a Markdown parser, what stands inside them by Obsidian's syntax.

Never fails, for any text; nothing is found in code, comments, math and HTML. Only the parser's rules for blocks
are used: its inline rules know none of Obsidian's syntax, and take half the time.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING, TypeVar

from memory_wiki.page import inline, plain
from memory_wiki.page.elements import BlockId, Callout, Field, Heading, Kind, Link, ListItem, Markup, Span, Tag
from memory_wiki.page.hidden import BLANK, blank
from memory_wiki.page.inline import Text
from memory_wiki.page.outline import Leaf, Outline
from memory_wiki.page.text import NEWLINE

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NESTING = 40  # deeper lists are text; each level is two to the parser, and costs it a pass over the lines
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


def scan(body: str, first_line: int = 1) -> Markup:
    """All that `body` holds, up to `Markup.end`; `first_line` is the line of the file in which it begins."""
    body = body[: _end(body)]
    starts = _starts(body)
    leaves, blocks = plain.outline(body, first_line) or _outline(body, starts, first_line)
    text = Text(body, blank(body, ((leaf.start, leaf.end) for leaf in leaves)), starts, first_line)
    shown = [leaf for leaf in leaves if _is_shown(leaf, text)] if BLANK in text.visible else leaves
    return Markup(
        headings=tuple(_headings(shown, text)),
        links=_found(inline.links, "[", shown, text),
        tags=_found(inline.tags, "#", shown, text),
        fields=_found(inline.fields, "::", shown, text),
        block_ids=_found(inline.block_ids, "^", shown, text),
        callouts=tuple(_callouts(shown, text)),
        items=tuple(_items(shown, text)),
        blocks=tuple(blocks),
        end=len(body),
    )


_Part = TypeVar("_Part", Link, Tag, Field, BlockId)


def _found(
    find: Callable[[Text, int, int], Iterator[_Part]], mark: str, leaves: Sequence[Leaf], text: Text
) -> tuple[_Part, ...]:
    """What `find` finds in each leaf that holds its `mark`."""
    visible = text.visible
    if mark not in visible:
        return ()
    marked = (leaf for leaf in leaves if visible.find(mark, leaf.start, leaf.end) >= 0)
    return tuple(part for leaf in marked for part in find(text, leaf.start, leaf.end))


def _end(body: str) -> int:
    """Where to stop looking: between two lines, where that can be."""
    if len(body) <= MAX_STEPS:
        return len(body)
    steps = islice(_STEP.finditer(body, 0, MAX_CHARS), MAX_STEPS, None)
    end = next((step.start() for step in steps), min(len(body), MAX_CHARS))
    if end == len(body):
        return end
    return max(body.rfind("\n", 0, end), body.rfind("\r", 0, end)) + 1 or end


def _starts(body: str) -> list[int]:
    """Where lines begin, and the end of the last."""
    if "\r" in body:
        return [0, *(newline.end() for newline in NEWLINE.finditer(body)), len(body)]
    ends = list(accumulate((len(line) + 1 for line in body.split("\n")), initial=0))
    ends[-1] = len(body)
    return ends


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _NESTING}).enable("table")
    return parser.disable(["inline", "text_join", "reference"])  # a `[x]: y` line is text here, and belongs to a block


def _outline(body: str, starts: Sequence[int], first_line: int) -> Outline:
    """The blocks of any body, told by the Markdown parser."""
    tokens = _parser().parse(body)
    blocks = list(_blocks(tokens, Text(body, body, starts, first_line)))
    return Outline(list(_leaves(tokens, starts)), blocks[::-1])


def _leaves(tokens: Sequence["Token"], starts: Sequence[int]) -> Iterator[Leaf]:
    for index, token in enumerate(tokens):
        if not token.map:
            continue
        start, end = starts[token.map[0]], starts[token.map[1]]
        if token.type == "tr_open":  # a cell's token does not say where in its line it stands
            yield Leaf(start, end)
        elif token.type == "inline":
            yield from _leaf(token, tokens[index - 1], tokens[index - 2] if index > 1 else None, start, end)


def _leaf(token: "Token", opening: "Token", parent: "Token | None", start: int, end: int) -> Iterator[Leaf]:
    level = int(opening.tag[1:]) if opening.type == "heading_open" else 0
    if opening.type in {"th_open", "td_open"}:
        return
    if parent and parent.type == "blockquote_open":
        yield Leaf(start, end, level, token.content, "quote")
    elif parent and parent.type == "list_item_open" and not level:
        yield Leaf(start, end, 0, token.content.split("\n", 1)[0].rstrip(), "item", parent.markup)
    else:
        yield Leaf(start, end, level, token.content if level else "")


def _is_shown(leaf: Leaf, text: Text) -> bool:
    """Whether it is more than a part of a comment that spans blocks; a code span alone is."""
    visible = text.visible[leaf.start : leaf.end]
    return BLANK not in visible or bool(visible.strip(_MARKS)) or "`" in text.body[leaf.start : leaf.end]


def _headings(leaves: Sequence[Leaf], text: Text) -> Iterator[Heading]:
    for leaf in leaves:
        if leaf.level:
            shown = leaf.content[:MAX_HEADING]
            shown = _BLOCK_ID.sub("", shown) if "^" in shown else shown
            yield Heading(leaf.level, inline.plain(shown), text.line(leaf.start))


def _callouts(leaves: Sequence[Leaf], text: Text) -> Iterator[Callout]:
    for leaf in leaves:
        if leaf.container == "quote" and (found := _CALLOUT.match(leaf.content)):
            yield Callout(found[1].strip().lower(), inline.plain(found[2]), text.line(leaf.start))


def _items(leaves: Sequence[Leaf], text: Text) -> Iterator[ListItem]:
    for leaf in leaves:
        if leaf.container == "item":
            start = _said_from(leaf, text)
            end = leaf.start + len(text.body[leaf.start : leaf.end].rstrip())
            yield ListItem(leaf.marker, text.line(start), start, end)


def _said_from(leaf: Leaf, text: Text) -> int:
    """Where an item's content begins: in the line of its mark, unless odd white space fills that."""
    first = text.line(leaf.start) - text.first_line
    for begins, ends in pairwise(text.starts[first:]):
        said = text.body[begins:ends].rstrip().replace("\0", "\ufffd")  # as the parser has it
        if said.endswith(leaf.content):
            return begins + len(said) - len(leaf.content)
    return leaf.start


def _blocks(tokens: Sequence["Token"], text: Text) -> Iterator[Span]:
    items: list[Span] = []
    for token in reversed(tokens):
        if token.type == "list_item_open" and token.level == 1:
            items.append(_span("item", token, text))
        elif token.level == 0 and token.map and token.nesting >= 0:
            yield _span(_KINDS[token.type], token, text, tuple(reversed(items)))
            items.clear()


def _span(kind: Kind, token: "Token", text: Text, items: tuple[Span, ...] = ()) -> Span:
    """Its lines without the blank ones at the end, which the parser counts in for lists and code."""
    first, last = token.map or (0, 0)
    while last > first + 1 and not text.body[text.starts[last - 1] : text.starts[last]].strip():
        last -= 1
    return Span(kind, text.first_line + first, text.first_line + last - 1, items)
