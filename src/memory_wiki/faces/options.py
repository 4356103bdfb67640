"""Options as the wiki takes them: what is given on a command line, parsed once. Pure but for files and stdin."""

import json
import re
import sys
from datetime import datetime
from pathlib import Path

from memory_wiki.errors import BadInput, BadPage, MemoryWikiError
from memory_wiki.index.entries import Filter
from memory_wiki.page import edit
from memory_wiki.page.frontmatter import Value
from memory_wiki.page.memory import Birth, Memory, compose
from memory_wiki.page.page import MAX_BYTES
from memory_wiki.vault.past import LEAST_PREFIX
from memory_wiki.wiki.remembering import Wish
from memory_wiki.wiki.when import end_of, start_of

BOM = b"\xef\xbb\xbf"
FIELDS: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "title": str,
    "type": str,
    "tags": list,
    "project": str,
    "confidence": (int, float),
    "pinned": bool,
}
"""The keys of a line of a batch."""


def filter_of(
    *,
    now: datetime,
    project: str,
    types: list[str],
    tags: list[str],
    paths: list[str],
    author: str,
    since: str,
    until: str,
) -> Filter:
    """Empty options filter nothing."""
    return Filter(
        projects=(project,) if project else (),
        types=tuple(types),
        tags=tuple(tag.lstrip("#") for tag in tags),
        folders=tuple(path.strip("/") for path in paths),
        author=author,
        since=start_of(since, now) if since else None,
        until=end_of(until, now) if until else None,
    )


def text_of(words: list[str], file: Path | None) -> str:
    """The text given as words, `-` for standard input, or in a file; raises `BadInput`, `BadPage`."""
    if file is not None and words:
        raise BadInput("give the text or --file, not both")
    if file is not None:
        return _decoded(_read(file), str(file))
    if words == ["-"]:
        return _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    if not words:
        raise BadInput("there is nothing to remember; give a text, `-` for standard input, or --file")
    return " ".join(words)


def batch(file: Path, now: datetime) -> list[Wish]:
    """A memory a line of JSON; raises `BadInput` with the line's number, before anything is written."""
    is_piped = str(file) == "-"
    name = "standard input" if is_piped else str(file)
    data = sys.stdin.buffer.read() if is_piped else _read(file)
    wishes = []
    for number, line in enumerate(_decoded(data, name).split("\n"), 1):
        try:
            wishes += [_wish(line, now)] if line.strip() else []
        except MemoryWikiError as error:
            raise BadInput(f"{name}:{number}: {error}; nothing was written") from None
    if not wishes:
        raise BadInput(f'{name} holds no memory; give each as a line of JSON: {{"text": "…"}}')
    return wishes


def edits(
    *, swap: tuple[str, str] | None, append: str | None, body: str | None, settings: list[str], drops: list[str]
) -> tuple[edit.Edit, ...]:
    """The edits asked for, in the order front matter, body, end."""
    found: list[edit.Edit] = [edit.SetKey(*_setting(given)) for given in settings]
    found += [edit.DropKey(key) for key in drops]
    if body is not None:
        found.append(edit.Body(text_of([body], None)))
    if swap is not None:
        found.append(edit.Swap(*swap))
    if append is not None:
        found.append(edit.Append(text_of([append], None)))
    return tuple(found)


def project(named: str | None, *, everywhere: bool) -> str | None:
    """The project that is meant: a name, "" for every project, None for the one that one stands in."""
    if named is not None and everywhere:
        raise BadInput("--global is for every project, and --project for one; give one of them")
    return "" if everywhere else named


def version(given: str | None) -> str:
    """What `--expect` names; raises `BadInput` for next to nothing, such as a script's empty variable."""
    if given is not None and len(given) < LEAST_PREFIX:
        raise BadInput(f"{given!r} is no version; `memory-wiki log` shows them")
    return given or ""


def _setting(given: str) -> tuple[str, Value]:
    """`key=value`: true and false, numbers and [lists, of words] as such, all else as a string."""
    key, equals, said = (part.strip() for part in given.partition("="))
    if not key or not equals:
        raise BadInput(f"{given!r} sets nothing; give it as key=value")
    if said in {"true", "false"}:
        return key, said == "true"
    if re.fullmatch(r"-?\d{1,15}", said) and str(int(said)) == said:
        return key, int(said)
    if re.fullmatch(r"-?\d{1,15}\.\d{1,15}", said):
        return key, float(said)
    if said.startswith("[") and said.endswith("]") and not said.startswith("[["):
        return key, tuple(part for item in said[1:-1].split(",") if (part := item.strip().strip("\"'")))
    return key, said


def _wish(line: str, now: datetime) -> Wish:
    """One line's memory; raises `BadInput` or `BadPage` for one that can't be written."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"this line is no JSON ({error})") from None
    if not isinstance(found, dict) or "text" not in found:
        raise BadInput('a line is an object with at least {"text": "…"}')
    if unknown := found.keys() - FIELDS.keys():
        raise BadInput(f"{', '.join(sorted(unknown))} is no key of a memory; there are {', '.join(FIELDS)}")
    for key, value in found.items():
        _check(key, value)
    memory = Memory(
        text=found["text"],
        title=found.get("title", ""),
        type=found.get("type", ""),
        tags=tuple(tag.lstrip("#") for tag in found.get("tags", [])),
        confidence=float(found.get("confidence", 1.0)),
        pinned=found.get("pinned", False),
    )
    compose(memory, Birth("", now, "", lambda: "f0000"))
    return Wish(memory, found.get("project"))


def _check(key: str, value: object) -> None:
    is_fit = isinstance(value, FIELDS[key]) and not (isinstance(value, bool) and key == "confidence")
    if not is_fit or (isinstance(value, list) and any(not isinstance(item, str) for item in value)):
        raise BadInput(f"{key} can't be {value!r}")


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read()
    except OSError as error:
        raise BadInput(f"{file} can't be read: {error.strerror}") from None


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig" if data.startswith(BOM) else "utf-8")
    except UnicodeDecodeError as error:
        raise BadPage(f"{where} is no valid UTF-8 (byte {error.start}); convert it, as with `iconv -t utf-8`") from None
