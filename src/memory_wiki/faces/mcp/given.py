"""The arguments that several tools take, each described once."""

from typing import Annotated, Literal

from mcp.server.mcpserver import Resolve
from pydantic import Field

from memory_wiki.faces.mcp.seat import Seat, seat_of, wiki_of
from memory_wiki.wiki.wiki import Wiki

TheSeat = Annotated[Seat, Resolve(seat_of)]
TheWiki = Annotated[Wiki, Resolve(wiki_of)]

Project = Annotated[str, Field(description="Name; * for all. Default: the session's")]
Page = Annotated[str, Field(description="Path, title, alias or id", min_length=1)]
Types = Annotated[list[str], Field(description="Any of: decision, fact, error, procedure, session, note …")]
Tags = Annotated[list[str], Field(description="All of these")]
Since = Annotated[str, Field(description="Date, or '3 days ago'")]
Until = Annotated[str, Field(description="Date, itself included")]
Limit = Annotated[int, Field(ge=1, le=200)]
Expected = Annotated[str, Field(description="The version you read")]
Effort = Literal["fast", "default", "best"]
