"""The verbs: the one place that wires settings, vault, index, clock and chance.

Each name is imported when it is first asked for, as a recall needs no more than `Wiki` (PEP 562).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_wiki.page.memory import Memory
    from memory_wiki.recall.answer import Question
    from memory_wiki.wiki.remembering import Wish
    from memory_wiki.wiki.wiki import Wiki

__all__ = ["Memory", "Question", "Wiki", "Wish"]

_HOMES = {
    "Memory": "memory_wiki.page.memory",
    "Question": "memory_wiki.recall.recall",
    "Wiki": "memory_wiki.wiki.wiki",
    "Wish": "memory_wiki.wiki.remembering",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
