"""The verbs: the one place that wires settings, vault, index, clock and chance."""

from memory_wiki.wiki.wiki import Wiki

__all__ = ["Wiki"]
