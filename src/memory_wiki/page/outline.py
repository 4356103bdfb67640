"""The blocks of a body, as values: those that hold text, and the top-level ones by lines. Pure."""

from typing import Literal, NamedTuple

from memory_wiki.page.elements import Span


class Leaf(NamedTuple):
    """A block that holds text: its lines as offsets, and what is asked of it later.

    `level` is a heading's, 0 for all else. `content` is the text of a heading, or of a block that begins a quote,
    without the marks of blocks; of one that begins a list item it is the first line, and `marker` the item's mark.
    """

    start: int
    end: int
    level: int = 0
    content: str = ""
    container: Literal["", "quote", "item"] = ""
    marker: str = ""


class Outline(NamedTuple):
    """Leaves and top-level blocks, each in the order of the text."""

    leaves: list[Leaf]
    blocks: list[Span]
