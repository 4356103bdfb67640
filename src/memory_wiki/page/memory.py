"""A memory as it is handed over, and the page it becomes. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_wiki.errors import BadInput, BadPage
from memory_wiki.page import facts, frontmatter
from memory_wiki.page.ending import with_items
from memory_wiki.page.frontmatter import FrontMatter, Value
from memory_wiki.page.instant import given, instant
from memory_wiki.page.keys import Keys
from memory_wiki.page.links import NEVER_IN_LINKS
from memory_wiki.page.markup import scan
from memory_wiki.page.page import MAX_BYTES, Page, parse
from memory_wiki.page.path import PagePath, stem
from memory_wiki.page.standing import is_standing
from memory_wiki.page.text import line_end

TITLE_CHARACTERS = 80
ORDER = ("title", "id", "type", "tags", "created", "by", "confidence", "pinned", "since", "until")
UNNAMED = PagePath("?.md")  # a path that no page can have, and no title says


@dataclass(frozen=True, slots=True)
class Memory:
    """What `remember` takes. `text` may be a whole page: what is given here wins over its front matter."""

    text: str
    title: str = ""
    type: str = ""
    tags: tuple[str, ...] = ()
    confidence: float | None = None
    """From 0 to 1; None where nothing is said, which counts as certain."""
    pinned: bool = False
    links: tuple[str, ...] = ()
    """Pages it is about, as `[[…]]` names them; they stand at its end."""
    since: str = ""
    """From when on it holds, and `until` when: a date, or a time as RFC 3339 writes it."""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Birth:
    """What a new page is given besides its text; `new_fact_id` makes block ids."""

    id: str
    created: datetime
    by: str
    new_fact_id: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Composed:
    """A new page, at no place yet: its bytes, and what they say of it."""

    data: bytes
    title: str
    type: str
    id: str


def compose_each(asked: Sequence[tuple[Memory, Birth]]) -> list[Composed | BadInput]:
    """The page of each memory, or what keeps it from being one."""
    found: list[Composed | BadInput] = []
    for memory, birth in asked:
        try:
            found.append(compose(memory, birth))
        except BadInput as error:
            found.append(error)
    return found


def compose(memory: Memory, birth: Birth) -> Composed:
    """The new page; raises `BadPage` for text that can't be one."""
    _check(memory)
    draft = parse(UNNAMED, memory.text.encode())
    if any(problem.level == "error" for problem in draft.problems):
        raise BadPage(f"this text can't become a page: {draft.problems[0].message}")
    own_title = "" if draft.title == stem(UNNAMED) else draft.title
    title = _one_line(memory.title) or _one_line(own_title) or _first_words(draft.body)
    if not title:
        raise BadPage("there is nothing to remember: the text is empty; give some, or a --title")
    asked = _asked(memory)
    own = {key for key, value in draft.values.items() if value not in (None, "", [])}
    if not isinstance(draft.values.get("title"), str) or not _one_line(str(draft.values.get("title"))):
        own.discard("title")
    kind = draft.type or ("preference" if is_standing(draft.body) else "note")
    keys: dict[str, Value] = {"title": title, "id": birth.id, "type": kind, **asked}
    keys |= {"created": birth.created, "by": birth.by}
    wanted = [(key, keys[key]) for key in ORDER if key in asked or (key in keys and key not in own)]
    body = _linked(facts.with_ids(draft.markup, draft.body, birth.new_fact_id), draft, memory.links)
    data = _text(draft, wanted, body).encode()
    if len(data) > MAX_BYTES:
        raise BadPage(f"this page would have {len(data):,} bytes, and a page has at most {MAX_BYTES:,}; split the text")
    said = Keys(FrontMatter({**draft.values, **dict(wanted)}, (), 0))  # so it reads, or it would have been refused
    return Composed(data, said.text("title"), said.text("type"), said.text("id"))


def _asked(memory: Memory) -> dict[str, Value]:
    """Keys that were given beside the text, and win over what its front matter says."""
    said: dict[str, Value] = {"title": _one_line(memory.title), "type": memory.type, "tags": memory.tags}
    said |= {"confidence": "" if memory.confidence is None else memory.confidence, "pinned": memory.pinned or ""}
    said |= {"since": _moment("since", memory.since), "until": _moment("until", memory.until)}
    return {key: value for key, value in said.items() if value not in ("", ())}


def _moment(key: str, said: str) -> Value:
    found = given(said.strip())
    if said.strip() and found is None:
        raise BadPage(f"{key} is a date as 2026-11-30, or a time as 2026-11-30T12:00:00Z, and not {said!r}")
    return found or ""


def _linked(body: str, draft: Page, links: Sequence[str]) -> str:
    """The body with links at its end; raises `BadPage` for a name that none can hold, or where they would be none."""
    if not links:
        return body
    for link in links:
        if NEVER_IN_LINKS.search(link):
            raise BadPage(f"no link can be made of {link!r}; give the path, id, title or alias of a page")
    linked = with_items(body, draft.markup, [f"- related [[{link}]]" for link in links], line_end(draft.text))
    if len(scan(linked).links) != len(draft.markup.links) + len(links):
        raise BadPage("this text leaves a code block or comment open, so that links at its end are none; close it")
    return linked


def _text(draft: Page, keys: list[tuple[str, Value]], body: str) -> str:
    if not draft.values:
        return frontmatter.compose(keys, body.strip("\n") + "\n" if body.strip() else "")
    text = draft.text[: draft.body_start] + body
    for key, value in keys:
        text = frontmatter.set_key(text, key, value)
    return text


def _check(memory: Memory) -> None:
    if memory.confidence is not None and not 0 <= memory.confidence <= 1:
        raise BadPage(f"confidence is a number from 0 to 1, not {memory.confidence}")
    since, until = instant(memory.since), instant(memory.until)
    if since and until and until < since:
        raise BadPage(f"it can't hold until {memory.until}, before it holds from {memory.since} on; swap the two")
    try:
        memory.text.encode()
    except UnicodeEncodeError:
        raise BadPage("this text is no valid UTF-8; convert it first, as with `iconv -t utf-8`") from None


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
