"""What happened, in order: pages by their own time, or the passages about a topic. Reads the index, writes nothing.

A page's own time is when it says it was created, which for a session is what it is about; else its last change.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from memory_wiki.index.entries import Filter, PageEntry
from memory_wiki.index.words import Words
from memory_wiki.recall.answer import Answer, Question
from memory_wiki.wiki.answers import Moment, Timeline

TOKENS_A_PASSAGE = 400
MORE = 4
"""Times as many passages are asked for within bounds: all may be of one page, which has three tenths of an answer."""


def timeline_of(topic: str, wanted: Filter, limit: int, words: Words, recall: Callable[[Question], Answer]) -> Timeline:
    """The oldest first; `since` and `until` of what is wanted bound a page's own time, themselves included.

    Of pages, the first `limit`; of passages about a topic, the `limit` that answer best.
    """
    wanted = replace(wanted, by_own_time=True)
    if not topic.strip():
        pages = sorted(map(_of_page, words.pages(wanted)), key=_place)
        return Timeline("", tuple(pages[:limit]), max(len(pages) - limit, 0))
    most = limit * MORE if wanted.since or wanted.until else limit
    answer = recall(Question(topic, wanted, budget=most * TOKENS_A_PASSAGE, limit=most))
    found = _of_passages(answer, words)
    left_out = answer.left_out + max(len(found) - limit, 0)
    return Timeline(topic, tuple(sorted(found[:limit], key=_place)), left_out)


def _of_page(entry: PageEntry) -> Moment:
    return Moment(entry.own_time, entry.path, 1, entry.title, entry.type, entry.status, entry.version, "")


def _of_passages(answer: Answer, words: Words) -> list[Moment]:
    """The best first. A page that went since it was quoted has no time any more."""
    entries = {hit.path: words.page(hit.path) for hit in answer.found}
    return [
        Moment(entry.own_time, hit.path, hit.first_line, hit.title, hit.type, hit.status, hit.version, hit.text)
        for hit in answer.found
        if (entry := entries[hit.path])
    ]


def _place(moment: Moment) -> tuple[datetime, str, int]:
    return moment.at, moment.path, moment.line
