"""What the projects are that an answer quotes, in a line each: title and first sentence of the project's page.

A hit elsewhere says by its folder which project it is of, and not what that is. No other page is read, and none parsed.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.entries import Filter, PageEntry
from memory_wiki.index.words import Words
from memory_wiki.page.lead import lead
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import project_page, slug_for
from memory_wiki.page.text import lines_of
from memory_wiki.recall.answer import Answer, Hit
from memory_wiki.wiki.project import AT_FIRST

Read = Callable[[PagePath], bytes]


def with_projects(answer: Answer, words: Words, read: Read) -> Answer:
    """The answer, each hit of which says what its project is; the pages are looked up at once, however many."""
    pages = tuple(project_page(slug) for slug in {hit.project for hit in answer.found if hit.project})
    entries = words.pages(Filter(folders=pages)) if pages else []
    known = {entry.project: said for entry in entries if (said := _said(entry, read))}
    if not known:
        return answer
    hits, near_misses, preferences = (
        tuple(_telling(each, known)) for each in (answer.hits, answer.near_misses, answer.preferences)
    )
    return replace(answer, hits=hits, near_misses=near_misses, preferences=preferences)


def _telling(hits: Iterable[Hit], known: dict[str, str]) -> Iterable[Hit]:
    """All but those of the project's own page, which says it itself."""
    for hit in hits:
        is_told = hit.project in known and hit.path != project_page(hit.project)
        yield replace(hit, about=known[hit.project]) if is_told else hit


def _said(page: PageEntry, read: Read) -> str:
    """What a project's page says; "" where it is no more than was put there when it was made."""
    try:
        sentence = lead(lines_of(read(page.path)))
    except (PageNotFound, BadPath, Broken):
        return ""
    if sentence == AT_FIRST.format(page.project):
        sentence = ""
    title = "" if slug_for(page.title) == page.project else page.title  # which says no more than the folder does
    return ": ".join(filter(None, (title, sentence)))
