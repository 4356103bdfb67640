"""The application: MCP, the JSON API, and the operators' addresses, behind one guard."""

from collections.abc import Collection

import anyio.to_thread
from mcp.server.transport_security import TransportSecuritySettings
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memory_wiki.errors import MemoryWikiError
from memory_wiki.faces.http import api
from memory_wiki.faces.http.guard import MOST_BYTES, Guard
from memory_wiki.faces.http.metrics import CONTENT_TYPE, Metrics
from memory_wiki.faces.mcp.server import MemoryServer

MCP_PATH = "/mcp"
ADDRESSES = "there are /mcp, /api/v1/TOOL by POST, /api/v1/openapi.json, /healthz, /readyz and /metrics by GET"
CODES = {404: "not-found", 405: "bad-method", 413: "too-large"}
WRONG = {404: f"nothing is at this address; {ADDRESSES}", 405: f"this address takes another method; {ADDRESSES}"}


def application(server: MemoryServer, metrics: Metrics, token: str, hosts: Collection[str]) -> Guard:
    """`hosts` are the names that it goes by; the guard asks for them, so that the SDK need not."""
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        streamable_http_path=MCP_PATH, transport_security=unguarded, max_request_body_size=MOST_BYTES
    )
    app.add_exception_handler(HTTPException, _told)
    app.router.routes += [*_operators(server, metrics), *api.routes(server)]
    return Guard(app, token, hosts)


async def _told(_request: Request, error: Exception) -> Response:
    """What the framework refuses, as JSON that says what to do next."""
    assert isinstance(error, HTTPException)  # noqa: S101 - what it is asked for
    said = WRONG.get(error.status_code, error.detail)
    return JSONResponse(
        {"error": {"code": CODES.get(error.status_code, "refused"), "message": said}}, error.status_code, error.headers
    )


def _operators(server: MemoryServer, metrics: Metrics) -> list[Route]:
    async def healthz(_request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def readyz(_request: Request) -> Response:
        try:
            await anyio.to_thread.run_sync(server.served.wiki.catch_up)
        except (MemoryWikiError, OSError) as error:
            return JSONResponse({"status": "not ready", "why": type(error).__name__}, 503)
        return JSONResponse({"status": "ready"})

    async def shown(_request: Request) -> Response:
        return Response(await anyio.to_thread.run_sync(metrics.text), headers={"content-type": CONTENT_TYPE})

    return [
        Route("/healthz", healthz, methods=["GET"]),
        Route("/readyz", readyz, methods=["GET"]),
        Route("/metrics", shown, methods=["GET"]),
    ]
