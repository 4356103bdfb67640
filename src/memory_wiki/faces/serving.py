"""The commands `mcp` and `serve`: servers by which agents reach a vault."""

from typing import Annotated

import typer

from memory_wiki.faces.arguments import Json, VaultOption
from memory_wiki.faces.at_desk import at_desk

InProject = Annotated[
    str, typer.Option("--project", "-p", metavar="NAME", help="Where a client does not say where it stands.")
]


def mcp(project: InProject = "", vault: VaultOption = None) -> None:
    """Serve an agent over standard input and output (MCP). Agents start this by themselves: see the README."""
    from memory_wiki.faces.mcp.places import named
    from memory_wiki.faces.relay import relay
    from memory_wiki.faces.whereabouts import locate

    with at_desk(vault, as_json=False) as desk:
        slug = named(project) if project else ""
        if not relay(locate(vault), slug):
            from memory_wiki.faces import servers

            servers.over_stdio(desk, slug)


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="What to listen to.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="NUMBER", min=0, max=65535, help="0 takes a free one.")] = 8765,
    names: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another name that clients call it by; may be repeated."),
    ] = None,
    no_token: Annotated[bool, typer.Option("--no-token", help="Let in whoever is on this machine.")] = False,
    project: InProject = "",
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Serve agents over HTTP: MCP, and the same as plain JSON. One process, model and index for all of them."""
    with at_desk(vault, as_json=as_json) as desk:
        from memory_wiki.faces import servers
        from memory_wiki.faces.mcp.places import named

        slug = named(project) if project else ""
        servers.over_http(desk, slug, (host, port, tuple(names or ())), has_token=not no_token)
