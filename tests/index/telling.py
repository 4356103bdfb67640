"""What the tests of the word index tell it of pages, and ask it."""

from datetime import UTC, datetime, timedelta

from memory_wiki.index.entries import Entry, Filter, WordHit
from memory_wiki.index.records import prepared
from memory_wiki.index.words import Words
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ALL = Filter()


def entry(path: str, text: str, project: str = "", author: str = "Ada <ada@example.org>", day: int = 0) -> Entry:
    page = parse(PagePath(path), text.encode("utf-8", "surrogateescape"))
    return Entry(page, project, author, NOON + timedelta(days=day))


def take_in(words: Words, *come: Entry, marker: str = "") -> None:
    words.update([], map(prepared, come), lambda: marker)


def found(words: Words, question: str, wanted: Filter = ALL, limit: int = 10) -> list[str]:
    return [hit.path for hit in hits(words, question, wanted, limit)]


def hits(words: Words, question: str, wanted: Filter = ALL, limit: int = 10) -> list[WordHit]:
    return list(words.search(words.forms(question), wanted, limit))
