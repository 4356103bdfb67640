"""The same tools as plain JSON: `POST /api/v1/<tool>` takes a tool's arguments, and gives what it gives, structured."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import anyio.to_thread
from mcp_types import Tool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from memory_wiki import __version__
from memory_wiki.errors import BadInput, Broken, Clash, MemoryWikiError, NotFound, Refused, VaultBusy
from memory_wiki.faces.mcp.mending import in_tools
from memory_wiki.faces.mcp.seat import PROJECT_HEADER, header
from memory_wiki.faces.mcp.server import MemoryServer

PREFIX = "/api/v1"
STATUS: tuple[tuple[type[MemoryWikiError], int], ...] = (
    (BadInput, 400),
    (Refused, 403),
    (NotFound, 404),
    (Clash, 409),
    (Broken, 500),
    (VaultBusy, 503),
)
AGENT_HEADER = "memory-wiki-agent"


def routes(server: MemoryServer) -> list[Route]:
    async def call(request: Request) -> Response:
        try:
            arguments = _arguments(await request.body())
            actor = replace(server.served.wiki.actor, agent=header(request.headers, AGENT_HEADER) or "api")
            project = header(request.headers, PROJECT_HEADER)
            name = request.path_params["tool"]
            found = await anyio.to_thread.run_sync(server.answer, name, arguments, actor, project)
            return JSONResponse(found)
        except MemoryWikiError as error:
            return refusal(error)

    async def openapi(_request: Request) -> Response:
        return JSONResponse(described(server.shapes))

    return [
        Route(f"{PREFIX}/openapi.json", openapi, methods=["GET"]),
        Route(f"{PREFIX}/{{tool}}", call, methods=["POST"]),
    ]


def refusal(error: MemoryWikiError) -> JSONResponse:
    status = next((status for kind, status in STATUS if isinstance(error, kind)), 500)
    return JSONResponse({"error": {"code": error.code, "message": in_tools(error)}}, status)


def described(tools: Iterable[Tool]) -> dict[str, Any]:
    """The description of the whole in OpenAPI 3.1, whose schemas are those of JSON Schema as tools have them.

    https://spec.openapis.org/oas/v3.1.1.html
    """
    return {
        "openapi": "3.1.0",
        "info": {"title": "memory-wiki", "version": __version__},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {f"{PREFIX}/{tool.name}": {"post": _operation(tool)} for tool in tools},
    }


def _operation(tool: Tool) -> dict[str, Any]:
    error = {
        "type": "object",
        "properties": {
            "error": {
                "type": "object",
                "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
            }
        },
    }
    return {
        "operationId": tool.name,
        "summary": tool.description,
        "requestBody": {"required": True, "content": _json(tool.input_schema)},
        "responses": {
            "200": {"description": "What it gives", "content": _json(tool.output_schema or {})},
            "default": {"description": "What went wrong, and what to do next", "content": _json(error)},
        },
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": _inlined(schema, schema.get("$defs", {}))}}


def _inlined(value: Any, defs: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """A schema with what its references into its own `$defs` mean in place of them: within a document they are lost."""
    if isinstance(value, dict):
        if isinstance(name := value.get("$ref"), str):
            return _inlined(defs[name.rpartition("/")[2]], defs)
        return {key: _inlined(below, defs) for key, below in value.items() if key != "$defs"}
    return [_inlined(each, defs) for each in value] if isinstance(value, list) else value


def _arguments(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the body is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadInput("the body must be a JSON object of the tool's arguments")
    return found
