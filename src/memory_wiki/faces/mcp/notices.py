"""Telling clients which resources changed, by whatever hand: a call's, another process's, or a person's in an editor.

Clients of 2026-07-28 and later listen on a stream that the SDK serves; those before it subscribe, and are kept here.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, PromptsListChanged, ResourceUpdated
from mcp_types import EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from memory_wiki.faces.mcp.door import CALLER
from memory_wiki.faces.mcp.uris import uris_of
from memory_wiki.page.path import PagePath

MOST = 10_000  # subscriptions, of which the oldest are forgotten
PROMPTS = "/prompts/"


class Notices:
    """What changed and has not been told yet, and who asked to be told."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_due = asyncio.Event()
        self._changed: set[PagePath] = set()
        self._subscribers: dict[tuple[str, str], ServerSession] = {}

    def changed(self, paths: Iterable[PagePath]) -> None:
        """From any thread; nobody waits for it to be told."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(self._take, frozenset(paths))

    def _take(self, paths: frozenset[PagePath]) -> None:
        self._changed |= paths
        self._is_due.set()

    async def tell(self) -> None:
        """Tells, until it is cancelled."""
        self._loop, self._is_due = asyncio.get_running_loop(), asyncio.Event()
        try:
            while True:
                await self._is_due.wait()
                self._is_due.clear()
                paths, self._changed = self._changed, set()
                await self._tell(paths)
        finally:
            self._loop = None

    async def _tell(self, paths: set[PagePath]) -> None:
        if any(PROMPTS in path for path in paths):
            await self.bus.publish(PromptsListChanged())
        for uri in uris_of(paths):
            await self.bus.publish(ResourceUpdated(uri=uri))
            for subscriber in [each for each in self._subscribers if each[1] == uri]:
                try:
                    await self._subscribers[subscriber].send_resource_updated(uri)
                except Exception:  # noqa: BLE001 - it has gone, in whatever way, and the others are to hear
                    self._subscribers.pop(subscriber, None)

    async def subscribe(self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        self._subscribers[_session(ctx), str(params.uri)] = ctx.session
        while len(self._subscribers) > MOST:
            del self._subscribers[next(iter(self._subscribers))]
        return EmptyResult()

    async def unsubscribe(self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        self._subscribers.pop((_session(ctx), str(params.uri)), None)
        return EmptyResult()


def _session(ctx: ServerRequestContext[Any, Any]) -> str:
    headers = getattr(ctx.request, "headers", None) or {}
    caller = CALLER.get()
    return headers.get("mcp-session-id") or (caller.session if caller else "")
