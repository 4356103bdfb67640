"""Arguments and options that several commands share, with their help and completion."""

from pathlib import Path
from typing import Annotated

import typer


def complete_page(incomplete: str) -> list[str]:
    """The paths that begin so, for a shell; none where there is no vault, as a shell wants no errors."""
    from memory_wiki.faces import desk

    return desk.paths_that_begin(incomplete)


VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault", metavar="FOLDER", help="The vault; else MEMORY_WIKI_VAULT, the one you stand in, your own."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Project = Annotated[str, typer.Option("--project", "-p", metavar="NAME", help="Only this project's pages.")]
Types = Annotated[
    list[str] | None, typer.Option("--type", "-t", metavar="TYPE", help="Only pages of this type; may be repeated.")
]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help="Only pages with this tag; repeated, with all of them."),
]
Paths = Annotated[
    list[str] | None,
    typer.Option("--path", metavar="FOLDER|PAGE", help="Only pages below this folder; may be repeated."),
]
Author = Annotated[str, typer.Option("--author", metavar="NAME", help="Only pages last changed by this person.")]
Since = Annotated[
    str,
    typer.Option(
        "--since", metavar="DATE", help="Only pages of then on, or changed since: 2026-11-30, yesterday, '3 days ago'."
    ),
]
Until = Annotated[
    str, typer.Option("--until", metavar="DATE", help="Only pages of up to then, or last changed by then.")
]
Limit = Annotated[int, typer.Option("--limit", "-n", metavar="COUNT", min=1, help="At most so many.")]
PageName = Annotated[
    str,
    typer.Argument(metavar="PAGE", help="A path, title, file name, alias or id.", autocompletion=complete_page),
]
