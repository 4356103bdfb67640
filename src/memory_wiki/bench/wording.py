"""How near an answer comes to the one that a dataset gives, by their words. Pure.

As SQuAD counts (Rajpurkar et al., EMNLP 2016): neither case, punctuation nor articles matter.
"""

import re
from collections import Counter

_ARTICLES = frozenset({"a", "an", "the"})
_WORD = re.compile(r"\w+")


def token_f1(said: str, wanted: str) -> float:
    """The harmonic mean of the shares of words said that are wanted, and of words wanted that are said."""
    found, sought = Counter(_words(said)), Counter(_words(wanted))
    shared = (found & sought).total()
    return 2 * shared / (found.total() + sought.total()) if shared else 0.0


def contains(said: str, wanted: str) -> float:
    """1 if the wanted words stand in what was said, one after another."""
    sought = _words(wanted)
    return float(bool(sought) and f" {' '.join(sought)} " in f" {' '.join(_words(said))} ")


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.casefold()) if word not in _ARTICLES]
