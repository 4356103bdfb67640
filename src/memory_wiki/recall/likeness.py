"""Whether two passages say the same in nearly the same words. Pure."""

import re

NEAR = 0.8  # of shared word triples; rewordings of one fact lie far below, copies with another date or name above
_WORD = re.compile(r"\w+")


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Every run of three words, lower case; all its words together for a shorter text."""
    words = _WORD.findall(text.casefold())
    if len(words) < 3:  # noqa: PLR2004
        return frozenset({tuple(words)})
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def is_near_copy(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    """Jaccard likeness of two sets of shingles (Broder 1997, https://doi.org/10.1109/SEQUEN.1997.666900)."""
    shared = len(one & other)
    return shared >= NEAR * (len(one) + len(other) - shared)
