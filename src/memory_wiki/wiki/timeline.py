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
    pages, most = wanted, limit
    if not topic.strip():
        found = sorted(map(_of_page, _within(wanted, words)), key=_place)
        return Timeline("", tuple(found[:limit]), max(len(found) - limit, 0))
    if is_bounded(wanted):
        paths = tuple(entry.path for entry in _within(wanted, words))
        if not paths:
            return Timeline(topic, (), 0)
        pages, most = replace(_without_bounds(wanted), folders=paths), limit * MORE
    answer = recall(Question(topic, pages, budget=most * TOKENS_A_PASSAGE, limit=most))
    found = [moment for moment in _of_passages(answer, words) if _is_within(moment.at, wanted)]
    left_out = answer.left_out + max(len(found) - limit, 0)
    return Timeline(topic, tuple(sorted(found[:limit], key=_place)), left_out)


def is_bounded(wanted: Filter) -> bool:
    return _without_bounds(wanted) != wanted


def _without_bounds(wanted: Filter) -> Filter:
    return replace(wanted, since=None, until=None)


def _within(wanted: Filter, words: Words) -> list[PageEntry]:
    """The pages that are wanted, by their own time: to the index that of their last change will do too."""
    return [entry for entry in words.pages(wanted) if _is_within(entry.own_time, wanted)]


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


def _is_within(at: datetime, wanted: Filter) -> bool:
    return (wanted.since is None or at >= wanted.since) and (wanted.until is None or at <= wanted.until)


def _place(moment: Moment) -> tuple[datetime, str, int]:
    return moment.at, moment.path, moment.line
