"""What a page's move may touch: the pages whose links it could change, and the names before and after."""

from collections.abc import Callable
from contextlib import suppress

from memory_wiki.errors import PageNotFound
from memory_wiki.index.words import Words
from memory_wiki.page.links import Named
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath, folded, stem


def around(
    page: Page, to: PagePath, words: Words, read: Callable[[PagePath], Page]
) -> tuple[list[Page], tuple[Named, Named]]:
    """Pages with a link by any name that the page has, or will have; and which pages have a name, before and after."""
    own = {folded(stem(to)), *(folded(alias) for alias in page.aliases)}
    names = sorted({folded(stem(page.path)), *own})
    linking = dict.fromkeys(path for name in names for path in words.linking_to(name))

    def after(key: str) -> tuple[PagePath, ...]:
        kept = tuple(path for path in words.named(key) if path != page.path)
        return (*kept, to) if key in own else kept

    pages = []
    for path in linking:
        with suppress(PageNotFound):  # left out by a sparse checkout
            pages.append(read(path))
    return pages, (words.named, after)
