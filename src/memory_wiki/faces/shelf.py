"""Answers about models as text for people. Pure; what is said of other answers, `render` says."""

from memory_wiki.faces.ink import Ink, plain
from memory_wiki.faces.render import text
from memory_wiki.wiki.models import Installed, ModelList, ModelRow, Used

WHERE = {
    "": "not here",
    "installed": "installed",
    "fastembed": "in fastembed's cache",
    "wheel": "in an installed package",
    "folder": "your own",
}


@text.register
def _list(found: ModelList, ink: Ink) -> str:
    """A line or two for each model; then which is in use, and by whose word."""
    lines = [line for row in found.models for line in _row(row, ink)]
    wanted = f"{found.wanted}, by {found.by}" if found.by else found.wanted
    ends = [f"Model: {plain(wanted)}", *([ink.yellow(f"Words alone: {found.why}")] if found.why else [])]
    return "\n".join([*lines, "", *ends])


def _row(row: ModelRow, ink: Ink) -> list[str]:
    mark = ink.green("*") if row.is_used else " "
    size = f"{row.size / 1e6:.0f} MB on disk" if row.size else f"{row.download / 1e6:.0f} MB to download"
    about = f"{size}, {row.licence or 'no licence known'}, {row.languages or 'languages unknown'}"
    kind = ", reranks" if row.kind == "reranker" else ""
    where = "does not match" if row.amiss else WHERE[row.source]
    lines = [f"{mark} {ink.bold(row.name.ljust(24))} {where}", ink.dim(f"    {about}{kind}")]
    if row.amiss:
        lines.append(ink.yellow(f"    {row.amiss}"))
    elif row.folder:
        lines.append(ink.dim(f"    {row.folder}"))
    return lines


@text.register
def _installed(done: Installed, ink: Ink) -> str:
    """What was installed where, and what to type if it is not yet in use."""
    first = done.models[0]
    verb = "Installed" if done.is_new else "Already installed:"
    lines = [f"{verb} {ink.bold(row.name)}\n{ink.dim(f'  {row.folder}')}" for row in done.models]
    if first.kind == "embedder" and done.used != first.name:
        now = f"{done.used} is in use" if done.used else "no model is in use"
        lines.append(f"Next: memory-wiki model use {first.name}; until then {now}.")
    return "\n".join(lines)


@text.register
def _used(done: Used, ink: Ink) -> str:
    """What is wanted from now on, and what stands in the way."""
    lines = [f"Model: {ink.bold(done.wanted)}", ink.dim(f"  written to {done.file}")]
    if done.used and done.used != done.wanted:
        lines.append(ink.dim(f"  which is {done.used}"))
    if done.instead:
        lines.append(ink.yellow(f"  {done.instead} is set here, and wins"))
    if done.why:
        lines.append(ink.yellow(f"  {done.why}"))
    return "\n".join(lines)
