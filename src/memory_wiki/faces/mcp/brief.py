"""The tool that begins a session: what it should know now, and which project it is in."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import Field

from memory_wiki.faces.mcp import answers
from memory_wiki.faces.mcp.given import TheSeat
from memory_wiki.faces.mcp.places import EVERY
from memory_wiki.page.place import slug_for


def brief(
    seat: TheSeat,
    project: Annotated[str, Field(description="Name, as of the repository; settles it for this session")] = "",
    budget: Annotated[int, Field(description="Tokens", ge=100, le=20_000)] = 1_500,
) -> Annotated[CallToolResult, answers.Briefed]:
    """Call first in a session: what it should know of its project, pinned pages, rules, decisions, open work."""
    named = slug_for(project) if project and project != EVERY else None
    here = named if named is not None else seat.place.here()
    how = answers.Settled.UNKNOWN
    if here is not None:
        how = answers.Settled.BOUND if seat.bind(here) else answers.Settled.EACH_CALL
    return answers.briefed(seat.wiki.brief(here or "", budget), how)
