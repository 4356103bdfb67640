"""Where a call is answered: the open wiki, and where the client stands. Given to tools by the SDK's resolvers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Annotated, Any

import anyio
from mcp.server.mcpserver import Context, ListRoots, Resolve
from mcp.shared.exceptions import MCPError
from mcp_types import ListRootsRequest, ListRootsResult
from mcp_types.version import is_version_at_least

from memory_wiki.faces.mcp.door import CALLER
from memory_wiki.faces.mcp.places import Bindings, Place, folders_of, named
from memory_wiki.page.change import Actor
from memory_wiki.wiki.wiki import Wiki

ASKS_IN_RESULTS = "2026-07-28"  # the protocol from which on a server asks by its result, and not by a request
ROOTS_SECONDS = 2.0
"""How long a client may take to say where it stands; it is then taken for one that does not say."""
PROJECT_HEADER = "memory-wiki-project"
STDIO = "stdio"


@dataclass
class Served:
    """What all calls of a server share. `project` is what its launcher said."""

    wiki: Wiki
    project: str | None = None
    bindings: Bindings = field(default_factory=Bindings)
    door: Path | None = None
    """The socket by which processes of the same owner come in, None for none."""
    called: Callable[[str, str, float], None] = lambda _tool, _outcome, _seconds: None
    """Hears of each call: of which tool, how it ended, and how many seconds it took."""
    _models: Lock = field(default_factory=Lock)

    def serve_meaning(self) -> None:
        """From the first call on that a model helps, not before: most sessions that start a server never ask."""
        with self._models:
            self.wiki.serve_meaning()


@dataclass(frozen=True, slots=True)
class Seat:
    """For one call: the wiki, where its client stands, and how its session is bound to a project."""

    wiki: Wiki
    place: Place
    bind: Callable[[str], bool]
    """Settles the project of the client's session; False where it has none that could be told from others."""


Ctx = Context[Served, Any]


async def roots_of(ctx: Ctx, project: str) -> ListRoots | ListRootsResult:
    """The client's roots, where they are needed and it has some."""
    capabilities = ctx.client_capabilities
    if project or capabilities is None or capabilities.roots is None:
        return ListRootsResult(roots=[])
    if is_version_at_least(ctx.protocol_version or "", ASKS_IN_RESULTS):
        return ListRoots()
    with anyio.move_on_after(ROOTS_SECONDS):
        try:
            found: ListRootsResult = await ctx.session.send_request(ListRootsRequest(), ListRootsResult)
        except MCPError:
            return ListRootsResult(roots=[])
        return found
    return ListRootsResult(roots=[])


async def seat_of(ctx: Ctx, roots: Annotated[ListRootsResult, Resolve(roots_of)]) -> Seat:
    return make_seat(ctx.request_context.lifespan_context, session_of(ctx), configured(ctx), roots)


def make_seat(
    served: Served, session: str | None, configured: str | None, roots: ListRootsResult | None = None
) -> Seat:
    """`session` is what tells the client's session from others, None where nothing does: it is bound to nothing."""
    place = Place(
        folders_of(str(root.uri) for root in roots.roots) if roots else (),
        _settled(served, session, configured),
        served.wiki.projects,
        served.wiki.project_at,
    )

    def bind(project: str) -> bool:
        if session:
            served.bindings.bind(session, project)
        return session is not None

    return Seat(served.wiki, place, bind)


async def wiki_of(ctx: Ctx) -> Wiki:
    return ctx.request_context.lifespan_context.wiki


def settled(served: Served) -> str | None:
    """The project of the client that this context works for, as far as it is known without its request."""
    caller = CALLER.get()
    return _settled(served, caller.session, caller.project) if caller else _settled(served, STDIO, None)


def _settled(served: Served, session: str | None, configured: str | None) -> str | None:
    """What `brief` settled for the session, else what the client's configuration says, else the server's."""
    bound = served.bindings.of(session) if session else None
    return bound or (named(configured) if configured else served.project)


def session_of(ctx: Ctx) -> str | None:
    """What tells this client's session from others; None over HTTP without sessions."""
    if (headers := ctx.headers) is not None:
        return headers.get("mcp-session-id")
    caller = CALLER.get()
    return caller.session if caller else STDIO


def configured(ctx: Ctx) -> str | None:
    """The project that the client's configuration says it is in."""
    caller = CALLER.get()
    return caller.project if caller else header(ctx.headers or {}, PROJECT_HEADER)


def header(headers: Mapping[str, str], name: str) -> str | None:
    """A header in UTF-8, as programs send it, or in Latin-1, which is what servers read; None where there is none."""
    said = headers.get(name)
    if said is None or said.isascii():
        return said
    try:
        return said.encode("latin-1").decode()
    except UnicodeError:
        return said


def actor_of(ctx: Ctx) -> Actor:
    """The person whom the server writes for, and the agent: as its launcher says, else as the client calls itself."""
    caller = CALLER.get()
    base = caller.actor if caller else ctx.request_context.lifespan_context.wiki.actor
    asked = ctx.request_context.session.client_params
    agent = base.agent or (asked.client_info.name if asked else "")
    session = base.session or (ctx.headers or {}).get("mcp-session-id", "")
    return Actor(base.name, agent, session)
