"""Prompts: every page of type `prompt`, and three of our own. Pure, but for the pages, which the wiki reads."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcp_types import Prompt, PromptArgument

from memory_wiki.errors import BadInput, NotFound
from memory_wiki.index.entries import Filter, PageEntry, Standing
from memory_wiki.page.path import stem
from memory_wiki.wiki.wiki import Wiki

_HOLE = re.compile(r"\{\{\s*([\w-]{1,64})\s*\}\}")
MOST = 500


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt: its text, with `{{name}}` where an argument goes; those in `optional` may be left out."""

    name: str
    title: str
    text: str
    optional: frozenset[str] = frozenset()

    @property
    def shape(self) -> Prompt:
        return Prompt(
            name=self.name,
            title=self.title,
            arguments=[PromptArgument(name=hole, required=hole not in self.optional) for hole in holes(self.text)],
        )

    def filled(self, given: Mapping[str, str]) -> str:
        """Raises `BadInput` where an argument is missing or not known."""
        wanted = holes(self.text)
        if missing := [hole for hole in wanted if hole not in given and hole not in self.optional]:
            raise BadInput(f"prompt {self.name!r} needs {', '.join(missing)}")
        if unknown := [name for name in given if name not in wanted]:
            raise BadInput(
                f"prompt {self.name!r} takes no {', '.join(unknown)}; it takes {', '.join(wanted) or 'none'}"
            )
        return _HOLE.sub(lambda found: given.get(found[1], ""), self.text)


def holes(text: str) -> list[str]:
    """The arguments that a text has holes for, in its order."""
    return list(dict.fromkeys(_HOLE.findall(text)))


OWN = (
    Template(
        "remember-this-session",
        "Keep what this session settled",
        "Look back over this session. Keep with the `remember` tool, one page each, what a later session should know:"
        " decisions with their reasons, errors with their fixes, facts that were not obvious, rules that I gave, and"
        " what is still open. Recall first what is known already, and correct it with `edit_page` where it no longer"
        " holds. No secrets. Then list what you kept. {{focus}}",
        frozenset({"focus"}),
    ),
    Template(
        "review-memory",
        "Go through what asks for review",
        'List the pages that ask for review: `list_pages` with status "disputed". For each, read it and its history,'
        " compare it with the code and with what I say, and propose what to do: keep it (set status to active and drop"
        " review), correct it, or retract a fact. Change a page only after I agreed.",
    ),
    Template(
        "catch-me-up",
        "What happened lately",
        "Tell me what happened since {{since}}: use `timeline` and `brief`; name decisions, errors and open work, each"
        " with its page. If nothing is known of that time, say so.",
    ),
)


def prompts(wiki: Wiki, project: str | None) -> list[Prompt]:
    """Ours, and those of a project and of every project; of all projects where none is known."""
    return [template.shape for template in (*OWN, *_templates(wiki, _pages(wiki, project)))]


def prompt(wiki: Wiki, name: str, given: Mapping[str, str]) -> str:
    """The text of a prompt, with its arguments. Raises `NotFound`, `BadInput`."""
    if own := next((each for each in OWN if each.name == name), None):
        return own.filled(given)
    pages = [entry for entry in _pages(wiki, None) if _name(entry) == name]
    for template in _templates(wiki, pages):
        return template.filled(given)
    raise NotFound(f"no prompt {name!r}")


def _pages(wiki: Wiki, project: str | None) -> list[PageEntry]:
    among = (project, "") if project else ()
    return list(wiki.pages(Filter(projects=among, types=("prompt",), standing=Standing.CURRENT), MOST).pages)


def _templates(wiki: Wiki, pages: Iterable[PageEntry]) -> Iterable[Template]:
    for entry in pages:
        try:
            page = wiki.read(entry.path).page
        except NotFound:  # it went just now
            continue
        yield Template(_name(entry), page.title, page.body.strip())


def _name(entry: PageEntry) -> str:
    """`review` for every project, `shop:review` for one."""
    name = stem(entry.path)
    return f"{entry.project}:{name}" if entry.project else name
