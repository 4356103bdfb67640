"""The command `remember`: a new page, or one a line of a batch."""

from pathlib import Path
from typing import Annotated

import typer

from memory_wiki.faces.arguments import Json, VaultOption
from memory_wiki.faces.at_desk import at_desk

Text = Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="What to remember; - reads standard input.")]
File = Annotated[
    Path | None, typer.Option("--file", "-f", metavar="FILE", help="Read the text, or a whole page, from a file.")
]
Batch = Annotated[
    Path | None,
    typer.Option(
        "--batch",
        metavar="FILE",
        help="JSON lines: text, title, type, tags, project, confidence, pinned, links, since, until.",
    ),
]
Title = Annotated[str, typer.Option("--title", metavar="TEXT", help="Else the first heading or words.")]
Type = Annotated[
    str,
    typer.Option(
        "--type", "-t", metavar="TYPE", help="decision, fact, error, procedure, requirement, preference, note …"
    ),
]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="May be repeated.")]
Links = Annotated[
    list[str] | None, typer.Option("--link", metavar="PAGE", help="A page that it is about; may be repeated.")
]
Project = Annotated[str | None, typer.Option("--project", "-p", metavar="NAME", help="Else the project you stand in.")]
Everywhere = Annotated[bool, typer.Option("--global", help="For every project.")]
Confidence = Annotated[float | None, typer.Option("--confidence", metavar="SHARE", help="0 to 1, else 1.")]
Pinned = Annotated[bool, typer.Option("--pin", help="Mark it as one to stay.")]
ValidSince = Annotated[str, typer.Option("--valid-since", metavar="DATE", help="From when on it holds: 2026-11-30.")]
ValidUntil = Annotated[str, typer.Option("--valid-until", metavar="DATE", help="Until when it holds.")]


def remember(
    words: Text = None,
    file: File = None,
    batch: Batch = None,
    title: Title = "",
    type_: Type = "",
    tags: Tags = None,
    links: Links = None,
    project: Project = None,
    everywhere: Everywhere = False,
    confidence: Confidence = None,
    pinned: Pinned = False,
    since: ValidSince = "",
    until: ValidUntil = "",
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Write a new page; never over another one."""
    from memory_wiki.faces import options

    with at_desk(vault, as_json=as_json) as desk:
        beside = (words, file, title, type_, tags, links, project, everywhere, pinned, since, until)
        if batch:
            desk.remember_batch(batch, is_alone=not any(beside) and confidence is None)
        else:
            text, home = options.text_of(words or [], file), options.project(project, everywhere=everywhere)
            about = tuple(tags or ()), confidence, pinned, tuple(links or ()), since, until
            desk.remember(options.Memory(text, title, type_, *about), home)
