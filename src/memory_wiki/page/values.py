"""YAML text to values, and where in the text they stand; the only file that uses the YAML library.

Refuses what could hurt before it does: nesting that would overflow the C stack, aliases that multiply, and
explicit tags (`!!python/…`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import yaml
from frontmatter.default_handlers import YAMLHandler
from yaml.constructor import ConstructorError
from yaml.resolver import Resolver

try:
    from yaml import CSafeLoader as SafeLoader
except ImportError:  # PyYAML built without libyaml: the same values, ten times slower
    from yaml import SafeLoader  # type: ignore[assignment]

MAX_CHARS = 64 * 1024
MAX_DEPTH = 20  # PyYAML's composer recurses on the C stack
MAX_NODES = 10_000  # counted as if every alias were written out

_NEVER_IN_YAML = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ud800-\\udfff\\ufffe\\uffff]")


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
    """The mapping that `text` is, and its entries; a key given twice has two. Raises `Unreadable`."""
    if len(text) > MAX_CHARS:
        raise Unreadable(f"it is longer than {MAX_CHARS // 1024} KiB")
    try:
        entries = tuple(_entries(_guarded(yaml.parse(text, Loader=_Loader)), text))
        found: dict[str, object] | None = YAMLHandler().load(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = error.problem or "it is no YAML"
        raise Unreadable(_PLAINER.get(why, why), mark.line if mark else 0) from None
    except (yaml.YAMLError, UnicodeError):
        bad = _NEVER_IN_YAML.search(text)
        line = text.count("\n", 0, bad.start()) if bad else 0
        raise Unreadable("it holds a control character or invalid UTF-8", line) from None
    return found or {}, entries


_PLAINER = {
    "found unhashable key": "a list or mapping stands where a key should; put text such as {{date}} in quotes",
    "mapping values are not allowed in this context": "text with `: ` in it is not in quotes",
    "could not find expected ':'": "a line has no `:` after its key",
}


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
        raise Unreadable("a list or mapping stands where a key should", _line(event))
    if event.implicit[0] and plain_kind(event.value) not in {"str", "merge"}:
        raise Unreadable(f"the key {event.value} is no text to YAML; put it in quotes", _line(event))
    return event


def _line(event: yaml.Event) -> int:
    return event.start_mark.line if event.start_mark else 0


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark else 0


LONGEST_CONSTANT = len("false")
"""Nothing longer that begins with a letter is a truth or a null to YAML."""

_TAG = "tag:yaml.org,2002:"
_RESOLVER = Resolver()


def plain_kind(text: str) -> str:
    """What `text` without quotes is to YAML 1.1: `str`, `bool`, `int`, `timestamp` …"""
    if len(text) > LONGEST_CONSTANT and text[0].isalpha():
        return "str"
    return _resolved(text)


@lru_cache(maxsize=1_024)  # keys and words come again and again, and asking takes 2 µs
def _resolved(text: str) -> str:
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return tag.removeprefix(_TAG)


class _Loader(SafeLoader):
    """Safe, and says in which line a number or date stands that cannot be.

    12:30 is text, as to everybody else; to YAML 1.1 it is 750.
    """

    def number(self, node: yaml.ScalarNode) -> object:
        if ":" in node.value:
            return node.value
        return _checked(self.construct_yaml_int if node.tag == _TAG + "int" else self.construct_yaml_float, node)

    def date(self, node: yaml.ScalarNode) -> object:
        return _checked(self.construct_yaml_timestamp, node)

    def text(self, node: yaml.ScalarNode) -> str:
        """A lone `=`, for which PyYAML resolves a tag that it cannot construct."""
        return str(node.value)


def _checked(construct: Callable[[yaml.ScalarNode], object], node: yaml.ScalarNode) -> object:
    try:
        return construct(node)
    except ValueError as error:
        raise ConstructorError(None, None, f"{node.value[:40]} cannot be: {error}", node.start_mark) from None


for _kind in ("int", "float"):
    _Loader.add_constructor(_TAG + _kind, _Loader.number)
_Loader.add_constructor(_TAG + "timestamp", _Loader.date)
_Loader.add_constructor(_TAG + "value", _Loader.text)
