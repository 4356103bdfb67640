"""YAML text to values and back; the only file that knows YAML.

Reading refuses what could hurt: nesting that would overflow the C stack, aliases that multiply, explicit tags
(`!!python/…`). Writing quotes only what YAML would not read back as the same string.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import yaml
from frontmatter.default_handlers import YAMLHandler
from yaml.constructor import ConstructorError, SafeConstructor
from yaml.resolver import Resolver

from memory_wiki.errors import BadPage

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML built without libyaml: the same values, ten times slower
    from yaml import SafeLoader  # type: ignore[assignment]

MAX_CHARS = 64 * 1024
MAX_DEPTH = 20  # PyYAML's composer recurses on the C stack
MAX_NODES = 10_000  # counted as if every alias were written out


class Unreadable(Exception):
    """This YAML is not read: `why`, and the line of it, counted from 0, where that shows."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a top-level key and its value stand in the YAML: a line counted from 0, and offsets.

    A comment after the value is outside.
    """

    key: str
    line: int
    key_start: int
    key_end: int
    start: int
    end: int


def parse(text: str) -> tuple[dict[str, object], tuple[Entry, ...]]:
    """The mapping that `text` is, and its entries, of which a key given twice has two; raises `Unreadable`."""
    if len(text) > MAX_CHARS:
        raise Unreadable(f"it is longer than {MAX_CHARS // 1024} KiB")
    try:
        entries = tuple(_entries(_guarded(yaml.parse(text, Loader=_Loader)), text))
        values = YAMLHandler().load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Unreadable(error.problem or "it is no YAML", mark.line if mark else 0) from None
    except (yaml.YAMLError, UnicodeError):
        bad = _NEVER_IN_YAML.search(text)
        raise Unreadable(
            "it holds a control character or invalid UTF-8", text.count("\n", 0, bad.start()) if bad else 0
        ) from None
    return values or {}, entries


def _guarded(events: Iterable[yaml.Event]) -> Iterator[yaml.Event]:
    """The parser's events, which need no recursion, up to the first that could hurt."""
    sizes: dict[str, int] = {}  # of each finished anchor, aliases written out
    opened: list[tuple[str | None, int]] = []  # anchor, and the nodes before it
    nodes = 0
    for event in events:
        at = _line(event)
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, before = opened.pop()
            if anchor:
                sizes[anchor] = nodes - before
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise Unreadable(f"the alias *{event.anchor} stands for nothing before it", at)
            nodes += sizes[event.anchor]
        elif isinstance(event, yaml.NodeEvent):
            _check_node(event, len(opened))
            nodes += 1
            if isinstance(event, yaml.CollectionStartEvent):
                opened.append((event.anchor, nodes))
            elif event.anchor:
                sizes[event.anchor] = 1
        if nodes > MAX_NODES:
            raise Unreadable(f"it holds more than {MAX_NODES} values", at)
        yield event


def _check_node(event: yaml.NodeEvent, depth: int) -> None:
    at = _line(event)
    if depth == 0 and not isinstance(event, yaml.MappingStartEvent):
        raise Unreadable("it is not made of `key: value` lines", at)
    if depth > MAX_DEPTH:
        raise Unreadable(f"it is nested more than {MAX_DEPTH} deep", at)
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag is not None:
        raise Unreadable("it holds a YAML tag (`!…`), which is never followed", at)


def _entries(events: Iterable[yaml.Event], text: str) -> Iterator[Entry]:
    key: yaml.ScalarEvent | None = None
    depth = start = end = 0
    for event in events:
        if depth == 1 and isinstance(event, yaml.NodeEvent):
            start = _start(event)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            continue
        end = _visible_end(event, text) or end
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth != 1:
            continue
        if key is None:
            key = _key(event)
        else:
            yield Entry(key.value, _line(key), _start(key), _end(key), start, end)
            key = None


def _visible_end(event: yaml.Event, text: str) -> int | None:
    """Where a value's last character is; to the parser, blocks and `|` scalars reach further."""
    begins, ends = _start(event), _end(event)
    if isinstance(event, yaml.CollectionEndEvent) and begins == ends:
        return None
    if isinstance(event, yaml.ScalarEvent) and event.style in {"|", ">"}:
        return begins + len(text[begins:ends].rstrip(" \t\r\n"))
    return ends


def _key(event: yaml.Event) -> yaml.ScalarEvent:
    if not isinstance(event, yaml.ScalarEvent):
        raise Unreadable("a key in it is no text", _line(event))
    if event.implicit[0] and _plain_tag(event.value) not in {"str", "merge"}:
        raise Unreadable(f"the key {event.value} is no text; put it in quotes", _line(event))
    return event


_RESOLVER = Resolver()
_TAG = "tag:yaml.org,2002:"


def _plain_tag(text: str) -> str:
    """What an unquoted `text` is to YAML 1.1: `str`, `bool`, `int`, `timestamp` …"""
    return str(_RESOLVER.resolve(yaml.ScalarNode, text, (True, False)))  # type: ignore[no-untyped-call]
    .removeprefix(_TAG)


def _line(event: yaml.Event) -> int:
    return event.start_mark.line if event.start_mark else 0


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark else 0


class _Loader(SafeLoader):
    """Safe, and says where a number or date is that cannot be."""


def _number(loader: _Loader, node: yaml.ScalarNode) -> object:
    if ":" in node.value:  # 12:30 is 750 in YAML 1.1, text in 1.2 and to everybody
        return node.value
    construct = (
        SafeConstructor.construct_yaml_float if node.tag == _TAG + "float" else SafeConstructor.construct_yaml_int
    )
    return _checked(construct, loader, node)


def _date(loader: _Loader, node: yaml.ScalarNode) -> object:
    return _checked(SafeConstructor.construct_yaml_timestamp, loader, node)


def _checked(construct: Callable[[_Loader, yaml.ScalarNode], object], loader: _Loader, node: yaml.ScalarNode) -> object:
    try:
        return construct(loader, node)
    except (ValueError, OverflowError) as error:
        raise ConstructorError(None, None, f"{node.value[:40]} cannot be: {error}", node.start_mark) from None


_Loader.add_constructor(_TAG + "int", _number)
_Loader.add_constructor(_TAG + "float", _number)
_Loader.add_constructor(_TAG + "timestamp", _date)
