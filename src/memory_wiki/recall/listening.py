"""Which languages may speak of time in a text: told in microseconds from how its words begin, and wrong now and then.

Pure. What finds and reads dates takes a tenth of a second to load, which most questions need not pay.
"""

import re

from memory_wiki.index.language import language_of

BEGINNING = 4  # letters of a word that are looked at
_WORDS = {
    "en": "janu febr marc apri may june july augu sept octo nove dece jan feb mar apr jun jul aug sep oct nov dec mond"
    " tues wedn thur frid satu sund yest toda ago week mont year days nigh hour minu spri summ autu fall wint"
    " q1 q2 q3 q4",
    "de": "janu jänn febr märz apri mai juni juli augu sept okto nove deze mont dien mitt donn frei sams sonn gest vorg"
    " heut woch mona jahr tage stun minu früh somm herb wint",
    "fr": "janv févr mars avri mai juin juil août sept octo nove déce lund mard merc jeud vend same dima hier aujo sema"
    " mois anné dern ans jour heur minu prin été auto hive week",
    "es": "ener febr marz abri mayo juni juli agos sept seti octu novi dici lune mart miér mier juev vier sába saba"
    " domi ayer ante hoy sema mes mese año años días dias hora minu prim vera otoñ invi",
    "ru": "янва февр март апре май мая мае июнь июня июне июль июля июле авгу сент октя нояб дека поне втор сред четв"
    " пятн субб воск вчер поза сего наза неде меся год года году лет дней дня день весн лето лета осен зимо зимы"
    " зиму выхо",
}
_BESIDE_A_YEAR = {
    "en": "in since before after until during from between",
    "de": "in seit bis nach vor jahr zwischen von",
    "fr": "en depuis avant après jusqu entre",
    "es": "en desde hasta antes después entre",
    "ru": "в с до после между",
}
_HAN = frozenset("年月周天昨今星礼季")
_WORD = re.compile(r"\w+")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def _speakers(words: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for code, text in words.items():
        for word in text.split():
            found.setdefault(word, []).append(code)
    return found


_SPEAKERS = _speakers(_WORDS)
_YEARLY = _speakers(_BESIDE_A_YEAR)


def heard(text: str) -> list[str]:
    """Codes of the languages to look for dates in, the text's own first; none where it speaks of no time."""
    words = _WORD.findall(text.casefold())
    codes = {code for word in words for code in _SPEAKERS.get(word[:BEGINNING], ())}
    if has_year := _YEAR.search(text):
        codes.update(code for word in words for code in _YEARLY.get(word, ()))
    if not _HAN.isdisjoint(text):
        codes.add("zh")
    if not codes and not has_year:
        return []
    own = language_of(text)
    if has_year and own in _WORDS:
        codes.add(own)
    return sorted(codes or {"en"}, key=lambda code: (code != own, code != "en", code))
