"""What one sentence states: the words it is about, the values it gives, and whether it denies. Pure.

Words are told apart by white space: in scripts without it a sentence is one word, and states nothing here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory_wiki.page.sentences import is_question, sentences
from memory_wiki.page.small_words import DATES, DENIES, TELLS_NOTHING

Stem = Callable[[str], str]
"""A word, folded, as the form that it shares with its other forms."""

LONGEST = 300
"""Characters of a sentence that states one thing; what is longer states several."""

_SHORT_FORM = re.compile(r"n['’]t\b")
_NO_PROSE = re.compile(r"https?://\S+|\([\w-]+::[^)]*\)|\(?#\d+\)?|<[^<>]*>|\[\[[^\]|]*\||\s\^[A-Za-z0-9-]+\s*$")
_WORD = re.compile(r"[^\W_]+(?:[.,:/@+_'’-][^\W_]+)*%?")
_VALUE = re.compile(r"v?\d")
_NO_STATEMENT = re.compile(r"\A\||until::|~~", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}\s.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a statement, folded, and its stem, which of a value is itself. Names are not written as words are."""

    folded: str
    stem: str
    is_value: bool
    is_name: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, its words in order, and the stems of those that tell what it is about, values not among them."""

    text: str
    words: tuple[Word, ...]
    about: frozenset[str]
    denies: bool

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(word.folded for word in self.words if word.is_value)


Said = tuple[Statement, ...]
"""What a text states."""


def statements(text: str, stem: Stem) -> Iterator[Statement]:
    """Those of a text: its sentences, but for headings, questions, rows of tables, what is too long for one, and facts
    that hold no more.
    """
    for sentence in sentences(_HEADING.sub("", text)):
        if len(sentence) <= LONGEST and not is_question(sentence) and not _NO_STATEMENT.search(sentence):
            yield _statement(sentence, stem)


def _statement(sentence: str, stem: Stem) -> Statement:
    prose = _NO_PROSE.sub(" ", _SHORT_FORM.sub(" not", sentence))
    words = tuple(_word(found, stem) for found in _WORD.finditer(prose))
    about = frozenset(word.stem for word in words if not word.is_value and not _is_small(word.folded))
    return Statement(sentence, words, about, any(word.folded in DENIES for word in words))


def _word(found: re.Match[str], stem: Stem) -> Word:
    text = found.group()
    folded = text.casefold()
    is_value = bool(_VALUE.match(folded)) or folded in DATES
    is_code = found.string[: found.start()].endswith("`")
    return Word(folded, folded if is_value else stem(folded), is_value, is_code or text != folded or not text.isalpha())


def _is_small(word: str) -> bool:
    return word in TELLS_NOTHING or word in DENIES
