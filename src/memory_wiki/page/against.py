"""Whether one statement speaks against another: it denies it, says the opposite, or gives another value of it. Pure.

Decided on words, and rather not at all than wrongly: both have to speak of the same, but for the one thing in which
they differ. Where that is what they speak of (`step 3`, `the worker`), they tell of two things, and both may hold.

Of SICK's 5,000 pairs of sentences .97 of those that are told for contradictions are such, and .71 of all contradictions
are told; of 8 million pairs of statements on other pages of a help vault, 2 are told, and neither is one.
"""

from collections.abc import Sequence
from enum import StrEnum

from memory_wiki.page.small_words import ARTICLES, LABELS, OPPOSITES, ORDERS, PLACES
from memory_wiki.page.statement import Statement, Word

ABOUT = 2
"""Words at least that two statements have to share, unless they are the same but for one word."""

BARE = 3
"""Words up to which a statement with a name tells of it no more than a title does: `Publish to Vercel`."""

SHARE = 0.8
"""Of the words of the longer one, how many both have to say where one denies the other: on SICK .82 of what is told is
right at half, .95 at .75, .97 at .8."""


class How(StrEnum):
    """In what way a statement speaks against another."""

    DENIED = "denied"
    OPPOSITE = "opposite"
    VALUE = "value"


def against(one: Statement, other: Statement) -> How | None:
    """In what way, if it does; the same in both directions."""
    shared = len(one.about & other.about)
    if shared < ABOUT and not (shared and _is_one_word_apart(one, other)):
        return None
    if one.denies != other.denies:
        alike = shared >= SHARE * max(len(one.about), len(other.about))
        return How.DENIED if alike and one.values == other.values else None
    if one.values == other.values:
        return _by_a_word(one, other)
    return How.VALUE if _is_of_the_same(one, other) and _differs_in_one_value(one, other) else None


def _is_of_the_same(one: Statement, other: Statement) -> bool:
    """Whether one speaks of all that the other does, and of one thing more at most."""
    return len(one.about ^ other.about) <= 1


def _is_one_word_apart(one: Statement, other: Statement) -> bool:
    pairs = zip(one.words, other.words, strict=False)
    return len(one.words) == len(other.words) and [a.folded == b.folded for a, b in pairs].count(False) == 1


def _differs_in_one_value(one: Statement, other: Statement) -> bool:
    ours, theirs = _values(one.words), _values(other.words)
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=False) if one.words[a].folded != other.words[b].folded]
    if len(ours) != len(theirs) or len(pairs) != 1:
        return False
    return all(
        at == 0 or words[at - 1].folded not in LABELS
        for words, at in zip((one.words, other.words), pairs[0], strict=True)
    )


def _values(words: Sequence[Word]) -> list[int]:
    return [at for at, word in enumerate(words) if word.is_value]


def _by_a_word(one: Statement, other: Statement) -> How | None:
    """For statements that are the same but for one word in each: opposites, or two names in the place of a value."""
    ours, theirs = _only(one, other), _only(other, one)
    if len(ours) != 1 or len(theirs) != 1:
        return None
    a, b = ours[0], theirs[0]
    if _are_opposite(one.words[a].folded, other.words[b].folded):
        return How.OPPOSITE if _says(one, a) and _says(other, b) else None
    is_value = all(len(words) > BARE and _is_a_name(words, at) for words, at in ((one.words, a), (other.words, b)))
    return How.VALUE if is_value and _lead(one.words, a) == _lead(other.words, b) else None


def _only(one: Statement, other: Statement) -> list[int]:
    """Where the words stand that only `one` has."""
    return [at for at, word in enumerate(one.words) if word.stem in one.about - other.about]


def _says(said: Statement, at: int) -> bool:
    """Whether a word says something of what the statement is about, and is not what that begins with."""
    first = next(n for n, word in enumerate(said.words) if word.stem in said.about)
    return at > first or said.words[at].folded in ORDERS


def _are_opposite(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return frozenset((one, other)) in OPPOSITES or long in {f"un{short}", f"non{short}", f"non-{short}"}


def _is_a_name(words: Sequence[Word], at: int) -> bool:
    """Whether a word is written as names are, and where the value of something stands."""
    return words[at].is_name and _lead(words, at) in PLACES


def _lead(words: Sequence[Word], at: int) -> str:
    """The word before, articles passed over."""
    before = [word.folded for word in words[:at] if word.folded not in ARTICLES]
    return before[-1] if before else ""
