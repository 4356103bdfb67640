"""What a person is asked before a page is replaced as a whole, where the client can ask."""

from typing import Annotated

from mcp.server.mcpserver import AcceptedElicitation, Elicit, ElicitationResult, Resolve
from pydantic import BaseModel, Field

from memory_wiki.errors import MemoryWikiError, Refused
from memory_wiki.faces.mcp.seat import Ctx


class Agreed(BaseModel):
    """A person's answer."""

    go_on: bool = Field(title="Go on", description="What the page says now stays in its history")


def agreed_to_restore(ctx: Ctx, page: str, version: str) -> Elicit[Agreed] | Agreed:
    """Asks where a page that is there would say something else; one that is gone may come back unasked."""
    wiki = ctx.request_context.lifespan_context.wiki
    if not version or not _can_ask(ctx):
        return Agreed(go_on=True)
    try:
        now = wiki.read(page).page
    except MemoryWikiError:
        return Agreed(go_on=True)  # the tool itself says what is amiss
    return Elicit(f"Replace {now.path}, as it is now, by its version {version}?", Agreed)


Agreement = Annotated[ElicitationResult[Agreed], Resolve(agreed_to_restore)]


def must_agree(agreement: ElicitationResult[Agreed]) -> None:
    """Raises `Refused` where the person did not agree."""
    if not (isinstance(agreement, AcceptedElicitation) and agreement.data.go_on):
        raise Refused("the person at the client did not agree; nothing was changed")


def _can_ask(ctx: Ctx) -> bool:
    elicitation = ctx.client_capabilities.elicitation if ctx.client_capabilities else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)
