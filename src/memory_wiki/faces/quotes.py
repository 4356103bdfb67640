"""A recall's answer as text for people, and what is said beside it; `render` has the other answers. Pure."""

from collections.abc import Sequence

from memory_wiki.faces.ink import Ink, on_one_line
from memory_wiki.recall.recall import Answer, Hit
from memory_wiki.wiki.listener import CaughtUp

SHORT = 10  # digits of a version or commit that people see


def answer(found: Answer, ink: Ink) -> str:
    """Hits with their quotes, best first."""
    if found.is_filtered_out:
        return ink.yellow("No page passes these filters.") + " `memory-wiki list` shows the pages there are."
    if not found.hits and found.left_out:
        return ink.yellow(f"{count(found.left_out, 'passage')} found, and none fits in {found.budget} tokens.")
    if not found.hits:
        return ink.yellow("Nothing fits.") + " Other words may; `memory-wiki list` shows the pages there are."
    hits = [_hit(n, hit, ink) for n, hit in enumerate(found.hits, 1)]
    end = f"{count(len(found.hits), 'passage')}, {found.tokens} of {found.budget} tokens"
    end += "; there is more: raise --limit or --budget" if found.left_out else ""
    return "\n\n".join([*hits, ink.dim(end)])


def _hit(number: int, hit: Hit, ink: Ink) -> str:
    lines = f"{hit.first_line}-{hit.last_line}" if hit.last_line > hit.first_line else str(hit.first_line)
    mark = ink.yellow(f" [{hit.status}]") if hit.status != "active" else ""
    trail = " › ".join(on_one_line(heading) for heading in hit.headings if heading != hit.title)
    head = f"{number}. {ink.bold(hit.title)}{mark}" + (f" › {trail}" if trail else "")
    where = f"   {hit.path}:{lines} @{hit.version[:SHORT]}" + (f" ^{hit.fact}" if hit.fact else "")
    quoted = [f"   {ink.dim('│')} {line}" for line in ink.wrapped(hit.text, len("   │ "))]
    below = [ink.dim(f"   the same in {', '.join(hit.copies)}")] if hit.copies else []
    if ink.shows_why:
        words = " + ".join(f"{name} {value:.2f}" for name, value in hit.words)
        weights = "".join(f" × {name} {value:.2f}" for name, value in hit.weights)
        below.append(ink.cyan(f"   score {hit.score:.2f} = ({words}){weights}"))
    return "\n".join([head, ink.dim(where), *quoted, *below])


def caught_up(found: CaughtUp) -> str:
    """What a command did before it answered, in a line; "" for nothing worth saying."""
    if found.commit:
        return f"committed {_named(found.pages)} changed outside, as {found.commit[:SHORT]}"
    if found.left:
        return f"{_named(tuple(found.seen.differs))} changed outside, not committed: {found.left}"
    return ""


def _named(paths: Sequence[str]) -> str:
    return on_one_line(paths[0]) if len(paths) == 1 else count(len(paths), "page")


def count(number: int, noun: str) -> str:
    """`1 page`, `2 pages`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
