"""The command `edit`: changes only what is meant of a page."""

from typing import Annotated

import typer

from memory_wiki.faces.arguments import Json, PageName, VaultOption
from memory_wiki.faces.at_desk import at_desk

Replaced = Annotated[
    tuple[str, str] | None,
    typer.Option("--replace", metavar="OLD NEW", help="One passage for another; OLD must stand there just once."),
]
Appended = Annotated[
    str | None, typer.Option("--append", metavar="TEXT", help="Lines at the end; - reads standard input.")
]
Body = Annotated[
    str | None,
    typer.Option("--body", metavar="TEXT", help="Another text below the front matter; - reads standard input."),
]
Heading = Annotated[
    str | None, typer.Option("--section", metavar="HEADING", help="The text of --body replaces this section's alone.")
]
Added = Annotated[
    list[str] | None,
    typer.Option("--add-fact", metavar="FACT", help="'[category] claim', after the last fact; may be repeated."),
]
Retracted = Annotated[
    list[str] | None,
    typer.Option("--retract", metavar="ID", help="A fact no longer holds, from today on; may be repeated."),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A front matter key, a list as [a, b]; may be repeated."),
]
Drops = Annotated[
    list[str] | None, typer.Option("--unset", metavar="KEY", help="Remove a front matter key; may be repeated.")
]
Pinned = Annotated[bool | None, typer.Option("--pin/--unpin", help="Mark it as one to stay, or no more.")]
Expected = Annotated[
    str | None, typer.Option("--expect", metavar="VERSION", help="Refuse if the page is no longer this version.")
]


def edit(
    page: PageName,
    replace: Replaced = None,
    append: Appended = None,
    body: Body = None,
    section: Heading = None,
    added: Added = None,
    retracted: Retracted = None,
    settings: Settings = None,
    drops: Drops = None,
    pinned: Pinned = None,
    expect: Expected = None,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Change only what is meant of a page. Without options, it opens in your editor."""
    from memory_wiki.faces import options
    from memory_wiki.faces.desk import chance

    with at_desk(vault, as_json=as_json) as desk:
        keys = options.keys(settings or [], drops or [], pinned)
        facts = options.facts(added or [], retracted or [], chance.now().astimezone().date())
        desk.edit(page, (*keys, *options.edits(replace, append, body, section), *facts), expect)
