"""A request that the protocol's reader can't take is answered too: else who sent it waits for ever."""

import json

from mcp.shared.message import SessionMessage
from mcp_types import PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_WHY = (
    "this is no JSON-RPC request in UTF-8; leave out half a surrogate pair such as \\ud83d, which is no character,"
    " and send it again"
)


def refusal(error: Exception) -> SessionMessage | None:
    """The answer to a line for which the protocol's reader gave this error; None for what is no request."""
    if not isinstance(error, ValidationError):
        return None
    asked = _id_of(error.errors(include_url=False)[0]["input"])
    if asked is None:
        return None
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=asked, error=ErrorData(code=PARSE_ERROR, message=_WHY)))


def _id_of(line: object) -> str | int | None:
    """The id of a request, as Python's reader finds it, which takes half a pair."""
    try:
        found = json.loads(line) if isinstance(line, str | bytes) else line
    except (ValueError, RecursionError):
        return None
    asked = found.get("id") if isinstance(found, dict) and "method" in found else None
    if isinstance(asked, str) and asked.isprintable():
        return asked
    return asked if isinstance(asked, int) and not isinstance(asked, bool) else None
