"""Items of a list at the end of a page. Pure."""

from collections.abc import Sequence

from memory_wiki.page.elements import Markup
from memory_wiki.page.text import NEWLINE


def with_items(text: str, markup: Markup, items: Sequence[str], newline: str) -> str:
    """`text`, which ends in what `markup` was found in, and `items` below: in the list that ends it, else apart."""
    if text and not text.endswith(("\n", "\r", "\ufeff")):
        text += newline
    lines = NEWLINE.split(text)
    if markup.blocks and markup.blocks[-1].kind != "list" and lines[-2].strip():
        text += newline
    return text + "".join(f"{item}{newline}" for item in items)
