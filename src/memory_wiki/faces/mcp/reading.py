"""Tools that read. Each takes arguments, calls one verb of the wiki, and shapes its answer."""

from dataclasses import replace
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from memory_wiki.faces import filters
from memory_wiki.faces.mcp import answers, outputs
from memory_wiki.faces.mcp.given import Effort, Limit, Page, Project, Since, Tags, TheSeat, TheWiki, Types, Until
from memory_wiki.faces.mcp.places import Scope
from memory_wiki.index.entries import Filter
from memory_wiki.recall import effort as efforts
from memory_wiki.recall.answer import Question
from memory_wiki.wiki.wiki import Wiki

MOST_CHARACTERS = 40_000
"""Of a page in one answer, some 10,000 tokens: clients cut or refuse longer ones."""


def recall(
    seat: TheSeat,
    question: Annotated[str, Field(description="In plain words", min_length=1, max_length=10_000)],
    project: Project = "",
    types: Types = [],  # noqa: B006
    tags: Tags = [],  # noqa: B006
    since: Since = "",
    until: Until = "",
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
    budget: Annotated[int, Field(description="Tokens; 0: the vault's setting", ge=0, le=100_000)] = 0,
    effort: Effort = "default",
) -> Annotated[CallToolResult, outputs.Recalled]:
    """Search the memory before you start a task, decide, or answer what was done, agreed or learned before.

    Gives quotes with page, lines and version; says when nothing fits.
    """
    scope = seat.place.scope(project)
    wanted = _filter(seat.wiki, scope, types, tags, since, until)
    how = efforts.Effort(effort)
    asked = Question(question, wanted, scope.project, budget or None, limit, effort=how)
    return answers.recalled(seat.wiki.recall(asked))


def read_page(
    wiki: TheWiki,
    page: Page,
    version: Annotated[str, Field(description="An old version, commit or date")] = "",
    from_line: Annotated[int, Field(ge=1)] = 1,
) -> Annotated[CallToolResult, outputs.PageText]:
    """Read a page, or as it was at a version or date; its version is what a change of it takes."""
    found = wiki.read(page, version)
    lines = found.page.text.splitlines(keepends=True)
    first = min(from_line, max(len(lines), 1))
    last, size = first - 1, 0
    for line in lines[first - 1 :]:
        size += len(line)
        if size > MOST_CHARACTERS and last >= first:
            break
        last += 1
    text = "".join(lines[first - 1 : last])
    return answers.page_text(found, first, last, text, len(lines))


def list_pages(
    seat: TheSeat,
    project: Project = "",
    types: Types = [],  # noqa: B006
    tags: Tags = [],  # noqa: B006
    folder: str = "",
    status: Annotated[str, Field(description="active, disputed, superseded or archived")] = "",
    since: Since = "",
    until: Until = "",
    limit: Limit = 50,
) -> Annotated[CallToolResult, outputs.Listed]:
    """List pages, the last changed first."""
    wanted = _filter(seat.wiki, seat.place.scope(project), types, tags, since, until, folder)
    wanted = replace(wanted, statuses=(status,) if status else ())
    return answers.listed(seat.wiki.recent(wanted, limit + 1), limit)


def timeline(
    seat: TheSeat,
    topic: Annotated[str, Field(description="Empty: every page")] = "",
    project: Project = "",
    types: Types = [],  # noqa: B006
    tags: Tags = [],  # noqa: B006
    since: Since = "",
    until: Until = "",
    limit: Limit = 20,
) -> Annotated[CallToolResult, outputs.Events]:
    """What happened, oldest first, between dates or about a topic."""
    wanted = _filter(seat.wiki, seat.place.scope(project), types, tags, since, until)
    return answers.events(seat.wiki.timeline(topic, wanted, limit))


def history(
    wiki: TheWiki,
    page: Page,
    since_version: Annotated[str, Field(description="Gives the diff from this version, commit or date on")] = "",
    until_version: Annotated[str, Field(description="Up to this one; else as it is")] = "",
    limit: Limit = 20,
) -> Annotated[CallToolResult, outputs.History]:
    """A page's versions, newest first, also of a page that is gone; and what changed between two."""
    life = wiki.log(page, limit)
    diff = wiki.diff(page, since_version, until_version) if since_version or until_version else None
    return answers.history(life, diff)


def status(seat: TheSeat, project: Project = "") -> Annotated[CallToolResult, outputs.Health]:
    """How the memory is: size, model, and what is not as it should be."""
    now = seat.wiki.status()
    notes = [
        *([f"not committed: {now.left}"] if now.left else []),
        *(f"unreadable: {path}: {why}" for path, why in now.unreadable),
        *(f"front matter can't be read: {path}" for path in now.front_matter),
        *(f"{problem.message}" for problem in now.settings),
    ]
    return answers.health(now, project or seat.place.here() or "", notes)


def _filter(
    wiki: Wiki, scope: Scope, types: list[str], tags: list[str], since: str, until: str, folder: str = ""
) -> Filter:
    dates = filters.dates(since, until, wiki.chance.now().astimezone())
    return replace(filters.filter_of("", types, tags, [folder] if folder else [], "", dates), projects=scope.among)
