"""The command `timeline`: what happened, in order."""

from typing import Annotated

import typer

from memory_wiki.faces.arguments import Json, Limit, Project, Types, VaultOption
from memory_wiki.faces.at_desk import at_desk


def timeline(
    topic: Annotated[
        list[str] | None,
        typer.Argument(metavar="TOPIC", help="Passages about it; without, every page."),
    ] = None,
    since: Annotated[
        str, typer.Option("--since", metavar="DATE", help="Only from then on: 2026-11-30, yesterday, '3 weeks ago'.")
    ] = "",
    until: Annotated[str, typer.Option("--until", metavar="DATE", help="Only up to then.")] = "",
    types: Types = None,
    project: Project = "",
    limit: Limit = 30,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Show what happened in order, the oldest first. By when a page was created, not by its last change."""
    with at_desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        wanted = desk.filter(project, types, None, None, "", since, until)
        desk.say(wiki.timeline(" ".join(topic or []), wanted, limit))
