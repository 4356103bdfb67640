"""The tool that begins a session: what it should know now, and which project it is in."""

from enum import StrEnum
from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from memory_wiki.faces.ink import SHORT
from memory_wiki.faces.mcp import answers, outputs
from memory_wiki.faces.mcp.fence import data, fenced
from memory_wiki.faces.mcp.given import TheSeat
from memory_wiki.faces.mcp.places import EVERY, named
from memory_wiki.recall.brief import Brief, BriefItem


class Settled(StrEnum):
    """How a session's project is known: not at all, from now on, or by what each call says."""

    UNKNOWN = "Call brief with `project` to settle it for this session."
    BOUND = ""
    EACH_CALL = "Your client keeps no session: give this `project` with each call."


def brief(
    seat: TheSeat,
    project: Annotated[str, Field(description="Name, as of the repository; settles it for this session")] = "",
    budget: Annotated[int, Field(description="Tokens", ge=100, le=20_000)] = 1_500,
) -> Annotated[CallToolResult, outputs.Briefed]:
    """Call first in a session: what it should know of its project, pinned pages, rules, decisions, open work."""
    here = named(project) if project and project != EVERY else seat.place.here()
    how = Settled.UNKNOWN
    if here is not None:
        how = Settled.BOUND if seat.bind(here) else Settled.EACH_CALL
    return briefed(seat.wiki.brief(here or "", budget), how)


def briefed(found: Brief, how: Settled) -> CallToolResult:
    """By sections; says which project it is, and what is to be done for calls to know it."""
    items = [_remark(item) for item in found.items]
    here = f"Project: {found.project}." if found.project else "No project: this is what holds for every project."
    nothing = "" if items else "Nothing is known of it yet: remember what a later session should know."
    head = " ".join(filter(None, (here, how, nothing)))
    note = answers.noted(head) if items else head
    shaped = outputs.Briefed(note=note, project=found.project, items=items, tokens=found.tokens, more=found.left_out)
    if not items:
        return answers.result(head, shaped)
    sections = "\n\n".join(
        f"{section}:\n\n" + "\n\n".join(_remarked(item) for item in items if item["section"] == section)
        for section in dict.fromkeys(item["section"] for item in items)
    )
    rest = [f"{found.left_out} more: recall finds them."] if found.left_out else []
    return answers.result("\n\n".join([data(sections, head=head), *rest]), shaped)


def _remark(item: BriefItem) -> outputs.Remark:
    return outputs.Remark(
        section=item.section,
        page=item.path,
        title=item.title,
        type=item.type,
        status=item.status,
        version=item.version,
        text=item.text,
    )


def _remarked(item: outputs.Remark) -> str:
    status = item["status"] if item["status"] != "active" else ""
    text = item["text"] or item["title"]
    return fenced(text, page=item["page"], title=item["title"], status=status, version=item["version"][:SHORT])
