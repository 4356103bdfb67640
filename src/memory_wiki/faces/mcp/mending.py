"""What a caller can do about an error, in terms of tools."""

import re

from memory_wiki.errors import Conflict, MemoryWikiError
from memory_wiki.faces.ink import on_one_line
from memory_wiki.faces.mcp.fence import data, fenced
from memory_wiki.wiki.wiki import Wiki

_COMMAND = re.compile(r"`memory-wiki (\w+)([^`]*)`")
_OPTION = re.compile(r"(?<![\w`-])--(since|until|title|to)\b")
_TOOLS = {"list": "list_pages", "log": "history", "restore": "restore_page", "edit": "edit_page", "show": "read_page"}
_ARGUMENTS = {"to": "`version`"}
MOST_CHARACTERS = 10_000  # of a difference


def in_tools(error: MemoryWikiError) -> str:
    """The error's message in a line, naming tools and arguments where it names commands and options."""
    said = _OPTION.sub(lambda found: _ARGUMENTS.get(found[1], found[1]), on_one_line(str(error)))
    return _COMMAND.sub(lambda found: f"`{_TOOLS.get(found[1], found[0].strip('`'))}`", said)


def advice(error: MemoryWikiError, wiki: Wiki) -> str:
    """The error's message, naming tools where it names commands; of a page that moved on, also how."""
    said = in_tools(error)
    if not isinstance(error, Conflict) or not error.found:
        return said
    said += f"\nversion {error.found}"
    try:
        diff = wiki.diff(error.path, error.wanted, error.found).text
    except MemoryWikiError:  # a version that never was
        diff = wiki.read(error.path).page.text
        return data(fenced(diff[:MOST_CHARACTERS], page=error.path, version=error.found), head=said)
    return data(fenced(diff[:MOST_CHARACTERS], diff=error.path), head=said)
