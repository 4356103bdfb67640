"""The commands `brief` and `feedback`: what a session should know, and what it found of use."""

from typing import Annotated

import typer

from memory_wiki.faces.arguments import Json, PageName, VaultOption
from memory_wiki.faces.at_desk import at_desk


def brief(
    project: Annotated[
        str | None, typer.Option("--project", "-p", metavar="NAME", help="Else the project you stand in.")
    ] = None,
    budget: Annotated[int, typer.Option("--budget", metavar="TOKENS", min=100, help="How long it may be.")] = 1_500,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Show what a session should know now. Pins, standing requests, handoffs, decisions, sessions."""
    with at_desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        from memory_wiki.faces import told  # noqa: F401 - it says how an answer reads
        from memory_wiki.page.place import slug_for

        desk.say(wiki.brief(slug_for(project) if project else None, budget))


def feedback(
    page: PageName,
    verdict: Annotated[str, typer.Argument(metavar="useful|wrong|stale", help="What it was.")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What is wrong, or what holds now.")] = "",
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Say that a page helped, is wrong or is stale. The last two mark it as one to be reviewed."""
    with at_desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        from memory_wiki.faces import told  # noqa: F401 - it says how an answer reads

        desk.say(wiki.feedback(page, verdict, note))
