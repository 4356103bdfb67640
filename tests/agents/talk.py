"""Talking to a server as a client does, in memory or over a pipe, in either era of the protocol."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from mcp import Client
from mcp_types import CallToolResult, ListRootsResult, Root

from kit import PATIENCE
from memory_wiki.faces.mcp.seat import Served
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.wiki import Wiki

ERAS = ("legacy", "2026-07-28")
SECONDS = 60.0
Found = TypeVar("Found")


def server_of(wiki: Wiki, project: str | None = None) -> MemoryServer:
    return MemoryServer(Served(wiki, project))


def talk(target: Any, then: Callable[[Client], Awaitable[Found]], era: str = "auto", **asked: Any) -> Found:  # noqa: ANN401 - whatever the SDK's client takes
    """What `then` gives of a client that is connected, or raises: as it is, and not in the SDK's groups."""

    async def talking() -> Found | Exception:
        async with asyncio.timeout(SECONDS), Client(target, mode=era, **asked) as client:
            try:
                return await then(client)
            except Exception as error:  # noqa: BLE001 - it is raised below
                return error

    found = asyncio.run(talking())
    if isinstance(found, Exception):
        raise found
    return found


async def until(claim: Callable[[], bool]) -> None:
    """Waits until others have made this true."""
    async with asyncio.timeout(PATIENCE):
        while not claim():  # noqa: ASYNC110 - what makes it true tells nobody
            await asyncio.sleep(0.01)


@dataclass(frozen=True)
class Said:
    """What a call gave."""

    is_error: bool
    text: str
    data: dict[str, Any]


def said(found: CallToolResult) -> Said:
    text = "\n".join(part.text for part in found.content if part.type == "text")
    return Said(bool(found.is_error), text, found.structured_content or {})


def call(server: MemoryServer, tool: str, era: str = "auto", **arguments: Any) -> Said:  # noqa: ANN401 - JSON
    """One call, by a client of its own."""

    async def calling(client: Client) -> Said:
        return said(await client.call_tool(tool, arguments))

    return talk(server, calling, era)


def rooted_in(*uris: str) -> dict[str, Any]:
    """For a client that says where it stands."""

    async def roots(_context: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=uri) for uri in uris])  # type: ignore[arg-type]

    return {"list_roots_callback": roots}


def size(value: object) -> int:
    """In bytes, as JSON without spaces."""
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
