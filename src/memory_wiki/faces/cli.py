"""The command line: `memory-wiki`, or `mw`. A command reads its arguments, calls one verb, prints the answer.

Prints answers on standard output and all else on standard error; an error's class says the exit code.
What is slow to import waits in `desk` until a command runs, so that --help and completion are quick.
"""

import gc
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from memory_wiki import __version__
from memory_wiki.faces import model
from memory_wiki.faces.arguments import (
    Author,
    Json,
    Limit,
    PageName,
    Paths,
    Project,
    Since,
    Tags,
    Types,
    Until,
    VaultOption,
)
from memory_wiki.faces.at_desk import at_desk as _desk
from memory_wiki.faces.bench import bench
from memory_wiki.faces.edit import edit
from memory_wiki.faces.embed import embed
from memory_wiki.faces.remember import remember
from memory_wiki.faces.serving import mcp, serve
from memory_wiki.faces.session import brief, feedback
from memory_wiki.faces.timeline import timeline

app = typer.Typer(
    name="memory-wiki",
    help="Shared memory for coding agents and people: Markdown pages in git, found by what they say.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"memory-wiki {__version__}")
        raise typer.Exit


@app.callback()
def top(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """Shared memory for coding agents and people: Markdown pages in git, found by what they say."""


@app.command()
def init(
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER",
            help="A new folder, your notes, or one in a code repository; else the vault you stand in, or your own.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a folder a vault; writes no file that is there already."""
    with _desk(folder, as_json=as_json) as desk:
        desk.make_vault()


app.command()(remember)


@app.command()
def recall(
    question: Annotated[
        list[str], typer.Argument(metavar="QUESTION", help="Any words; no punctuation means anything special.")
    ],
    project: Project = "",
    types: Types = None,
    tags: Tags = None,
    paths: Paths = None,
    author: Author = "",
    since: Since = "",
    until: Until = "",
    budget: Annotated[
        int | None,
        typer.Option("--budget", "-b", metavar="TOKENS", min=50, help="To fill at most; four bytes count as one."),
    ] = None,
    limit: Limit = 10,
    fast: Annotated[bool, typer.Option("--fast", help="Without the reranker.")] = False,
    best: Annotated[bool, typer.Option("--best", help="By meaning too, and reranked: waits for the models.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Show what made each score.")] = False,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Find passages that answer a question, quoted from the pages."""
    from memory_wiki.faces import filters
    from memory_wiki.recall.answer import Question

    with _desk(vault, as_json=as_json, shows_why=why) as desk, desk.wiki() as wiki:
        wanted = desk.filter(project, types, tags, paths, author, since, until)
        effort = filters.effort(is_fast=fast, is_best=best)
        desk.recall(wiki, Question(" ".join(question), wanted, None, budget, limit, effort=effort))


@app.command()
def read(
    page: PageName,
    at: Annotated[str, typer.Option("--at", metavar="VERSION|COMMIT|DATE", help="As it was then.")] = "",
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Print a page, byte for byte."""
    with _desk(vault, as_json=as_json) as desk:
        desk.show_page(page, at)


app.command()(edit)


@app.command("list")
def list_(
    project: Project = "",
    types: Types = None,
    tags: Tags = None,
    paths: Paths = None,
    author: Author = "",
    since: Since = "",
    until: Until = "",
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="COUNT", min=1, help="At most so many.")] = None,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """List pages by path."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        wanted = desk.filter(project, types, tags, paths, author, since, until)
        desk.say(wiki.pages(wanted, limit))


@app.command()
def recent(
    project: Project = "",
    types: Types = None,
    tags: Tags = None,
    paths: Paths = None,
    author: Author = "",
    since: Since = "",
    until: Until = "",
    limit: Limit = 20,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """List pages by when they last changed, the newest first."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        wanted = desk.filter(project, types, tags, paths, author, since, until)
        desk.say(wiki.recent(wanted, limit))


app.command()(timeline)


@app.command()
def log(
    page: Annotated[
        str | None,
        typer.Argument(metavar="PAGE", help="One page's versions; without, the vault's commits."),
    ] = None,
    limit: Limit = 20,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Show a page's versions, or the vault's commits. Follows moves and deletion; says who, when and why, and how to
    restore each.
    """
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        desk.say(wiki.log(page, limit) if page else wiki.log_all(limit))


@app.command()
def diff(
    page: PageName,
    old: Annotated[str, typer.Argument(metavar="FROM", help="Version, commit or date; else the one before.")] = "",
    new: Annotated[str, typer.Argument(metavar="TO", help="Else the page as it is.")] = "",
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Show what changed in a page between two versions."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        desk.say(wiki.diff(page, old, new))


@app.command()
def restore(
    page: PageName,
    to: Annotated[
        str,
        typer.Option("--to", metavar="VERSION|COMMIT|DATE", help="Which; for a page that is gone, else its last."),
    ] = "",
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Bring an old version of a page back on top. As a new commit; a moved, archived or deleted one too."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        desk.say(wiki.restore(page, to))


@app.command()
def archive(page: PageName, vault: VaultOption = None, as_json: Json = False) -> None:
    """Put a page away: found last, and marked. Nothing is deleted."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        desk.say(wiki.archive(page))


@app.command()
def move(
    page: PageName,
    to: Annotated[str, typer.Argument(metavar="TO", help="A new path; a folder ends in /.")],
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """Give a page another path. Links that would lose it follow."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        desk.say(wiki.move(page, to))


@app.command()
def check(
    index: Annotated[bool, typer.Option("--index", help="Prove that index, files and HEAD are equal.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    vault: VaultOption = None,
    as_json: Json = False,
) -> None:
    """List what is wrong with pages, links and names. Exits with 1 if anything is an error."""
    with _desk(vault, as_json=as_json) as desk:
        raise typer.Exit(desk.check(with_index=index, is_strict=strict))


@app.command()
def status(vault: VaultOption = None, as_json: Json = False) -> None:
    """Show the vault and project you stand in, and what is amiss."""
    with _desk(vault, as_json=as_json) as desk, desk.wiki() as wiki:
        desk.say(wiki.status())


@app.command()
def reindex(vault: VaultOption = None, as_json: Json = False) -> None:
    """Build the index anew from the pages."""
    with _desk(vault, as_json=as_json) as desk:
        desk.reindex()


@app.command()
def watch(vault: VaultOption = None, as_json: Json = False) -> None:
    """Commit, index and embed what others change, until Ctrl-C. As soon as they are done; never half a page."""
    with _desk(vault, as_json=as_json) as desk:
        desk.watch()


app.add_typer(model.app, name="model")
app.command()(bench)
app.command()(embed)
app.command()(brief)
app.command()(feedback)
app.command()(mcp)
app.command()(serve)


def _called() -> str:
    """The name that usage texts and completion go by."""
    name = Path(sys.argv[0]).name
    return name if name == "mw" else "memory-wiki"


def main() -> None:
    """The entry point of both commands."""
    gc.disable()  # what is loaded is no garbage, and looking for some in it took a ninth of a recall
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal or pipe that knows no arrows gets `?`, not a traceback
            stream.reconfigure(errors="replace")
    try:
        app(prog_name=_called())
    except OSError as error:
        sys.exit(f"memory-wiki: {error}")
    except Exception as error:
        if os.environ.get("MEMORY_WIKI_DEBUG"):
            raise
        sys.exit(
            f"memory-wiki: a mistake of ours: {error!r}\n"
            "No page is harmed by it. MEMORY_WIKI_DEBUG=1 shows where; please report that."
        )
    finally:
        gc.freeze()  # nor is it looked through as the process ends
