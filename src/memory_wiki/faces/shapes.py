"""Answers as JSON: the one place where values become dictionaries, and where their keys are promised."""

import json
import re
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import singledispatch
from typing import Any

from memory_wiki.errors import MemoryWikiError
from memory_wiki.index.index import Proof
from memory_wiki.recall.answer import Answer, Hit
from memory_wiki.vault.past import Past
from memory_wiki.vault.porcelain import Commit
from memory_wiki.wiki.answers import Found, Reading
from memory_wiki.wiki.listener import CaughtUp

_STEERS = re.compile(r"[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # JSON itself escapes only what is below a space


def to_json(*answers: object) -> str:
    """One JSON object, indented; times in RFC 3339. Several answers share it, each with its own keys."""
    return _dump({key: value for answer in answers for key, value in shape(answer).items()}, indent=2)


def error_to_json(error: MemoryWikiError) -> str:
    """`{"error": {"code", "message", …}}`, with the error's facts, in one line."""
    facts = {key: shape(value) for key, value in vars(error).items()}
    return _dump({"error": {"code": error.code, "message": str(error), **facts}})


def note_to_json(line: str) -> str:
    """`{"note": …}`, in one line."""
    return _dump({"note": line})


def line_to_json(caught: CaughtUp) -> str:
    """What was changed outside, in one line: `{"commit", "pages", "left"}`."""
    return _dump({"commit": caught.commit, "pages": shape(caught.pages), "left": caught.left})


def _dump(value: Any, indent: int | None = None) -> str:
    """JSON that a terminal shows as it is: without a control character, or a lone surrogate."""
    said = json.dumps(value, indent=indent, ensure_ascii=False).encode("utf-8", "replace").decode()
    return _STEERS.sub(lambda found: f"\\u{ord(found.group()):04x}", said)


@singledispatch
def shape(value: object) -> Any:
    """A value in JSON's types: a dataclass by its fields, unless it has a shape of its own below."""
    if is_dataclass(value):
        return _by_fields(value)
    if isinstance(value, dict):
        return {str(key): shape(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [shape(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def _by_fields(value: Any) -> dict[str, Any]:
    return {field.name: shape(getattr(value, field.name)) for field in fields(value)}


@shape.register
def _(value: datetime) -> str:
    return value.isoformat().replace("+00:00", "Z")


@shape.register
def _(value: Reading) -> Any:
    page = value.page
    keys = (
        "path",
        "version",
        "title",
        "type",
        "id",
        "status",
        "tags",
        "aliases",
        "created",
        "by",
        "confidence",
        "pinned",
    )
    shaped = {key: shape(getattr(page, key)) for key in keys}
    return {**shaped, "problems": shape(page.problems), "as_of": shape(value.past), "text": shape(page.text)}


@shape.register
def _(value: Answer) -> Any:
    return {**_by_fields(value), "missing": dict(value.missing)}


@shape.register
def _(value: Hit) -> Any:
    return {**_by_fields(value), "parts": dict(value.parts), "words": dict(value.words), "weights": dict(value.weights)}


@shape.register
def _(value: Past) -> Any:
    return {"path": value.path, "version": value.version, **shape(value.commit)}


@shape.register
def _(value: Commit) -> Any:
    touched = [{"path": touch.path, "version": touch.after} for touch in value.touched]
    return {
        "commit": value.id,
        "author": value.author,
        "email": value.email,
        "at": shape(value.at),
        "subject": value.subject,
        "trailers": [list(trailer) for trailer in value.trailers],
        "touched": touched,
    }


@shape.register
def _(value: Found) -> Any:
    return {"path": value.path, **shape(value.problem)}


@shape.register
def _(value: Proof) -> Any:
    differing = [shape(row) for row in value.differing]
    return {"index": {"pages": value.pages, "differing": differing, "uncommitted": shape(value.uncommitted)}}
