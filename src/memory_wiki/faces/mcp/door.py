"""A server's second way in: a socket in the vault's own folder, for who would else have started a server of its own.

`memory-wiki mcp` then only passes bytes on, so that one model and one index are in memory for all agents of a machine.
Only the vault's owner can open the socket, so that no token is asked for. Each connection is one client.
"""

import json
import logging
import os
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

from memory_wiki.faces.mcp.unread import refusal
from memory_wiki.page.change import Actor

log = logging.getLogger(__name__)

LONGEST_LINE = 16 * 1024 * 1024  # bytes of a message
BUFFERED = 16  # messages that wait for a server that is at work

Serve = Callable[[Any, Any], Awaitable[None]]
_number = count(1)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is at the other end of a pipe: its session's name here, on whose behalf it writes, and its project."""

    session: str
    actor: Actor
    project: str | None

    @classmethod
    def introduced(cls, line: bytes) -> "Caller":
        """As the first line of a connection says; nothing is known of who says nothing."""
        try:
            found = json.loads(line)
            known = {key: str(found[key]) for key in ("actor", "agent", "session", "project") if found.get(key)}
        except (ValueError, AttributeError, RecursionError):
            known = {}
        actor = Actor(known.get("actor", ""), known.get("agent", ""), known.get("session", ""))
        return cls(f"socket-{next(_number)}", actor, known.get("project"))


CALLER: ContextVar[Caller | None] = ContextVar("caller", default=None)


async def listen(path: Path, serve: Serve) -> None:
    """Until it is cancelled. `serve` is given a client's messages, and where to put those for it."""
    try:
        _forget_one_left_behind(path)
        listener = await anyio.create_unix_listener(path, mode=0o600)
        ours = _which(path)
    except (OSError, NotImplementedError, AttributeError) as error:  # a long path, or a system without such sockets
        log.info("agents that start a server of their own keep it: %s", error)
        return
    try:
        async with listener:
            await listener.serve(lambda stream: _client(stream, serve))
    finally:
        if _which(path) == ours:  # another server of the vault may have taken the name over
            _unlink(path)


def _unlink(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _which(path: Path) -> tuple[int, int] | None:
    """Which file has this name; None for none."""
    with suppress(OSError):
        found = path.lstat()
        return found.st_ino, found.st_ctime_ns
    return None


def _forget_one_left_behind(path: Path) -> None:
    """By a server that was killed; nobody listens there, as a vault's servers each take over the name."""
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(os.lstat(path).st_mode):
            path.unlink()


async def _client(stream: SocketStream, serve: Serve) -> None:
    try:
        await _converse(stream, serve)
    except Exception as error:  # noqa: BLE001 - whatever befalls one client, the others are served
        log.info("a client went: %r", error)


async def _converse(stream: SocketStream, serve: Serve) -> None:
    """Until the client has said all, or is gone."""
    lines = BufferedByteReceiveStream(stream)
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](BUFFERED)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](BUFFERED)
    async with stream:
        CALLER.set(Caller.introduced(await lines.receive_until(b"\n", LONGEST_LINE)))
        async with anyio.create_task_group() as tasks:

            async def reading() -> None:
                async with to_server, to_client.clone() as answers:
                    with suppress(anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError):
                        while True:
                            message = _message(await lines.receive_until(b"\n", LONGEST_LINE))
                            if isinstance(message, SessionMessage):
                                await to_server.send(message)
                            elif refused := refusal(message):
                                await answers.send(refused)

            async def writing() -> None:
                async with from_server:
                    async for message in from_server:
                        said = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                        await stream.send(said.encode() + b"\n")

            tasks.start_soon(reading)
            tasks.start_soon(writing)
            await serve(from_client, to_client)
            tasks.cancel_scope.cancel()


def _message(line: bytes) -> SessionMessage | ValidationError:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        return error
