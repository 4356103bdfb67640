"""Answers as text for people. Pure: values in, text out, with colours where asked for.

Nothing from a page reaches a terminal as a control character.
"""

import re
from collections.abc import Callable
from datetime import datetime
from functools import singledispatch
from textwrap import shorten

from memory_wiki.faces import quotes
from memory_wiki.faces.ink import SHORT, Ink, count, on_one_line, plain
from memory_wiki.index.index import Proof
from memory_wiki.page.path import stem
from memory_wiki.vault.make import Made
from memory_wiki.vault.past import Past
from memory_wiki.vault.porcelain import Commit
from memory_wiki.wiki.answers import (
    Batch,
    Commits,
    Diff,
    Embedded,
    Life,
    Pages,
    Rebuilt,
    Report,
    Serving,
    Status,
    Timeline,
    Written,
)

FOLDED = 160  # characters of a passage in a timeline
SHOWN = 6  # pages of a batch that are named
PAST_TENSE = {
    "remember": "Remembered",
    "edit": "Edited",
    "flag": "Flagged",
    "restore": "Restored",
    "move": "Moved",
    "archive": "Archived",
}


@singledispatch
def text(answer: object, ink: Ink) -> str:
    """Any answer as text."""
    raise TypeError(f"no text is made of {type(answer).__name__} with {ink}")


@text.register
def _written(done: Written, ink: Ink) -> str:
    """What a write did, and where."""
    if done.repeats:
        return f"Already remembered: {ink.bold(done.title)}\n" + ink.dim(
            f"  {done.path}  version {done.version[:SHORT]}"
        )
    if not done.commit:
        return f"Nothing to do: {ink.bold(done.path)} is so already."
    arrow = f"{on_one_line(done.was)} → " if done.was else ""
    lines = [
        f"{PAST_TENSE[done.verb]} {arrow}{ink.bold(done.path)}",
        ink.dim(f"  version {done.version[:SHORT]}  commit {done.commit[:SHORT]}"),
    ]
    if done.namesake:
        lines.append(ink.yellow(f"  a page of that name is there already: {done.namesake}; this one got its own"))
    lines += [ink.dim(f"  also {path}") for path in done.also]
    return "\n".join([*lines, *quotes.rivals(done.contradicts, ink)])


@text.register
def _batch(done: Batch, ink: Ink) -> str:
    """How many pages were written; the first and the last of them."""
    paths = [each.path for each in done.written]
    shown = paths if len(paths) <= SHOWN else [*paths[:3], "…", *paths[-2:]]
    against = [line for each in done.written for line in quotes.rivals(each.contradicts, ink)]
    head = f"Remembered {ink.bold(count(len(paths), 'page'))}"
    return "\n".join([head, *(ink.dim(f"  {path}") for path in shown), *against])


@text.register
def _made(made: Made, ink: Ink) -> str:
    """A new vault, and what to type next."""
    lines = [
        f"{ink.bold(str(made.root))} is a vault" + (", a git repository of its own" if made.is_own_repository else "")
    ]
    lines += [ink.dim(f"  wrote {name}") for name in made.written]
    lines += [ink.dim(f"  kept {name}, as it was there") for name in made.kept]
    return "\n".join([*lines, 'Next: memory-wiki remember "…", or open the folder in Obsidian.'])


text.register(quotes.answer)


@text.register
def _pages(found: Pages, ink: Ink) -> str:
    """A line a page: when, type, path, title."""
    if not found.pages:
        return quotes.none_passes(found.unmet, ink) or ink.yellow("No pages.")
    wide = max(len(entry.type) for entry in found.pages)
    return "\n".join(
        f"{ink.dim(_day(entry.changed))}  {ink.cyan(entry.type.ljust(wide))}  {on_one_line(entry.path)}"
        + (f"  {ink.dim(entry.title)}" if entry.title != stem(entry.path) else "")
        + (ink.yellow(f"  [{entry.status}]") if entry.status != "active" else "")
        for entry in found.pages
    )


@text.register
def _timeline(found: Timeline, ink: Ink) -> str:
    """A line a page: when, type, title, path; below it what a passage says, cut to a line."""
    if not found.moments and found.unmet:
        return quotes.none_passes(found.unmet, ink)
    if not found.moments:
        others = "Other words may find it; without a topic it lists every page, within --since and --until."
        return f"{ink.yellow('Nothing is found of that.')} {others}"
    wide = max(len(moment.type) for moment in found.moments)
    lines = []
    for moment in found.moments:
        day, where = ink.dim(_day(moment.at)), f"{moment.path}:{moment.line}" if found.topic else moment.path
        mark = ink.yellow(f"  [{moment.status}]") if moment.status != "active" else ""
        lines.append(f"{day}  {ink.cyan(moment.type.ljust(wide))}  {ink.bold(moment.title)}  {ink.dim(where)}{mark}")
        if moment.text:
            lines.append(f"  {ink.dim('│')} {_folded(moment.text)}")
    if found.left_out:
        lines.append(ink.dim("there is more: raise --limit, or bound it by --since and --until"))
    return "\n".join(lines)


def _folded(passage: str) -> str:
    """What a passage says below its headings, in one line."""
    said = re.sub(r"^#+ .*$", "", passage, flags=re.MULTILINE)
    return on_one_line(shorten(said if said.strip() else passage, FOLDED, placeholder=" …"))


@text.register
def _life(found: Life, ink: Ink) -> str:
    """A page's versions, newest first, each with the command that restores it."""
    return "\n\n".join(_past(entry, found.versions[0], ink) for entry in found.versions)


def _past(entry: Past, newest: Past, ink: Ink) -> str:
    commit = entry.commit
    version = ink.yellow(entry.version[:SHORT]) if entry.version else ink.red("gone")
    lines = [f"{version}  {_moment(commit.at)}  {_who(commit)}", f"    {on_one_line(commit.subject)}"]
    if entry.path != newest.path:
        lines.append(ink.dim(f"    as {entry.path}"))
    if entry.version and entry.version != newest.version:
        lines.append(ink.dim(f"    memory-wiki restore {_quoted(newest.path)} --to {entry.version[:SHORT]}"))
    return "\n".join(lines)


@text.register
def _commits(found: Commits, ink: Ink) -> str:
    """A line a commit."""
    return "\n".join(
        f"{ink.yellow(commit.id[:SHORT])}  {_moment(commit.at)}  {_who(commit)}  {on_one_line(commit.subject)}"
        for commit in found.commits
    )


@text.register
def _diff(found: Diff, ink: Ink) -> str:
    """A unified diff in the usual colours."""
    if not found.text:
        return ink.dim("The two versions are the same.")
    paint: dict[str, Callable[[str], str]] = {"+": ink.green, "-": ink.red, "@": ink.cyan}
    return "\n".join(paint.get(line[:1], on_one_line)(line) for line in plain(found.text).rstrip("\n").split("\n"))


@text.register
def _report(found: Report, ink: Ink) -> str:
    """Problems by page, then how many."""
    lines = []
    for item in found.found:
        place = f"{item.path}:{item.problem.line}" if item.problem.line else item.path
        level = (ink.red if item.problem.level == "error" else ink.yellow)(item.problem.level)
        lines.append(
            f"{on_one_line(place)}: {level}: {on_one_line(item.problem.message)} {ink.dim(f'[{item.problem.code}]')}"
        )
    errors = sum(item.problem.level == "error" for item in found.found)
    warnings = len(found.found) - errors
    end = f"{count(found.pages, 'page')}: {count(errors, 'error')}, {count(warnings, 'warning')}"
    return "\n".join([*lines, (ink.red if errors else ink.green)(end)])


@text.register
def _proof(found: Proof, ink: Ink) -> str:
    """Whether file, HEAD and index have every page in the same version, and where they don't."""
    loose = [ink.yellow(f"  not committed yet: {path}") for path in found.uncommitted]
    if not found.differing:
        agreed = found.pages - len(loose)
        return "\n".join([ink.green(f"File, HEAD and index agree on {count(agreed, 'page')}."), *loose])
    lines = [
        f"  {on_one_line(row.path)}: file {_short(row.file)}, HEAD {_short(row.head)}, index {_short(row.index)}"
        for row in found.differing
    ]
    head = f"{count(len(lines), 'page')} not the same everywhere; `memory-wiki reindex` mends the index:"
    return "\n".join([ink.red(head), *lines, *loose])


def _short(version: str | None) -> str:
    return on_one_line(version[:SHORT]) if version else "none"


@text.register
def _status(now: Status, ink: Ink) -> str:
    """Where one stands."""
    rows = [
        ("vault", now.vault),
        ("project", now.project or "none: new pages go to global/"),
        ("branch", f"{now.branch or 'none'} at {now.head[:SHORT] or 'no commit yet'}"),
        ("pages", f"{now.pages} in {count(now.passages, 'passage')}"),
        ("languages", ", ".join(now.languages) or "none told yet"),
        ("index", f"words, {now.index_bytes / 1024:,.0f} KiB"),
        ("meaning", now.words_alone or f"{now.model}, {now.embedded:,} of {count(now.passages, 'passage')} embedded"),
    ]
    lines = [f"{ink.bold(name.ljust(10))} {on_one_line(value)}" for name, value in rows]
    lines += [ink.yellow(f"not committed: {path}") for path in now.uncommitted]
    lines += [ink.red(f"can't be read: {path}: {why}") for path, why in now.unreadable]
    lines += [ink.yellow(line) for line in (unread(now), now.left) if line]
    lines += [ink.yellow(problem.message) for problem in now.settings]
    return "\n".join(lines)


def taken_over(now: Status) -> tuple[str, str]:
    """What a folder that has become a vault had in it, "" for nothing worth saying."""
    pages = f"pages that `memory-wiki recall` finds here: {now.pages:,}" if now.pages else ""
    return pages, unread(now)


def unread(now: Status) -> str:
    """Which pages lost their keys; "" where none did."""
    if not now.front_matter:
        return ""
    have = "has" if len(now.front_matter) == 1 else "have"
    return (
        f"{count(len(now.front_matter), 'page')} {have} front matter that can't be read: `memory-wiki check` says where"
    )


@text.register
def _embedded(done: Embedded, ink: Ink) -> str:
    """How many passages were embedded, and how fast."""
    if not done.passages:
        return f"Every passage has its vector of {done.model} already."
    rate = done.passages / max(done.seconds, 0.001)
    many = ink.bold(count(done.passages, "passage"))
    return f"Embedded {many} with {done.model} in {done.seconds:.1f} s, {rate:.0f} a second"


@text.register
def _serving(now: Serving, ink: Ink) -> str:
    """Where, and what a client needs to come in."""
    token = f"  token in {now.token_file}, given as: Authorization: Bearer …" if now.token_file else "  without a token"
    return f"Serving {ink.bold(now.url)}\n{ink.dim(token)}"


@text.register
def _rebuilt(done: Rebuilt, ink: Ink) -> str:
    """How much was indexed."""
    return f"Indexed {ink.bold(count(done.pages, 'page'))} in {done.seconds:.1f} s"


def _who(commit: Commit) -> str:
    agent = commit.trailer("Agent")
    return on_one_line(f"{commit.author} via {agent}" if agent else commit.author)


def _day(at: datetime) -> str:
    return _local(at).isoformat()[:10]


def _moment(at: datetime) -> str:
    return _local(at).isoformat(" ")[:16]


def _local(at: datetime) -> datetime:
    try:
        return at.astimezone()
    except OverflowError:  # the first and last day that there is, in another zone
        return at


def _quoted(path: str) -> str:
    """A path as a shell takes it, and not for an option."""
    path = f"./{path}" if path.startswith("-") else path
    return path if re.fullmatch(r"[\w./+@-]+", path) else "'" + path.replace("'", "'\\''") + "'"
