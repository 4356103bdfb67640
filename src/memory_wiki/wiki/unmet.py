"""Why no page passes a filter: what of it none does, and what comes nearest of what pages have.

Asked only where nothing was found, as it looks at every page that is indexed.
"""

import difflib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory_wiki.index.entries import EVERYTHING, Filter, PageEntry
from memory_wiki.index.words import Words
from memory_wiki.page.path import folded

NAMED = 5  # values, the most common, where none is near


@dataclass(frozen=True, slots=True)
class _Asked:
    """One thing that a filter asks for, and what pages have of that kind."""

    said: str
    values: Sequence[str]
    alone: Filter
    of: Callable[[PageEntry], Iterable[str]]


def unmet(wanted: Filter, words: Words, now: datetime) -> tuple[str, ...]:
    """In sentences; none where some page passes. Days are those of the zone of `now`."""
    every = words.pages(EVERYTHING)
    if not every:
        return ("There is no page yet.",)
    passing = words.pages(replace(wanted, since=None, until=None))
    found = [_sentence(asked, every) for asked in _asked(wanted) if not words.newest(asked.alone, 1)]
    dated = wanted if passing else Filter(since=wanted.since, until=wanted.until, by_own_time=wanted.by_own_time)
    if not words.newest(dated, 1):
        at = sorted(time for entry in passing or every for time in _times(entry, wanted))
        found.append(f"No page is of that time; there are some from {_day(at[0], now)} to {_day(at[-1], now)}.")
    return tuple(found) or (() if passing else ("Each of these filters some page passes, and all together none.",))


def _asked(wanted: Filter) -> Iterator[_Asked]:
    """Each that is given; of tags each by itself, as all must hold."""
    if wanted.projects:
        yield _Asked("is of project", wanted.projects, Filter(projects=wanted.projects), lambda entry: (entry.project,))
    if wanted.types:
        yield _Asked("has type", wanted.types, Filter(types=wanted.types), lambda entry: (entry.type,))
    for tag in wanted.tags:
        yield _Asked("has tag", (tag,), Filter(tags=(tag,)), lambda entry: entry.tags)
    if wanted.folders:
        yield _Asked("is in", wanted.folders, Filter(folders=wanted.folders), _places)
    if wanted.author:
        yield _Asked("was last changed by", (wanted.author,), Filter(author=wanted.author), _authors)


def _places(entry: PageEntry) -> Iterator[str]:
    """A page's folder, with those above it, and the page."""
    parts = entry.path.split("/")
    yield from ("/".join(parts[:count]) for count in range(1, len(parts) + 1))


def _authors(entry: PageEntry) -> tuple[str, str]:
    return entry.author.partition(" <")[0], entry.by


def _sentence(asked: _Asked, every: Iterable[PageEntry]) -> str:
    counts = Counter(value for entry in every for value in asked.of(entry) if value)
    by_fold = {folded(value): value for value in counts}
    near = {
        by_fold[name]: None
        for value in asked.values
        for name in difflib.get_close_matches(folded(value), by_fold, n=1, cutoff=0.7)
    }
    hint = f"did you mean {' or '.join(near)}?" if near else _most_common(counts)
    return f"No page {asked.said} {' or '.join(asked.values)}; {hint}"


def _most_common(counts: "Counter[str]") -> str:
    if not counts:
        return "none has any."
    names = [value for value, _ in counts.most_common(NAMED)]
    return f"there are {', '.join(names)}" + (" and others." if len(counts) > NAMED else ".")


def _times(entry: PageEntry, wanted: Filter) -> tuple[datetime, ...]:
    """Those by which a page may meet the dates of the filter."""
    return (entry.own_time,) if wanted.by_own_time else (entry.own_time, entry.changed)


def _day(at: datetime, now: datetime) -> str:
    try:
        return at.astimezone(now.tzinfo).date().isoformat()
    except OverflowError:  # the first and the last day that there are, in another zone
        return at.date().isoformat()
