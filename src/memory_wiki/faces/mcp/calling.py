"""One call of a tool, whatever the protocol: its arguments checked, on whose behalf, and what becomes of an error."""

import difflib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pydantic import ValidationError

from memory_wiki.errors import BadInput
from memory_wiki.faces.mcp.sound import is_sound

Told = Callable[[int, int], None]
_CALL: ContextVar[Told | None] = ContextVar("call", default=None)


def progress(done: int, total: int) -> None:
    """Tells the client of the call that this thread works for, if one does."""
    if (told := _CALL.get()) is not None:
        told(done, total)


@contextmanager
def telling(told: Told) -> Iterator[None]:
    """What is done meanwhile in this context tells `told` how far it is."""
    token = _CALL.set(told)
    try:
        yield
    finally:
        _CALL.reset(token)


def check(tool: str, arguments: Mapping[str, object], known: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises `BadInput` for a tool or argument there is not, or no text; `known` has each tool's schema by its name."""
    if tool not in known:
        near = difflib.get_close_matches(tool, known, n=1)
        raise BadInput(
            f"no tool {tool!r}; " + (f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}")
        )
    takes = known[tool]["properties"]
    for name in arguments:
        if name not in takes:
            raise BadInput(f"{tool} takes no {name!r}; it takes {', '.join(takes)}")
        if not is_sound(arguments[name]):
            raise BadInput(f"{name}: it holds half a surrogate pair, which is no character; leave it out")


def not_valid(found: ValidationError) -> BadInput:
    """What of the arguments can't be meant, each with what was given."""
    return BadInput("; ".join(_not_valid(each) for each in found.errors(include_url=False)))


def _not_valid(found: Any) -> str:  # noqa: ANN401 - a TypedDict that pydantic does not export
    where = ".".join(str(part) for part in found["loc"]) or "the arguments"
    given = json.dumps(found.get("input"), default=str)[:60]
    return f"{where}: {found['msg'].lower()}" + ("" if found["type"] == "missing" else f", not {given}")
