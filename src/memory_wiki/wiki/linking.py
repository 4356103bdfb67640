"""What a new memory is to link to: pages by whatever they are called, as links that lead to them. Reads the index."""

from dataclasses import replace

from memory_wiki.errors import Ambiguous, BadPath, PageNotFound
from memory_wiki.index.words import Words
from memory_wiki.page.links import destination, shortest
from memory_wiki.page.memory import UNNAMED, Memory
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, folded
from memory_wiki.vault.vault import Vault
from memory_wiki.wiki.find import bare_name, find


def with_targets(memory: Memory, vault: Vault, words: Words) -> Memory:
    """The memory with its links as they are to be written: each page once, and none that its text links to anyhow.

    What no page is called, or several are, is linked by that name, as one may link to a page that is still to come.
    """
    if not memory.links:
        return memory
    own = parse(UNNAMED, memory.text.encode("utf-8", "replace")).links
    seen = {destination(link, UNNAMED, words.named) or _key(link.target) for link in own}
    targets = []
    for name in map(bare_name, memory.links):
        path = found(name, vault, words)
        if name and (path or _key(name)) not in seen:
            seen.add(path or _key(name))
            targets.append(shortest(path, words.named) if path else name)
    return replace(memory, links=tuple(targets))


def _key(name: str) -> str:
    return folded(name).removesuffix(".md")


def found(name: str, vault: Vault, words: Words) -> PagePath | None:
    """The page that is called so; None where none is, or several are."""
    try:
        return find(name, vault, words)
    except (PageNotFound, Ambiguous, BadPath):
        return None
