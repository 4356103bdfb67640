"""A memory as it is handed over, and the page it becomes. Pure."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memory_wiki.errors import BadPage
from memory_wiki.page import facts, frontmatter
from memory_wiki.page.frontmatter import Value
from memory_wiki.page.page import MAX_BYTES, Page, parse
from memory_wiki.page.path import PagePath

TITLE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Memory:
    """What `remember` takes. `text` may be a whole page: what its own front matter says stands."""

    text: str
    title: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    confidence: float = 1.0
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Birth:
    """What a new page is given besides its text; `new_fact_id` makes block ids."""

    id: str
    created: datetime
    by: str
    new_fact_id: Callable[[], str]


def compose(memory: Memory, birth: Birth) -> Page:
    """The new page, at no place yet; raises `BadPage` for text that can't be one."""
    _check(memory)
    draft = parse(PagePath("draft.md"), memory.text.encode())
    if any(problem.level == "error" for problem in draft.problems):
        raise BadPage(f"this text can't become a page: {draft.problems[0].message}")
    given = draft.values
    title = memory.title.strip() or (draft.title if draft.title != "draft" else "") or _first_words(draft.body)
    if not title:
        raise BadPage("there is nothing to remember: the text is empty; give some, or a --title")
    keys: list[tuple[str, Value]] = [
        ("title", _one_line(title)),
        ("id", birth.id),
        ("type", memory.type or draft.type or "note"),
        ("tags", memory.tags),
        ("created", birth.created),
        ("by", birth.by),
        ("confidence", memory.confidence),
        ("pinned", memory.pinned),
    ]
    wanted = [(key, value) for key, value in keys if key not in given and value not in _DEFAULTS.get(key, ())]
    body = facts.with_ids(draft.body, birth.new_fact_id)
    if not given:
        text = frontmatter.compose(wanted, body.strip("\n") + "\n" if body.strip() else "")
    else:
        text = draft.text[: draft.body_start] + body
        for key, value in wanted:
            text = frontmatter.set_key(text, key, value)
    return parse(PagePath("draft.md"), text.encode())


_DEFAULTS: dict[str, tuple[Value, ...]] = {"tags": ((),), "confidence": (1.0,), "pinned": (False,)}


def _check(memory: Memory) -> None:
    if not 0 <= memory.confidence <= 1:
        raise BadPage(f"confidence is a number from 0 to 1, not {memory.confidence}")
    try:
        size = len(memory.text.encode())
    except UnicodeEncodeError:
        raise BadPage("this text is no valid UTF-8; convert it first, as with `iconv -t utf-8`") from None
    if size > MAX_BYTES:
        raise BadPage(f"this text has {size:,} bytes, and a page at most {MAX_BYTES:,}; split it")


def _first_words(body: str) -> str:
    """The first line with words in it, without list and heading marks, cut at a word."""
    for line in body.splitlines():
        words = line.strip().lstrip("#>-*+ ").strip()
        if any(char.isalnum() for char in words):
            return _cut(words)
    return _cut(body.strip().splitlines()[0]) if body.strip() else ""


def _cut(words: str) -> str:
    if len(words) <= TITLE_CHARACTERS:
        return words.rstrip(".")
    short = words[:TITLE_CHARACTERS]
    return (short.rsplit(" ", 1)[0] if " " in short else short).rstrip(" ,;:.-") + "…"


def _one_line(title: str) -> str:
    return " ".join(title.split())
