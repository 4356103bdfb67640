"""What stands in a line: links, tags, Dataview fields and block ids, as Obsidian reads them.

The finders look at the blanked text (see `hidden`) of one block at a time, and are linear: no pattern here can
match the same characters in two ways.
"""

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from memory_wiki.page.elements import BlockId, Field, Link, Tag


@dataclass(frozen=True, slots=True)
class Text:
    """A body, the same with everything hidden blanked, the offsets at which its lines start, and its first line."""

    body: str
    visible: str
    starts: Sequence[int]
    first_line: int

    def line(self, offset: int) -> int:
        """The line of the file in which this offset of the body stands."""
        return self.first_line + bisect_right(self.starts, offset) - 1


# A backslash hides what follows it; `[[…]]` holds no bracket; a Markdown target may hold one level of parentheses.
_BRACKETS = re.compile(
    r"""
      \\.
    | (?P<wiki> !?\[\[ (?P<page>[^\[\]|\r\n\0]*) (?:\|(?P<alias>[^\[\]\r\n]*))? \]\] )
    | (?P<open> !?\[ )
    | \] (?P<target> \( \s* (?: <(?P<angled>[^<>\r\n\0]*)> | (?P<bare>(?:[^\s()<>\0]|\([^\s()<>\0]*\))*+) )
          (?: \s+ (?: "[^"]*" | '[^']*' | \([^()]*\) ) )? \s* \) )?
    """,
    re.VERBOSE,
)
_NESTED_LABELS = 32  # `[![…](…)](…)` is two
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


def links(text: Text, start: int, end: int) -> Iterator[Link]:
    """Wiki links, and Markdown links to files of the vault, in the order in which they end."""
    labels: deque[re.Match[str]] = deque(maxlen=_NESTED_LABELS)
    for found in _BRACKETS.finditer(text.visible, start, end):
        if found["wiki"]:
            link = _wiki_link(text, found)
            if link:
                yield link
        elif found["open"]:
            labels.append(found)
        elif found.group()[0] == "]" and labels:
            label = labels.pop()
            if found["target"] and (link := _markdown_link(text, label, found)):
                yield link


def _wiki_link(text: Text, found: re.Match[str]) -> Link | None:
    start, end = found.span("page")
    if found["alias"] is not None and text.body.endswith("\\", start, end):
        end -= 1  # `\|`, as a table needs it
    alias = text.body[slice(*found.span("alias"))].strip() if found["alias"] else ""
    target, heading, block = _parts(text.body[start:end])
    if not target and not heading and not block:
        return None
    start, end = _target_span(text.body, start, end)
    embed = found.group()[0] == "!"
    return Link(target, heading, block, alias, embed, "wiki", text.line(start), start, end)


def _markdown_link(text: Text, label: re.Match[str], found: re.Match[str]) -> Link | None:
    start, end = found.span("angled" if found["angled"] is not None else "bare")
    raw = text.body[start:end]
    if not raw or _SCHEME.match(raw):
        return None
    target, heading, block = _parts(raw)
    alias = text.body[label.end() : found.start()]
    start, end = _target_span(text.body, start, end)
    embed = label.group()[0] == "!"
    return Link(unquote(target), unquote(heading), block, alias, embed, "markdown", text.line(start), start, end)


def _parts(raw: str) -> tuple[str, str, str]:
    """`target#heading#^block` in three, each without spaces around it."""
    target, _, rest = raw.partition("#")
    parts = [part.strip() for part in rest.split("#") if part.strip()]
    block = parts.pop()[1:] if parts and parts[-1].startswith("^") else ""
    return target.strip(), "#".join(parts), block


def _target_span(body: str, start: int, end: int) -> tuple[int, int]:
    raw = body[start:end].partition("#")[0]
    start += len(raw) - len(raw.lstrip())
    return start, start + len(raw.strip())


# What Obsidian's tags cannot hold: ASCII and general punctuation, and here that of other scripts too.
_NO_TAG = (
    r"\s\0-\x2c.\x3a-\x40\[\\\]^`{|}~\x7f-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf"
    r"\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_TAGS = re.compile(
    rf"\[\[[^\[\]\r\n]*\]\]|<[A-Za-z/!][^<>]*>|(?<![^\s|])(?P<tags>(?:#[^{_NO_TAG}]+)+)"  # none in links, HTML
)


def tags(text: Text, start: int, end: int) -> Iterator[Tag]:
    """Tags, each with at least one character that is no digit; `#a#b` is two."""
    for found in _TAGS.finditer(text.visible, start, end):
        at = found.start("tags")
        for name in (found["tags"] or "").split("#")[1:]:
            if not name.isdigit():
                yield Tag(name.rstrip("/"), text.line(at), at, at + 1 + len(name))
            at += 1 + len(name)


_KEY = (
    r"[*_~]{0,3}(?P<key>[^\s\[\](){}:#|*_~`<>\0](?:[^\[\](){}:#|*~`<>\r\n\0]{0,60}[^\s\[\](){}:#|*_~`<>\0])?)[*_~]{0,3}"
)
_NESTED = r"\[\[[^\[\]\r\n]*\]\]|\[[^\[\]\r\n]*\]|\([^()\r\n]*\)|[^()\[\]\r\n]"
_BRACKETED = re.compile(rf"[\[(]{_KEY}[ \t]*::(?P<value>(?:{_NESTED})*+)[\])]")
_WHOLE_LINE = re.compile(
    rf"[ \t>]*(?:(?:[-*+]|\d{{1,9}}[.)])[ \t]+)?(?:\[.\][ \t]+)?(?P<field>{_KEY}[ \t]*::(?=\s|\Z)(?P<value>[^\r\n]*))"
)


def fields(text: Text, start: int, end: int) -> Iterator[Field]:
    """Dataview's `[key:: value]`, `(key:: value)`, and `key:: value` as a line or item of its own."""
    at = start
    while at < end:
        line_end = text.starts[bisect_right(text.starts, at)]
        if "::" in text.visible[at:line_end]:
            yield from _fields_of_line(text, at, line_end)
        at = line_end


def _fields_of_line(text: Text, start: int, end: int) -> Iterator[Field]:
    if whole := _WHOLE_LINE.match(text.visible, start, end):
        yield _field(text, whole, whole.start("field"), start + len(whole.group().rstrip()))
        return
    for found in _BRACKETED.finditer(text.visible, start, end):
        if text.visible[found.end() - 1] == {"[": "]", "(": ")"}[found.group()[0]]:
            yield _field(text, found, found.start(), found.end())


def _field(text: Text, found: re.Match[str], start: int, end: int) -> Field:
    value = text.body[slice(*found.span("value"))].strip()
    return Field(found["key"].strip(), value, text.line(start), start, end)


_BLOCK_ID = re.compile(r"\^([A-Za-z0-9-]+)\s*")


def block_ids(text: Text, start: int, end: int) -> Iterator[BlockId]:
    """The `^id` that ends this block, after a space or on a line of its own."""
    caret = text.visible.rfind("^", start, end)
    found = _BLOCK_ID.fullmatch(text.visible, caret, end) if caret >= 0 else None
    if found and (caret == start or text.visible[caret - 1].isspace()):
        yield BlockId(found[1], text.line(caret), caret, found.end(1))


_WIKI = re.compile(r"!?\[\[([^\[\]|\r\n]*)(?:\|([^\[\]\r\n]*))?\]\]")
_TITLED = re.compile(r"!?\[([^\[\]\r\n]*)\]\([^()\r\n]*\)")
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__|~~|==|\*|_|`)(?=\S)([^\r\n]{1,200}?)(?<=\S)\1(?!\w)")

_MARK = re.compile(r"[*_~=`]")


def plain(text: str) -> str:
    """`text` as one line without the marks of links, emphasis and code."""
    text = " ".join(text.split())
    if "[" in text:
        text = _TITLED.sub(r"\1", _WIKI.sub(lambda link: (link[2] or link[1]).strip(), text))
    return _EMPHASIS.sub(r"\2", _EMPHASIS.sub(r"\2", text)) if _MARK.search(text) else text
