"""Options as the wiki takes them: what is given on a command line, parsed once. Pure but for files and stdin."""

import json
import re
import sys
from datetime import date
from pathlib import Path

from memory_wiki.errors import BadInput, BadPage
from memory_wiki.page import edit
from memory_wiki.page.frontmatter import Value
from memory_wiki.page.memory import Memory
from memory_wiki.page.page import MAX_BYTES
from memory_wiki.wiki.remembering import Wish

__all__ = ["Memory", "batch", "edits", "facts", "keys", "project", "text_of"]

BOM = b"\xef\xbb\xbf"
FIELDS: dict[str, type | tuple[type, ...]] = {
    "text": str,
    "title": str,
    "type": str,
    "tags": list,
    "project": str,
    "confidence": (int, float),
    "pinned": bool,
    "links": list,
    "since": str,
    "until": str,
}
"""The keys of a line of a batch."""


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


def batch(file: Path) -> tuple[list[int], list[Wish]]:
    """A memory a line of JSON, and the numbers of their lines; raises `BadInput` for a line that is none."""
    is_piped = str(file) == "-"
    name = "standard input" if is_piped else str(file)
    data = sys.stdin.buffer.read() if is_piped else _read(file)
    lines = {n: line for n, line in enumerate(_decoded(data, name).split("\n"), 1) if line.strip()}
    if not lines:
        raise BadInput(f'{name} holds no memory; give each as a line of JSON: {{"text": "…"}}')
    wishes = []
    for number, line in lines.items():
        try:
            wishes.append(_wish(line))
        except BadInput as error:
            raise BadInput(f"{name}:{number}: {error}; nothing was written") from None
    return list(lines), wishes


def keys(settings: list[str], drops: list[str], pinned: bool | None) -> tuple[edit.Edit, ...]:
    """The edits of front matter that are asked for."""
    found: list[edit.Edit] = [edit.SetKey(*_setting(given)) for given in settings]
    found += [edit.DropKey(key) for key in drops]
    if pinned is not None:
        found.append(edit.SetKey("pinned", value=True) if pinned else edit.DropKey("pinned"))
    return tuple(found)


def edits(
    swap: tuple[str, str] | None, append: str | None, body: str | None, section: str | None
) -> tuple[edit.Edit, ...]:
    """The edits of the text that are asked for: the body or a section of it, a passage, then the end."""
    found: list[edit.Edit] = []
    if section is not None and body is None:
        raise BadInput("--section needs the text that is to stand there: give it by --body, as words or - for a pipe")
    if body is not None:
        text = _some(text_of([body], None)) if body == "-" else body
        found.append(edit.Body(text) if section is None else edit.Section(section, text))
    if swap is not None:
        found.append(edit.Swap(*swap))
    if append is not None:
        found.append(edit.Append(_some(text_of([append], None))))
    return tuple(found)


def facts(added: list[str], retracted: list[str], today: date) -> tuple[edit.Edit, ...]:
    """Facts that no longer hold from today on, and new ones."""
    return (*(edit.Retract(fact, today.isoformat()) for fact in retracted), *map(_fact, added))


def project(named: str | None, *, everywhere: bool) -> str | None:
    """The project that is meant: a name, "" for every project, None for the one that one stands in."""
    if named is not None and everywhere:
        raise BadInput("--global is for every project, and --project for one; give one of them")
    return "" if everywhere else named


def _some(text: str) -> str:
    """A text that says something: a pipe that failed must not become an edit."""
    if not text.strip():
        raise BadInput("there is no text to write; nothing was changed")
    return text


def _fact(given: str) -> edit.AddFact:
    """`[category] claim`, as the line of a page says it, with a list's mark or without."""
    if (found := edit.AddFact.said(given)) is None:
        raise BadInput(f"{given!r} is no fact; give it as '[category] claim', as in '[decision] We use Postgres'")
    return found


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


def _wish(line: str) -> Wish:
    """One line's memory; raises `BadInput` for one that is none."""
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
        confidence=None if "confidence" not in found else float(found["confidence"]),
        pinned=found.get("pinned", False),
        links=tuple(found.get("links", [])),
        since=found.get("since", ""),
        until=found.get("until", ""),
    )
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
