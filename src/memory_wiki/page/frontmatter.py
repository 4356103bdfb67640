"""The front matter of a page: where it is, what it says, and how one key of it changes.

Parsed with a library, written by splicing: a write touches the lines of one key and leaves every other byte —
BOM, line ends, comments, order, quoting — as it is, or refuses. Reading never raises.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from memory_wiki.errors import BadPage
from memory_wiki.page import flat, values
from memory_wiki.page.literal import Value, dump
from memory_wiki.page.problem import Problem
from memory_wiki.page.text import NEWLINE, line_end
from memory_wiki.page.values import Entry

__all__ = ["UNREAD", "Block", "FrontMatter", "Value", "compose", "read", "remove_key", "set_key", "split"]

_BOM = "\ufeff"
_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?<=[\r\n])---[ \t]*(?:\r\n|\r|\n|\Z)")
_NOTHING: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Block:
    """Offsets in the text: YAML from `start` to `end`, the body from `body` on."""

    start: int
    end: int
    body: int


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a page's front matter says, and where; `values` is empty where it cannot be read."""

    values: Mapping[str, object]
    problems: tuple[Problem, ...]
    body_start: int
    entries: tuple[Entry, ...] = ()

    def line_of(self, key: str) -> int | None:
        """The line of the file that gives `key`: the last one, as that one counts."""
        return max((_FIRST_LINE + entry.line for entry in self.entries if entry.key == key), default=None)


UNREAD = "front-matter"
"""The problem of front matter that can't be read."""

_FIRST_LINE = 2  # of the YAML: the fence is line 1


def split(text: str) -> Block | None:
    """Where the front matter is, which must begin in the first line; one that never ends is none."""
    opening = _OPENING.match(text)
    closing = opening and _CLOSING.search(text, opening.end())
    return Block(opening.end(), closing.start(), closing.end()) if opening and closing else None


def below(text: str) -> str:
    """The body: all of a text that has no front matter."""
    block = split(text)
    return text[block.body :] if block else text


def read(text: str) -> FrontMatter:
    """What the front matter says, with a problem for whatever keeps it from being read."""
    block = split(text)
    if block is None:
        return FrontMatter(_NOTHING, _unclosed(text), 1 if text.startswith(_BOM) else 0)
    try:
        found, entries = flat.parse(text[block.start : block.end])
    except values.Unreadable as error:
        return FrontMatter(_NOTHING, (_unread(error, text[block.start : block.end]),), block.body)
    return FrontMatter(found, _duplicates(entries), block.body, entries)


def _unread(error: values.Unreadable, yaml: str) -> Problem:
    line = _FIRST_LINE + error.line
    if "{{" in yaml:
        return Problem("template", "this is a template: its front matter is read once it is filled in", line, "warning")
    return Problem(UNREAD, f"front matter is not read: {error.why}; correct it, and its keys count again", line)


def _unclosed(text: str) -> tuple[Problem, ...]:
    if not _OPENING.match(text):
        return ()
    return (Problem(UNREAD, "front matter begins here and never ends; close it with a line `---`", 1),)


def _duplicates(entries: Sequence[Entry]) -> tuple[Problem, ...]:
    seen: set[str] = set()
    problems = []
    for entry in entries:
        if entry.key in seen:
            message = f"{entry.key} is given more than once, and the last one counts; keep one"
            problems.append(Problem("duplicate-key", message, _FIRST_LINE + entry.line))
        seen.add(entry.key)
    return tuple(problems)


def set_key(text: str, key: str, value: Value) -> str:
    """`text` with `key` set to `value`, in its place or as the last key; every other byte stays.

    Raises `BadPage` where the front matter is broken, has the key twice, or would read differently otherwise.
    """
    written, wanted = dump(value), _as_read(value)
    before = _changeable(text, key)
    if key in before.values and _same(before.values[key], wanted):
        return text
    block = split(text)
    if block is None:
        changed = _with_block(text, f"{dump(key)}: {written}")
    elif entry := _entry(before, key):
        changed = _with_value(text, block, entry, written)
    else:
        changed = _with_line(text, block, before, f"{dump(key)}: {written}")
    return _checked(text, changed, key, {**before.values, key: wanted})


def remove_key(text: str, key: str) -> str:
    """`text` without the lines of `key`; raises `BadPage` as `set_key` does."""
    before = _changeable(text, key)
    block, entry = split(text), _entry(before, key)
    if block is None or entry is None:
        return text
    start = _line_start(text, block.start + entry.key_start)
    end = _line_end(text, block.start + entry.end)
    kept = {name: value for name, value in before.values.items() if name != key}
    return _checked(text, text[:start] + text[end:], key, kept)


def compose(pairs: Sequence[tuple[str, Value]], body: str) -> str:
    """A new page's text: front matter with these keys in this order, then `body`."""
    lines = [f"{dump(key)}: {dump(value)}\n" for key, value in pairs]
    text = "---\n" + "".join(lines) + "---\n" + body
    found = read(text)
    wanted = {key: _as_read(value) for key, value in pairs}
    if found.problems or not _same(dict(found.values), wanted):
        raise BadPage("these keys make no front matter; give each once, at most 64 KiB together")
    return text


def _changeable(text: str, key: str) -> FrontMatter:
    found = read(text)
    for problem in found.problems:
        if problem.code != "duplicate-key":
            raise _refusal(key, f"line {problem.line}, {problem.message}")
    if sum(entry.key == key for entry in found.entries) > 1:
        raise _refusal(key, f"it is given more than once, last in line {found.line_of(key)}; keep one")
    return found


def _refusal(key: str, why: str) -> BadPage:
    return BadPage(f"{key} is not changed, nor is anything else of the page: {why}")


def _checked(text: str, changed: str, key: str, wanted: Mapping[str, object]) -> str:
    """`changed`, if it reads as `wanted` over the same body as `text`."""
    before, after = read(text), read(changed)
    if any(problem.code != "duplicate-key" for problem in after.problems):
        raise _refusal(key, "its front matter is written in a way that this would break; edit it by hand")
    if not _same(after.values, wanted):
        raise _refusal(key, "something else would be read differently; edit it by hand")
    if changed[after.body_start :] != text[before.body_start :]:
        raise _refusal(key, "the text below would change; edit it by hand")
    return changed


def _same(one: object, other: object) -> bool:
    """Equal in value and type, which `==` is not for 1, 1.0 and True; the order of keys aside."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(repr(one[key]) == repr(other[key]) for key in one)
    return repr(one) == repr(other)


def _as_read(value: Value) -> object:
    if isinstance(value, tuple):
        return list(value)
    return value.astimezone(UTC).replace(fold=0) if isinstance(value, datetime) else value


def _entry(found: FrontMatter, key: str) -> Entry | None:
    return next((entry for entry in found.entries if entry.key == key), None)


def _with_block(text: str, line: str) -> str:
    bom = _BOM if text.startswith(_BOM) else ""
    newline = line_end(text)
    return bom + newline.join(("---", line, "---", "")) + text.removeprefix(bom)


def _with_line(text: str, block: Block, found: FrontMatter, line: str) -> str:
    indent = ""
    if found.entries:  # a mapping may be indented, and then each of its keys is
        first = block.start + found.entries[0].key_start
        indent = text[_line_start(text, first) : first]
    return text[: block.end] + indent + line + line_end(text) + text[block.end :]


def _with_value(text: str, block: Block, entry: Entry, written: str) -> str:
    """Only the value is replaced: the spelling of the key stays, and so do comments."""
    key_end, start, end = (block.start + offset for offset in (entry.key_end, entry.start, entry.end))
    gap = text[key_end:start]
    colon, space = gap[: gap.find(":") + 1], gap[gap.find(":") + 1 :]
    if not space or NEWLINE.search(space):  # no value there yet, or one that begins on a later line
        return text[:key_end] + colon + " " + written + space.rstrip() + text[end:]
    return text[:start] + written + text[end:]


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    """The end of the line, its line break included."""
    found = NEWLINE.search(text, offset)
    return found.end() if found else len(text)
