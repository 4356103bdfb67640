"""Questions that ask for pages by their type and time alone: `what did we decide in March?`, `recent errors`. Pure.

No word of such a question need stand on the pages it asks for, so that no search finds them. It is told by having
nothing else to look for: `what did we decide about the cache in March` is searched as any other.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memory_wiki.index.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from memory_wiki.recall.moments import Hints

MOST_WORDS = 16
"""A longer question asks for more than pages of a time."""

_SAYING = {
    "decision": "decide decided decision decisions entscheidung entscheidungen entschieden beschlossen beschluss"
    " beschlüsse décision décisions décidé décidée décidés decisión decisiones decidimos decidido решили решено решение"
    " решения решений 决定 决策",
    "error": "error errors bug bugs failure failures fehler panne pannes erreur erreurs errores fallo fallos ошибка"
    " ошибки ошибок сбой сбои 错误 故障",
    "preference": "preference preferences vorliebe vorlieben préférence préférences preferencia preferencias"
    " предпочтение предпочтения 偏好",
    "requirement": "requirement requirements anforderung anforderungen exigence exigences requisito requisitos"
    " требование требования требований 需求",
    "procedure": "procedure procedures prozedur prozeduren procédure procédures procedimiento procedimientos процедура"
    " процедуры 流程",
    "": "happen happened happening passiert geschah geschehen passé arrivé pasó ocurrió sucedió случилось произошло"
    " 发生",
}
_TYPE_OF = {word: type_ for type_, words in _SAYING.items() for word in words.split()}
_OF_NO_SPACES = {word: type_ for word, type_ in _TYPE_OF.items() if word >= "\u2e80"}
_NOTHING_MORE = """
    list show tell give find name make made making take taken get got know known remember see new any every
    everything anything something thing things last recent latest page pages few two three four five ten zeig zeige
    liste alle gab letzte letzten letzter passierte montre donne avons avez tous toutes lista muestra todas todos
    última últimas último últimos покажи все последние последних последняя
"""
_SOMETHING_MORE = """
    how why who whom whose where no nor not never don doesn didn isn wasn won without should same again wie warum
    wer wem wen wo nicht nie kein keine keinen keiner ohne soll sollen sollte comment pourquoi où ne ni pas jamais
    sans cómo porque quién dónde donde nunca sin почему зачем как кто где не ни никогда без
"""
_COMMON = frozenset(_NOTHING_MORE.split()).union(*(STOP_WORDS[code] for code in ("en", "de", "fr", "es", "ru")))
_COMMON -= frozenset(_SOMETHING_MORE.split())
"""Words that ask for nothing: `why did this error happen` wants a reason, and no list of errors."""
_NO_WORDS_OF_HAN = re.compile(r"[我们你他的了吗呢什么哪些有在是做过都里中份时候]")
_WORD = re.compile(r"\w+")
_LAST_OF_ALL = re.compile(
    r"\b(?:last|recent|letzte[nrs]?|derni[eè]re?s?|últim[oa]s?|последни[ехмй]|последняя)\b|最近", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Listing:
    """The pages that are asked for: of these types, any where none is named, and of a time; in which order."""

    types: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    is_oldest_first: bool


def listing(text: str, now: datetime) -> Listing | None:
    """What pages are asked for by type and time alone; None for any other question."""
    words = _WORD.findall(text.casefold())
    saying = {word: _TYPE_OF[word] for word in words if word in _TYPE_OF}
    saying |= {word: type_ for word, type_ in _OF_NO_SPACES.items() if word in text}
    if not saying or len(words) > MOST_WORDS or (len(words) == 1 and words[0] in _TYPE_OF):
        return None
    from memory_wiki.recall.moments import Order, hints

    said = hints(text, now)
    types = tuple(sorted({type_ for type_ in saying.values() if type_}))
    is_timed = said.since or said.until or said.order is not Order.NONE or _LAST_OF_ALL.search(text)
    if said.anchors or _says_more(text, frozenset(saying), said) or not (types or is_timed):
        return None
    return Listing(types, said.since, said.until, said.order in {Order.FIRST, Order.SEQUENCE})


def _says_more(text: str, saying: frozenset[str], said: "Hints") -> bool:
    """Whether there is anything to look for besides types and time."""
    from memory_wiki.recall.moments import without_order

    for phrase in said.said:
        text = text.replace(phrase, " ", 1)
    text = _LAST_OF_ALL.sub(" ", without_order(text))
    for word in _OF_NO_SPACES:
        text = text.replace(word, " ")
    text = _NO_WORDS_OF_HAN.sub(" ", text)
    return not {word.casefold() for word in _WORD.findall(text)} <= saying | _COMMON
