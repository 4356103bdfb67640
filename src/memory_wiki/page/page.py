"""A page: the bytes of one file, and all that they say.

Parsing never raises and loses nothing: `text` encodes back to `data`, and what is wrong becomes `problems`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from memory_wiki.page import facts, frontmatter, inline
from memory_wiki.page.elements import Link, Markup
from memory_wiki.page.facts import Fact
from memory_wiki.page.instant import instant
from memory_wiki.page.keys import Keys, unique
from memory_wiki.page.markup import scan
from memory_wiki.page.path import PagePath, Version, stem, version_of
from memory_wiki.page.place import is_archived
from memory_wiki.page.problem import Problem
from memory_wiki.page.text import NEWLINE, decoded, is_clean, readable

MAX_BYTES = 8 * 1024 * 1024
"""What we write at most; a larger page is read, with a problem."""

_NOT_UTF8 = re.compile("[\udc80-\udcff]")


@dataclass(frozen=True, slots=True)
class Page:
    """One page as it was read. Texts are "" where the page does not say; `tags` and `aliases` hold none twice."""

    path: PagePath
    data: bytes
    version: Version
    text: str
    body_start: int
    title: str
    type: str
    id: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    created: datetime | None
    updated: datetime | None
    by: str
    status: str
    confidence: float
    pinned: bool
    language: str
    values: Mapping[str, object]
    markup: Markup
    links: tuple[Link, ...]
    """All of them, in order. Offsets count from the body's start, so those in front matter are negative."""
    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]

    @property
    def is_current(self) -> bool:
        """Whether it speaks of what is: it was neither superseded nor put away."""
        return self.status.casefold() not in {"superseded", "archived"} and not is_archived(self.path)

    @property
    def body(self) -> str:
        """The text below the front matter, as it stands in the file."""
        return self.text[self.body_start :]

    @property
    def readable(self) -> str:
        """The body for display and index: lines end in LF, and what is no character is U+FFFD."""
        return readable(self.body)

    @property
    def lines(self) -> list[str]:
        """The whole file for display, by line: `lines[n - 1]` is line n."""
        return readable(self.text).split("\n")


def parse(path: PagePath, data: bytes) -> Page:
    """The page that `data` is, at `path`."""
    text = decoded(data)
    front = frontmatter.read(text)
    body = text[front.body_start :]
    markup = scan(body, _line(text, front.body_start))
    keys = Keys(front)
    return Page(
        path=path,
        data=data,
        version=version_of(data),
        text=text,
        body_start=front.body_start,
        title=keys.text("title") or _first_heading(markup) or stem(path),
        type=keys.text("type"),
        id=keys.text("id"),
        tags=unique((*_tags(keys), *(tag.name for tag in markup.tags))),
        aliases=unique(keys.words("aliases", "alias", separators=r",\n")),
        created=keys.moment("created"),
        updated=keys.moment("updated"),
        by=keys.text("by"),
        status=keys.text("status") or "active",
        confidence=keys.share("confidence", 1.0),
        pinned=keys.truth("pinned"),
        language=keys.text("lang", "language"),
        values=front.values,
        markup=markup,
        links=(*_front_links(text, front.body_start), *markup.links),
        facts=facts.find(markup, body),
        problems=(
            *_in_bytes(data, text),
            *front.problems,
            *keys.problems,
            *_in_body(text, front.body_start, markup),
        ),
    )


def _line(text: str, offset: int) -> int:
    if "\r" not in text:
        return 1 + text.count("\n", 0, offset)
    return 1 + sum(1 for _ in NEWLINE.finditer(text, 0, offset))


def _first_heading(markup: Markup) -> str:
    return next((heading.text for heading in markup.headings if heading.level == 1), "")


def _tags(keys: Keys) -> Iterator[str]:
    for word in keys.words("tags", "tag", separators=r",\s"):
        yield word.removeprefix("#").strip("/")


def _front_links(text: str, body_start: int) -> Iterator[Link]:
    """Wiki links in property values, which Obsidian follows too."""
    block = frontmatter.split(text) if "[[" in text[:body_start] else None
    if block is None:
        return
    yaml = text[block.start : block.end]
    starts = [0, *(newline.end() for newline in NEWLINE.finditer(yaml))]
    for link in inline.links(inline.Text(yaml, yaml, starts, 2), 0, len(yaml)):
        if link.style == "wiki":
            shift = block.start - body_start
            yield replace(link, start=link.start + shift, end=link.end + shift)


def _in_bytes(data: bytes, text: str) -> Iterator[Problem]:
    if len(data) > MAX_BYTES:
        message = f"this page has {len(data):,} bytes, and {MAX_BYTES:,} is the most: only its start is found; split it"
        yield Problem("too-large", message)
    if is_clean(text):
        return
    if bad := _NOT_UTF8.search(text):
        message = "this line is no valid UTF-8; convert the file, as with `iconv -t utf-8`"
        yield Problem("encoding", message, _line(text, bad.start()))
    if (nul := text.find("\0")) >= 0:
        yield Problem("encoding", "this line holds a NUL byte; delete it", _line(text, nul))


def _in_body(text: str, body_start: int, markup: Markup) -> Iterator[Problem]:
    unseen = body_start + markup.end
    if unseen < len(text):
        message = f"links, tags and facts from here on ({len(text) - unseen:,} characters) are not seen; split the page"
        yield Problem("long-page", message, _line(text, unseen), "warning")
    for field in markup.fields:
        if field.key.lower() in {"since", "until"} and instant(field.value) is None:
            yield Problem("field-type", f"{field.key} should be a date, like 2026-11-30", field.line, "warning")
