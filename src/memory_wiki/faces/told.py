"""Answers to sessions as text for people: a brief, and what became of a verdict. Pure."""

from memory_wiki.faces.ink import SHORT, Ink, count, on_one_line
from memory_wiki.faces.render import text
from memory_wiki.recall.brief import Brief, BriefItem
from memory_wiki.wiki.answers import Noted


@text.register
def _brief(found: Brief, ink: Ink) -> str:
    """By sections, a page or a request each."""
    if not found.items:
        return "Nothing is known yet." if not found.left_out else f"Nothing fits in {found.budget} tokens."
    lines = [ink.bold(f"Project {on_one_line(found.project)}" if found.project else "For every project")]
    for section in dict.fromkeys(item.section for item in found.items):
        lines += ["", ink.bold(section.capitalize())]
        lines += [line for item in found.items if item.section == section for line in _item(item, ink)]
    more = f"; {count(found.left_out, 'page')} had no room" if found.left_out else ""
    return "\n".join([*lines, "", ink.dim(f"{found.tokens} of {found.budget} tokens{more}")])


def _item(item: BriefItem, ink: Ink) -> list[str]:
    mark = ink.yellow(f" [{item.status}]") if item.status != "active" else ""
    said = [f"    {line}" for line in ink.wrapped(item.text, len("    "))] if item.text else []
    return [f"  {on_one_line(item.title)}{mark}", ink.dim(f"    {item.path} @{item.version[:SHORT]}"), *said]


@text.register
def _noted(done: Noted, ink: Ink) -> str:
    said = f"Noted: {ink.bold(on_one_line(done.title))} is {done.verdict}"
    return f"{said}; it asks for review\n{ink.dim(f'  commit {done.commit[:SHORT]}')}" if done.commit else said
