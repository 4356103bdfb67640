"""Who is let in: a known Host, no foreign Origin, the token, and a body of bounded size. Asked before all else.

A page in a browser that was made to take a name of ours for its own (DNS rebinding) is told by the first two.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import Collection
from urllib.parse import urlsplit

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

OPEN = {"/healthz", "/readyz"}  # for whoever starts and stops servers; they tell nothing of the vault
MOST_BYTES = 4 * 1024 * 1024
"""Of a request's body: a text that a tool takes has a million characters."""
TOO_LARGE = f"a request's body may have {MOST_BYTES:,} bytes; send less"
MOST_PASSED_OVER = 16 * MOST_BYTES
PATIENCE = 5.0
"""Seconds for the body of a request that is refused."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """Wraps an application. Without a token, whoever reaches the port is let in."""

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str]) -> None:
        self._app = app
        self._token = token.encode()
        self._hosts = {host.casefold() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        answer = _Answer(send)
        try:
            if refusal := self._refusal(scope["path"], headers):
                with anyio.move_on_after(PATIENCE):
                    await _pass_over(receive)
                await _refuse(answer, *refusal)
            else:
                await self._app(scope, _bounded(receive), answer)
        except ClientDisconnect:
            log.info("a client went before it had said all")
        except asyncio.CancelledError:  # what uvicorn does to those that are not done in time as it ends
            log.info("a request was cut short: the server ends")
            if not answer.is_begun:
                await _refuse(send, 503, "ends", "this server ends; ask again once it runs")

    def _refusal(self, path: str, headers: dict[str, str]) -> tuple[int, str, str] | None:
        """Status, code and message; None for who may come in."""
        if _name(f"//{headers.get('host', '')}") not in self._hosts:
            return 421, "unknown-host", "this server does not go by that name; `serve --allow-host NAME` lets it"
        if (origin := headers.get("origin")) and _name(origin) not in self._hosts:
            return 403, "foreign-origin", "no page of another site may ask here; `serve --allow-host NAME` lets it"
        if int_of(headers.get("content-length", "0")) > MOST_BYTES:
            return 413, "too-large", TOO_LARGE
        if path not in OPEN and self._token and not self._has_token(headers.get("authorization", "")):
            return 401, "no-token", "give the token: `Authorization: Bearer …`; `serve` says where it is kept"
        return None

    def _has_token(self, said: str) -> bool:
        scheme, _, token = said.partition(" ")
        return scheme.casefold() == "bearer" and hmac.compare_digest(token.strip().encode("latin-1"), self._token)


class _Answer:
    """Sends an answer, and knows whether it has begun to."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.is_begun = False

    async def __call__(self, message: Message) -> None:
        self.is_begun = True
        await self._send(message)


def int_of(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


def _name(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").casefold()
    except ValueError:
        return ""


def _bounded(receive: Receive) -> Receive:
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MOST_BYTES:
            raise HTTPException(413, TOO_LARGE)
        return message

    return bounded


async def _pass_over(receive: Receive) -> None:
    """The body of a request that is refused: most clients read no answer before they have sent all of it."""
    size = 0
    while size < MOST_PASSED_OVER:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            return


async def _refuse(send: Send, status: int, code: str, message: str) -> None:
    body = json.dumps({"error": {"code": code, "message": message}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == 401:  # noqa: PLR2004
        headers.append((b"www-authenticate", b'Bearer realm="memory-wiki"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
