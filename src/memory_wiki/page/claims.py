"""A page's facts: one more, or one that no longer holds. Pure: a text in, its new text out.

What was written is read back: where it is not the fact that was meant, or another fact would be changed by it, nothing
is written.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from memory_wiki.errors import BadInput
from memory_wiki.page import facts, frontmatter
from memory_wiki.page.elements import Markup
from memory_wiki.page.ending import with_items
from memory_wiki.page.facts import Fact
from memory_wiki.page.instant import instant
from memory_wiki.page.markup import scan
from memory_wiki.page.text import NEWLINE, line_end

NAMED = 10  # ids that an error names at most
_OWN_ID = re.compile(r"\s\^([A-Za-z0-9-]+)\s*\Z")
_SAID = re.compile(r"\s*(?:[-*+]\s+)?\[([^\[\]]+)\]\s*(\S.*)", re.DOTALL)
_ITEM = re.compile(r" {0,3}[-*+] +")


@dataclass(frozen=True, slots=True)
class AddFact:
    """A new fact after the page's last one, or at its end. `since` and `until` are dates, `source` is a link or text;
    without an id, the fact has the one that its text ends with, or none.
    """

    category: str
    text: str
    tags: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    source: str = ""
    id: str = ""

    @classmethod
    def said(cls, text: str) -> "AddFact | None":
        """What `[category] claim` means, with a list's mark before it or without; None for any other text."""
        found = _SAID.fullmatch(text)
        return cls(found[1].strip(), found[2].strip()) if found else None


@dataclass(frozen=True, slots=True)
class Retract:
    """The fact with this block id no longer holds, from the date `until` on; what it said stays readable."""

    fact: str
    until: str


@dataclass(frozen=True, slots=True)
class _Parts:
    """A page's text in two, where the body begins, and what the body holds; its lines are counted from 1."""

    head: str
    body: str
    markup: Markup
    facts: tuple[Fact, ...]

    @staticmethod
    def of(text: str) -> "_Parts":
        begins = frontmatter.read(text).body_start
        body = text[begins:]
        markup = scan(body)
        return _Parts(text[:begins], body, markup, facts.find(markup, body))

    @property
    def starts(self) -> list[int]:
        """Where lines begin, and the end."""
        return [0, *(newline.end() for newline in NEWLINE.finditer(self.body)), len(self.body)]

    @property
    def ids(self) -> set[str]:
        return {found.id.lower() for found in self.markup.block_ids}


def named(wanted: AddFact, text: str, new_id: Callable[[], str], taken: set[str]) -> AddFact:
    """The fact with an id that neither stands in the page's `text` nor is `taken`, which then it is."""
    wanted = _with_own_id(wanted)
    taken |= _Parts.of(text).ids
    return wanted if wanted.id else replace(wanted, id=facts.free(new_id, taken))


def with_fact(text: str, wanted: AddFact) -> str:
    """`text` with one more fact; raises `BadInput` where it could not be read as that."""
    wanted = _with_own_id(wanted)
    parts = _Parts.of(text)
    if wanted.id.lower() in parts.ids:
        raise BadInput(f"the page has a ^{wanted.id} already; give the fact another id")
    if parts.facts:
        changed = parts.head + _below_last(parts, _line(wanted), line_end(text))
    else:
        changed = with_items(text, parts.markup, [_line(wanted)], line_end(text))
    now = _Parts.of(changed).facts
    if now[:-1] != parts.facts or not now or not _is(now[-1], wanted):
        raise BadInput(
            f"{_line(wanted)!r} would not be read as the fact that is meant: give a category of one word, a claim, and"
            " dates as 2026-11-30; and close what is open at the page's end"
        )
    return changed


def without_fact(text: str, retracted: Retract) -> str:
    """`text` in which the fact says until when it held; raises `BadInput` for one that is not there, or no date."""
    parts = _Parts.of(text)
    until, name = retracted.until.strip(), retracted.fact.strip().rpartition("^")[2].lower()
    found = [fact for fact in parts.facts if fact.id.lower() == name and name]
    if len(found) != 1:
        there = _listed(fact.id for fact in parts.facts if fact.id)
        which = f"{len(found)} facts of this page have" if found else "no fact of this page has"
        raise BadInput(f"{which} the id ^{name}; there are {there}")
    if instant(until) is None:
        raise BadInput(f"{until!r} is no date; give one as 2026-11-30")
    changed = parts.head + _with_until(parts, found[0], until)
    wanted = tuple(replace(fact, until=instant(until)) if fact is found[0] else fact for fact in parts.facts)
    if _Parts.of(changed).facts != wanted:
        raise BadInput(f"^{name} is written in a way that this would break; edit its line by hand")
    return changed


def _with_own_id(wanted: AddFact) -> AddFact:
    """The fact whose text no longer holds the id that it ended with."""
    own = None if wanted.id else _OWN_ID.search(wanted.text)
    return replace(wanted, text=wanted.text[: own.start()], id=own[1]) if own else wanted


def _line(wanted: AddFact) -> str:
    given = {"since": wanted.since, "until": wanted.until, "source": wanted.source}
    fields = [f"({key}:: {value.strip()})" for key, value in given.items() if value.strip()]
    tags = [f"#{tag.removeprefix('#')}" for tag in wanted.tags]
    said = [" ".join(wanted.text.split()), *tags, *fields, *([f"^{wanted.id}"] if wanted.id else [])]
    return f"- [{wanted.category}] {' '.join(said)}"


def _is(fact: Fact, wanted: AddFact) -> bool:
    """Whether a fact that was read is the one that was meant."""
    return (
        fact.category == wanted.category
        and bool(fact.text)
        and fact.id == wanted.id
        and {*wanted.tags} <= {*fact.tags, *(f"#{tag}" for tag in fact.tags)}
        and all(
            not given.strip() or (said is not None and said == instant(given))
            for given, said in ((wanted.since, fact.since), (wanted.until, fact.until))
        )
        and (not wanted.source.strip() or fact.source == facts.source(wanted.source.strip()))
    )


def _below_last(parts: _Parts, line: str, newline: str) -> str:
    """The body with a line below the item that holds the last fact, in the same list, or below the quote it is in."""
    starts, body, last = parts.starts, parts.body, parts.facts[-1].line
    block = next(span for span in parts.markup.blocks if span.first_line <= last <= span.last_line)
    item = next((span for span in block.items if span.first_line <= last <= span.last_line), None)
    end = starts[(item or block).last_line]
    above, below = body[:end], body[end:]
    if not above.endswith(("\n", "\r")):
        above += newline
    if item and (mark := _ITEM.match(body, starts[item.first_line - 1])):
        line = mark.group() + line.removeprefix("- ")
    elif not item:
        above += newline
    goes_on = item is not None and any(span.first_line == item.last_line + 1 for span in block.items)
    is_apart = goes_on or not NEWLINE.split(below, maxsplit=1)[0].strip()
    return above + line + newline + ("" if is_apart else newline) + below


def _with_until(parts: _Parts, fact: Fact, until: str) -> str:
    body = parts.body
    item = next(item for item in parts.markup.items if item.line == fact.line and item.end)
    inside = [field for field in parts.markup.fields if item.start <= field.start < item.end]
    if given := [field for field in inside if field.key.lower() == "until"]:
        start, end = given[-1].start, given[-1].end
        said = body[start:end]
        closing = said[-1] if said[0] in "[(" else ""
        return f"{body[:start]}{said[: said.index('::') + 2]} {until}{closing}{body[end:]}"
    own = [found for found in parts.markup.block_ids if item.start <= found.start < item.end][-1]
    return f"{body[: own.start]}(until:: {until}) {body[own.start :]}"


def _listed(ids: Iterable[str]) -> str:
    every = [f"^{id_}" for id_ in ids]
    return ", ".join(every[:NAMED]) + (f" and {len(every) - NAMED} more" if len(every) > NAMED else "") or "none"
