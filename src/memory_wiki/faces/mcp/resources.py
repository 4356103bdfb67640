"""Pages as resources, for clients that let a person attach one; and what completes their addresses."""

from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp_types import Completion, CompletionArgument, PromptReference, Resource, ResourceTemplateReference

from memory_wiki.errors import BadPath, NotFound
from memory_wiki.faces.mcp.mending import in_tools
from memory_wiki.faces.mcp.sound import sound
from memory_wiki.faces.mcp.uris import BRIEF, PAGE, page_uri
from memory_wiki.index.entries import EVERYTHING
from memory_wiki.recall.brief import Brief
from memory_wiki.wiki.wiki import Wiki

NEWEST = 50
MOST_COMPLETIONS = 100  # as the protocol allows
MARKDOWN = "text/markdown"


def page(wiki: Wiki, path: str) -> str:
    """A page's text as it is now."""
    try:
        return wiki.read(path).page.text
    except (NotFound, BadPath) as error:
        raise ResourceNotFoundError(sound(f"{error.code}: {in_tools(error)}")) from None


def brief(wiki: Wiki, slug: str) -> str:
    """What a session should know of a project, as Markdown."""
    if slug not in wiki.projects():
        raise ResourceNotFoundError(f"no project {slug!r}; complete {BRIEF} for those there are")
    return markdown(wiki.brief(slug))


def recent(wiki: Wiki) -> str:
    """The pages that changed last, as Markdown."""
    return "".join(f"- [[{entry.path}]] {entry.title}\n" for entry in wiki.recent(EVERYTHING, NEWEST).pages)


def newest(wiki: Wiki) -> list[Resource]:
    """The pages that changed last, to choose from."""
    return [
        Resource(
            uri=page_uri(entry.path),
            name=entry.path,
            title=entry.title,
            description=f"{entry.type}, {entry.project or 'for every project'}",
            mime_type=MARKDOWN,
        )
        for entry in wiki.recent(EVERYTHING, NEWEST).pages
    ]


def markdown(found: Brief) -> str:
    sections = dict.fromkeys(item.section for item in found.items)
    lines = [f"# {found.project or 'For every project'}"]
    for section in sections:
        lines += ["", f"## {section.capitalize()}", ""]
        lines += [f"- [[{item.path}]] {item.title}: {item.text}" for item in found.items if item.section == section]
    return "\n".join(lines) + "\n"


def complete(wiki: Wiki, ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument) -> Completion:
    """Paths of pages that hold what was typed, those that begin so first; or projects."""
    if not isinstance(ref, ResourceTemplateReference) or ref.uri not in {PAGE, BRIEF}:
        return Completion(values=[], total=0, has_more=False)
    wiki.catch_up()
    names = wiki.projects() if ref.uri == BRIEF else wiki.index.words.have()
    typed = argument.value.casefold()
    found = sorted((not name.casefold().startswith(typed), name) for name in names if typed in name.casefold())
    values = [name for _, name in found[:MOST_COMPLETIONS]]
    return Completion(values=values, total=len(found), has_more=len(found) > len(values))
