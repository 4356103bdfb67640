"""Tools that write. Each takes arguments, calls one verb of the wiki, and shapes its answer."""

from typing import Annotated, Literal, NotRequired

from mcp_types import CallToolResult
from pydantic import Field
from typing_extensions import TypedDict

from memory_wiki.errors import BadInput
from memory_wiki.faces.mcp import answers, outputs
from memory_wiki.faces.mcp.asking import Agreement, must_agree
from memory_wiki.faces.mcp.given import Expected, Page, TheSeat, TheWiki
from memory_wiki.page.edit import AddFact, Append, DropKey, Edit, Retract, Section, SetKey, Swap
from memory_wiki.page.memory import Memory
from memory_wiki.wiki.remembering import Wish

Property = str | float | bool | list[str] | None
MOST_ITEMS = 500
MOST_CHARACTERS = 1_000_000  # of a text; longer ones no agent writes, and a person's page may have more


class Item(TypedDict):
    text: str
    title: NotRequired[str]
    type: NotRequired[str]
    tags: NotRequired[list[str]]


def remember(
    seat: TheSeat,
    text: Annotated[str, Field(description="Markdown, with why and where", max_length=MOST_CHARACTERS)] = "",
    title: Annotated[str, Field(description="One line that says it; else the first words")] = "",
    type: Annotated[  # noqa: A002
        str, Field(description="decision, fact, error, procedure, requirement, preference, note …")
    ] = "",
    project: Annotated[str, Field(description="Name; * where it holds in all. Default: the session's")] = "",
    tags: list[str] = [],  # noqa: B006
    links: Annotated[list[str], Field(description="Pages it is about")] = [],  # noqa: B006
    confidence: Annotated[float, Field(ge=0, le=1)] = 1,
    pin: Annotated[bool, Field(description="Never fades")] = False,
    valid_since: str = "",
    valid_until: str = "",
    items: Annotated[list[Item], Field(description="Many at once, in place of text")] = [],  # noqa: B006
) -> Annotated[CallToolResult, outputs.Changes]:
    """Keep what a later session should know: a decision and why, an error and its fix, a fact, a preference.

    One thing a page, in whole sentences. Tells what is new from what repeats a page, or contradicts one.
    """
    if bool(text.strip()) == bool(items):
        raise BadInput("give either text, or items, and one of the two")
    home = seat.place.home(project)
    if items:
        if len(items) > MOST_ITEMS:
            raise BadInput(f"{len(items)} items are too many for one call; give at most {MOST_ITEMS}")
        wishes = [Wish(_memory_of(item), home, once=True) for item in items]
        return answers.changes(seat.wiki.remember_each(wishes, seat.wiki.listener.progress))
    certain = None if confidence == 1 else confidence
    memory = Memory(text, title, type, tuple(tags), certain, pin, tuple(links), valid_since, valid_until)
    return answers.changes([seat.wiki.remember(Wish(memory, home, once=True))])


def write_page(
    wiki: TheWiki,
    page: Annotated[str, Field(description="Path, as projects/shop/notes/x.md", min_length=1)],
    text: Annotated[str, Field(description="All of it, with front matter", max_length=MOST_CHARACTERS)],
    version: Annotated[str, Field(description="The one it replaces; empty: a new page")] = "",
) -> Annotated[CallToolResult, outputs.Change]:
    """Replace a whole page, or make one at a path. For most changes use edit_page; for new memories, remember."""
    return answers.change(wiki.write_page(page, text, version))


def edit_page(
    wiki: TheWiki,
    page: Page,
    version: Expected = "",
    append: Annotated[str, Field(max_length=MOST_CHARACTERS)] = "",
    section: Annotated[str, Field(description="Heading whose text is replaced by `text`")] = "",
    text: str = "",
    old: Annotated[str, Field(description="Passage, once in the page, replaced by `new`")] = "",
    new: str = "",
    add_fact: Annotated[str, Field(description="'[category] claim'")] = "",
    retract_fact: Annotated[str, Field(description="Block id of a fact that no longer holds")] = "",
    properties: Annotated[dict[str, Property], Field(description="Front matter; null drops a key")] = {},  # noqa: B006
    pin: bool | None = None,
) -> Annotated[CallToolResult, outputs.Change]:
    """Change part of a page; all else stays as it is. `version` is needed unless you only append or add a fact."""
    edits = [
        *([Section(section, text)] if section else []),
        *([Swap(old, new)] if old else []),
        *([Append(append)] if append else []),
        *([_fact(add_fact)] if add_fact else []),
        *([Retract(retract_fact, wiki.chance.now().astimezone().date().isoformat())] if retract_fact else []),
        *(_property(key, value) for key, value in properties.items()),
        *([] if pin is None else [SetKey("pinned", value=True) if pin else DropKey("pinned")]),
    ]
    if not edits:
        raise BadInput("say what to change: append, section and text, old and new, add_fact, …")
    if not version and any(not isinstance(edit, Append | AddFact) for edit in edits):
        raise BadInput("give the `version` that you read: read_page tells it")
    return answers.change(wiki.edit(page, tuple(edits), version or None))


def restore_page(
    wiki: TheWiki,
    agreement: Agreement,
    page: Page,
    version: Annotated[str, Field(description="Which, or a date; empty: as it was when it went away")] = "",
) -> Annotated[CallToolResult, outputs.Change]:
    """Bring back an old version of a page, or one that is gone; as a new version, so that nothing is lost."""
    must_agree(agreement)
    return answers.change(wiki.restore(page, version))


def feedback(
    wiki: TheWiki,
    page: Page,
    verdict: Literal["useful", "wrong", "stale"],
    note: Annotated[str, Field(description="What is wrong, or what holds now")] = "",
) -> Annotated[CallToolResult, outputs.Verdict]:
    """Say that a page helped, or that it is wrong or stale, which asks for its review."""
    return answers.verdict(wiki.feedback(page, verdict, note))


def _memory_of(item: Item) -> Memory:
    return Memory(item["text"], item.get("title", ""), item.get("type", ""), tuple(item.get("tags", ())))


def _fact(said: str) -> AddFact:
    if (found := AddFact.said(said)) is None:
        raise BadInput("a fact is given as '[category] claim', as in '[decision] Orders are kept in Postgres'")
    return found


def _property(key: str, value: Property) -> Edit:
    return DropKey(key) if value is None else SetKey(key, tuple(value) if isinstance(value, list) else value)
