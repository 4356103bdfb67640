"""What might be in a brief: pages of a project and for every project, quoted from the files. Writes nothing."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.entries import Filter, PageEntry, Standing
from memory_wiki.index.words import Words
from memory_wiki.page.lead import lead
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.page.place import project_page
from memory_wiki.page.text import lines_of
from memory_wiki.recall.brief import Brief, BriefItem, packed
from memory_wiki.wiki.project import AT_FIRST

if TYPE_CHECKING:
    from memory_wiki.index.entries import WordHit

Read = Callable[[PagePath], bytes]
MOST: dict[str, int] = {
    "pinned": 20,
    "open handoffs": 3,
    "to be reviewed": 5,
    "decisions": 12,
    "last sessions": 3,
    "also": 12,
}
REQUESTS = 40
LONGEST = 400  # characters of a passage that asks for something


def brief_of(project: str, budget: int, words: Words, read: Read) -> Brief:
    """Of the newest in each section, those that fit."""
    return packed(project, _candidates(project, words, read), budget)


def _candidates(project: str, words: Words, read: Read) -> Iterator[BriefItem]:
    around = Filter(projects=(project, "") if project else ("",), standing=Standing.CURRENT)
    if project and (entry := words.page(project_page(project))):
        yield from _of(entry, "project", read)
    for hit in words.requests(around, REQUESTS):
        yield from _asked(hit, read)
    of_type = {"decisions": ("decision",), "last sessions": ("session",), "open handoffs": ("handoff",)}
    wanted = {
        "pinned": replace(around, is_pinned=True),
        "to be reviewed": replace(around, statuses=("disputed",)),
        "also": replace(around, types=("error", "procedure", "requirement", "preference", "fact", "note", "reference")),
        **{section: replace(around, types=types) for section, types in of_type.items()},
    }
    for section, most in MOST.items():
        for entry in words.newest(wanted[section], most):
            yield from _of(entry, section, read)


def _of(entry: PageEntry, section: str, read: Read) -> Iterator[BriefItem]:
    """One item, unless the page went or changed since it was indexed."""
    data = _read(entry.path, read)
    if data is not None and version_of(data) == entry.version:
        text = _more(lead(lines_of(data)), entry)
        yield BriefItem(section, entry.path, entry.version, entry.title, entry.type, entry.status, entry.changed, text)


def _asked(hit: "WordHit", read: Read) -> Iterator[BriefItem]:
    data = _read(hit.path, read)
    if data is not None and version_of(data) == hit.version:
        lines = lines_of(data)[hit.first_line - 1 : hit.last_line]
        text = "\n".join(line.rstrip() for line in lines).strip()
        text = "" if hit.title.startswith(text.rstrip(".")) else text
        if len(text) <= LONGEST:
            section = "asked for from now on"
            yield BriefItem(section, hit.path, hit.version, hit.title, hit.type, hit.status, hit.changed, text)


def _more(sentence: str, page: PageEntry) -> str:
    """A page's first sentence, where it says more than the title does, or than what was put there when it was made."""
    says_nothing = page.title.startswith(sentence.rstrip(".")) or sentence == AT_FIRST.format(page.project)
    return "" if says_nothing else sentence


def _read(path: PagePath, read: Read) -> bytes | None:
    try:
        return read(path)
    except (PageNotFound, BadPath, Broken):
        return None
