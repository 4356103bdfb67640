"""Which language a text is in, where that is plain: by script, then by common words and by letters with accents.

Pure. Rather no answer than a doubtful one: an unknown language costs little, a wrong one mangles words.
"""

import re
from collections import Counter
from functools import cache
from itertools import chain

from memory_wiki.index.stopwords import STOP_WORDS

SAMPLE = 1_500  # characters: more would not tell more
EVIDENCE = 2  # words that must speak for a language: `los` alone is also in Los Angeles, `die` in `jobs die early`

# Scripts that tell a language, or the usual one of several, ordered by what overrules what.
_SCRIPTS = {
    "ja": r"\u3041-\u30fa\u31f0-\u31ff", "ko": r"\u1100-\u11ff\uac00-\ud7fb", "zh": r"\u3400-\u9fff\uf900-\ufaff",
    "th": r"\u0e01-\u0e4e", "lo": r"\u0e80-\u0edf", "my": r"\u1000-\u109f", "km": r"\u1780-\u17d3",
    "ar": r"\u0620-\u06d3", "he": r"\u05d0-\u05ea", "hi": r"\u0900-\u0963", "bn": r"\u0980-\u09fe",
    "ta": r"\u0b80-\u0bff", "te": r"\u0c00-\u0c7f", "el": r"\u0370-\u03ff", "hy": r"\u0531-\u0587",
    "ka": r"\u10a0-\u10ff", "ru": r"\u0400-\u052f",
}  # fmt: skip
# The letters of a language beyond those that all languages of its script have.
_LETTERS = {
    language: frozenset(letters)
    for language, letters in {
        "cs": "áčďéěíňóřšťúůýž", "da": "åæø", "de": "äöüß", "es": "áéíóúñ", "fi": "äö", "fr": "àâçéèêëîïôùûœ",
        "hu": "áéíóöőúüű", "it": "àèéìòù", "nl": "ëï", "no": "åæø", "pl": "ąćęłńóśźż", "pt": "ãõáâàçéêíóôú",
        "ro": "ăâîșțşţ", "sv": "åäö", "tr": "çğıöşü", "bg": "ъ", "ru": "ыэёъ", "uk": "іїєґ",
    }.items()
}  # fmt: skip
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzабвгдежзийклмнопрстуфхцчшщьюя")
_WORD = re.compile(r"[^\W\d_]{2,}")  # a letter alone is more often a name in code


def language_of(text: str, hint: str = "") -> str:
    """The ISO 639-1 code of the language that `text` is in, "" where in doubt; a `hint` (`de`, `de-AT`) wins."""
    if hinted := re.match(r"[A-Za-z]{2}(?![A-Za-z])", hint.strip()):
        return hinted.group().lower()
    sample = text[:SAMPLE]
    script = "" if sample.isascii() else _by_script(sample)
    if script == "ru":
        return _by_words(sample.lower(), 1) or script
    return script or _by_words(sample.lower(), EVIDENCE)


@cache  # as the next: 5 ms, for texts that are not ASCII alone
def _foreign() -> re.Pattern[str]:
    return re.compile(r"[\u0370-\uffff]+")


@cache
def _scripts() -> dict[str, re.Pattern[str]]:
    return {language: re.compile(f"[{letters}]") for language, letters in _SCRIPTS.items()}


def _by_script(text: str) -> str:
    foreign = "".join(_foreign().findall(text))
    sizes = {language: len(letters.findall(foreign)) for language, letters in _scripts().items()} if foreign else {}
    language = max(sizes, key=lambda name: sizes[name], default="")
    if language == "zh" and sizes["ja"] * 10 > sizes["zh"]:
        language = "ja"
    latin = sum(map(len, _WORD.findall(text))) - sum(sizes.values())
    return language if language and sizes[language] * 2 > latin else ""  # code amid a text is Latin in any language


def _by_words(text: str, evidence: int) -> str:
    words = _WORD.findall(text)
    votes = Counter(chain.from_iterable(_SPEAKERS[word] for word in words if word in _SPEAKERS))
    if not text.isascii():
        foreign = (word for word in words if not word.isascii() and word not in _SPEAKERS)
        votes.update(chain.from_iterable(map(_spelt, foreign)))
    (best, most), (_, next_most) = [*votes.most_common(2), ("", 0), ("", 0)][:2]
    return best if most >= evidence and most > next_most else ""


def _spelt(word: str) -> list[str]:
    """The languages that have all the special letters of `word`; none where it has no such letter."""
    special = set(word) - _PLAIN
    return [language for language, letters in _LETTERS.items() if special <= letters] if special else []


def _speakers() -> dict[str, list[str]]:
    speakers: dict[str, list[str]] = {}
    for language, words in STOP_WORDS.items():
        for word in words:
            speakers.setdefault(word, []).append(language)
    return speakers


_SPEAKERS = _speakers()
