"""The verbs: the one place that wires settings, vault, index, clock and chance."""

from memory_wiki.page.memory import Memory
from memory_wiki.recall.recall import Question
from memory_wiki.wiki.remembering import Wish
from memory_wiki.wiki.wiki import Wiki

__all__ = ["Memory", "Question", "Wiki", "Wish"]
