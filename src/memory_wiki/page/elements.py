"""What the text of a page holds, as values: headings, links, tags, fields, facts' items, blocks.

`line` is 1-based in the whole file. `start` and `end` are character offsets in the body, and cut exactly the
part that a class names, so that it can be replaced by splicing.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "paragraph", "list", "item", "code", "table", "quote", "html", "rule"]


@dataclass(frozen=True, slots=True)
class Heading:
    """`## text`; `text` is plain, without markup, link syntax and block id."""

    level: int
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Link:
    """`[[target#heading|alias]]` or `[alias](target#heading)`; offsets cut the target alone.

    `target` is "" for a link into the same page; `heading` may be nested (`a#b`); `block` is an id without `^`.
    A Markdown link's parts are percent-decoded.
    """

    target: str
    heading: str
    block: str
    alias: str
    embed: bool
    style: Literal["wiki", "markdown"]
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tag:
    """`#area/db`; `name` is without `#`, offsets with it."""

    name: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Field:
    """Dataview's inline field, `key:: value`; offsets cut all of it, brackets too."""

    key: str
    value: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class BlockId:
    """`^id` at the end of a block; offsets include the `^`."""

    id: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Callout:
    """`> [!kind]- title`."""

    kind: str
    title: str
    line: int


@dataclass(frozen=True, slots=True)
class ListItem:
    """A list item that begins with text; offsets cut that first paragraph, without the marker."""

    marker: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """The lines of one top-level block, both ends included; a list has its items as spans of their own."""

    kind: Kind
    first_line: int
    last_line: int
    items: tuple["Span", ...] = ()


@dataclass(frozen=True, slots=True)
class Markup:
    """All that one pass over a body found, each in the order of the text; `end` is how far it looked."""

    headings: tuple[Heading, ...] = ()
    links: tuple[Link, ...] = ()
    tags: tuple[Tag, ...] = ()
    fields: tuple[Field, ...] = ()
    block_ids: tuple[BlockId, ...] = ()
    callouts: tuple[Callout, ...] = ()
    items: tuple[ListItem, ...] = ()
    blocks: tuple[Span, ...] = ()
    end: int = 0
