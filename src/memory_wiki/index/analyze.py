"""Text into the terms that the word index knows: one function for pages and for questions.

Pure, and linear in its input. Never raises on a `str`, and no term is longer than `TERM_BYTES`. Terms are a bag:
identifiers count whole and in parts, scripts without spaces as pairs of characters, all else as stems.
"""

import hashlib
import re
import unicodedata
from collections.abc import Collection
from functools import cache, lru_cache
from itertools import chain, repeat
from typing import NamedTuple

import Stemmer

from memory_wiki.index.language import language_of
from memory_wiki.index.stopwords import STOP_WORDS

TERM_BYTES = 200  # a longer term is replaced by its digest: tantivy refuses those above 65,530 bytes
CHUNK = 256  # characters analysed at once: normalising is quadratic in a run of combining marks
FALLBACK = "en"  # whose stems a text of unknown language gets: most short technical notes are English

_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian",
    "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip

# Thai, Lao, Myanmar, Hangul, Khmer, Han and kana: no space divides their words (Hangul: its words from their endings).
_PAIRED = (
    r"\u0e01-\u0e3a\u0e40-\u0e4e\u0e80-\u0ecf\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1100-\u11ff\u1780-\u17d3"
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3131-\u318e"
    r"\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7fb\uf900-\ufaff"
    r"\U0001b000-\U0001b16f\U00020000-\U000323af"
)
_EMOJI = r"\u2600-\u27bf\U0001f000-\U0001faff"
# Said by what is no letter: `\w` leaves out the vowel signs of Indic scripts.
_MARKS = (
    r"\s!-/:-@\[-`{-~\x00-\x1f\x7f-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\xd7\xf7\u02bc\u0589\u05be\u05c0\u05c3\u05f3\u05f4"
    r"\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u0e3f\u0e4f\u0e5a\u0e5b\u104a-\u104f\u17d4-\u17db"
    r"\u2000-\u206f\u20a0-\u20bf\u2190-\u25ff\u27c0-\u2bff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0"
    r"\u30fb\ufe10-\ufe6f\uff00-\uff0f\ufffc\ufffd"
)
_LETTER = rf"[^{_MARKS}{_PAIRED}{_EMOJI}]"
_ASCII_LETTER = r"[^\s!-/:-@\[-`{-~\x00-\x1f\x7f]"  # the same, of text that is ASCII alone
_WHOLE = r"(?P<whole>(?:(?<![.\-\w])(?:--|[.@]))?{0}+(?:[._\-/:@#+~?&=%$\\]+{0}+)*(?:\+\+|\#)?)"
_ASCII_TOKEN = re.compile(_WHOLE.replace("{0}", _ASCII_LETTER))
_ASCII_PART = re.compile(rf"{_ASCII_LETTER}+")
# A word that is nothing else, with the marks that prose puts around it: most chunks, and a quarter of the cost.
_SIMPLE_WORD = re.compile(r"""[("'\[]*+([A-Z]?[a-zß-öø-ÿ]++|[A-Z]++)[.,;:!?)"'\]]*+""")
_SEGMENT = re.compile(r"[^/:@#+~?&=%$\\]+")
_VERSION = re.compile(r"\A[vV](\d\S*)")  # v1.2.3 is found as 1.2.3 too
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])")
_INVISIBLE = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFE0E, 0xFE0F, 0xFEFF, *range(0xD800, 0xE000)])
_LIKE = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "ħ": "h", "ё": "е"})
_ACCENT = re.compile(r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")


Groups = list[list[str]]
"""What to look for: for each word, the forms of it that count."""


class _Token(NamedTuple):
    text: str
    is_word: bool  # a word is stemmed; an identifier as a whole, or a pair of characters, is not


def terms(text: str, language: str = "") -> list[str]:
    """The terms of `text`, in order and with repetition; words are stemmed by `language`, an ISO 639-1 code."""
    return [*chain.from_iterable(map(_terms_of, _chunks(text), repeat(language)))]


def question_terms(text: str, languages: Collection[str] = ()) -> Groups:
    """The forms in which each word of a question may be found, the word as it stands first.

    A short question does not tell its language, so a word may match by its stem in any of `languages`. Words too
    common to tell anything are left out, each word counts once, and nothing but such words gives no groups.
    """
    noise = STOP_WORDS.get(language_of(text) or FALLBACK, frozenset())
    tokens = dict.fromkeys(token for chunk in _chunks(text) for token in _tokens(chunk))
    stems = sorted({*languages, FALLBACK})
    return [_alternatives(token, stems) for token in tokens if token.text not in noise]


def _alternatives(token: _Token, languages: Collection[str]) -> list[str]:
    stems = [stem(token.text, language) for language in languages] if token.is_word else []
    return [*dict.fromkeys([_short(token.text), *stems])]


def _chunks(text: str) -> list[str]:
    """`text` between white space; longer than `CHUNK`, in pieces that share a character, lest a pair be lost."""
    chunks = text.split()
    if max(map(len, chunks), default=0) <= CHUNK:
        return chunks
    return [chunk[start : start + CHUNK] for chunk in chunks for start in range(0, max(1, len(chunk) - 1), CHUNK - 1)]


@lru_cache(maxsize=1 << 16)  # prose repeats its words: this makes the analysis of a page some four times faster
def _terms_of(chunk: str, language: str) -> tuple[str, ...]:
    if word := _SIMPLE_WORD.fullmatch(chunk):
        return (stem(word[1].casefold(), language),)
    return tuple(stem(token.text, language) if token.is_word else _short(token.text) for token in _tokens(chunk))


def _tokens(chunk: str) -> list[_Token]:
    if not chunk.isascii():
        chunk = unicodedata.normalize("NFKC", chunk.translate(_INVISIBLE))
    token = _ASCII_TOKEN if chunk.isascii() else _any_token()
    return [part for found in token.finditer(chunk) for part in _parts(found) if _plain(part.text)]


@cache  # 5 ms, which a question in English need not wait for; so is the next
def _any_token() -> re.Pattern[str]:
    return re.compile(rf"(?P<paired>[{_PAIRED}]+)|(?P<emoji>[{_EMOJI}])|" + _WHOLE.replace("{0}", _LETTER))


@cache
def _any_part() -> re.Pattern[str]:
    return re.compile(rf"{_LETTER}+")


def _parts(found: re.Match[str]) -> list[_Token]:
    text = found.group()
    match found.lastgroup:
        case "paired":
            return [_Token(text[i : i + 2], is_word=False) for i in range(max(1, len(text) - 1))]
        case "emoji":
            return [_Token(text, is_word=False)]
        case _:
            return _identifier(text)


def _identifier(whole: str) -> list[_Token]:
    """A word as itself. Anything built of several: as a whole, its segments that are, and each of its words."""
    parts = (_ASCII_PART if whole.isascii() else _any_part()).findall(whole)
    words = [word for part in parts for word in _HUMP.split(part)]
    if words == [whole]:
        return [_Token(whole.casefold(), is_word=True)]
    names = [whole, *_VERSION.findall(whole), *_SEGMENT.findall(whole)]
    tokens = [_Token(name.casefold(), is_word=False) for name in names if name not in parts]
    tokens += [_Token(part.casefold(), is_word=True) for part in (*parts, *words) if len(part) > 1]
    return [*dict.fromkeys(tokens)]


@cache  # used by one thread at a time, as it does not let go of the interpreter's lock
def _stemmer(language: str) -> Stemmer.Stemmer | None:
    algorithm = _ALGORITHMS.get(language or FALLBACK)
    return Stemmer.Stemmer(algorithm, 0) if algorithm else None


def stem(word: str, language: str) -> str:
    """The form that a folded word shares with its other forms."""
    stemmer = _stemmer(language) if len(word) < TERM_BYTES else None
    return _short(stemmer.stemWord(word) if stemmer else word)


def _short(term: str) -> str:
    """`term` without accents; its digest if it is too long."""
    term = _plain(term)
    data = term.encode()
    return term if len(data) <= TERM_BYTES else hashlib.sha256(data).hexdigest()


def _plain(word: str) -> str:
    """`word` without the accents that people leave out when they type; Cyrillic й and Japanese が are letters."""
    if word.isascii():
        return word
    marks = unicodedata.normalize("NFD", word.translate(_LIKE))
    return unicodedata.normalize("NFC", marks if _CYRILLIC.search(marks) else _ACCENT.sub("", marks))
