"""What other pages say, as text for people: a recall's answer, and what a new memory contradicts. Pure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_wiki.faces.ink import SHORT, Ink, count, on_one_line
from memory_wiki.recall.answer import IN_HASTE, Answer, Hit

if TYPE_CHECKING:
    from memory_wiki.wiki.answers import Rival


def answer(found: Answer, ink: Ink) -> str:
    """Hits with their quotes, best first."""
    if found.unmet:
        return none_passes(found.unmet, ink)
    if not found.found and found.left_out:
        return ink.yellow(f"{count(found.left_out, 'passage')} found, and none fits in {found.budget} tokens.")
    if not found.found:
        nothing = ink.yellow("Nothing fits.") + " Other words may; `memory-wiki list` shows the pages there are."
        return "\n\n".join([nothing, *_missing(found, ink)])
    head = [ink.yellow("Nothing fits. What comes nearest:")] if found.near_misses else []
    hits = [_hit(n, hit, ink) for n, hit in enumerate(found.hits or found.near_misses, 1)]
    asked = [ink.bold("Asked for from now on:")] if found.preferences else []
    asked += [_hit(n, hit, ink) for n, hit in enumerate(found.preferences, len(hits) + 1)]
    return "\n\n".join([*head, *hits, *asked, *_projects(found, ink), ink.dim(_end(found)), *_missing(found, ink)])


def _projects(found: Answer, ink: Ink) -> list[str]:
    """What the projects are that it quotes, each once."""
    known = {hit.project: hit.about for hit in found.found if hit.about}
    lines = (f"project {project}: {about}" for project, about in known.items())
    return ["\n".join(ink.dim(on_one_line(line)) for line in lines)] if known else []


def rivals(found: "Sequence[Rival]", ink: Ink) -> list[str]:
    """The pages that say otherwise than a new memory, and what to do about it."""
    said = [ink.yellow(f"  {rival.path} says otherwise: {on_one_line(rival.said)}") for rival in found]
    next_ = [
        f"  if that holds no more: memory-wiki feedback {rival.path} stale; else mend the new page" for rival in found
    ]
    return [*said, *map(ink.dim, next_[:1])]


def none_passes(unmet: Sequence[str], ink: Ink) -> str:
    """What no page passes, a line each."""
    return "\n".join(map(ink.yellow, unmet))


def _end(found: Answer) -> str:
    """How much it is, how sure, and by what it was found."""
    end = f"{count(len(found.found), 'passage')}, {found.tokens} of {found.budget} tokens"
    end += f"; by {', '.join(found.took_part)}"
    end += f", {found.confidence:.0%} sure" if "meaning" in found.took_part else ""
    return end + ("; there is more: raise --limit or --budget" if found.left_out else "")


def _missing(found: Answer, ink: Ink) -> list[str]:
    """Why a part that was wanted took none; who asked in a hurry knows, and is told where nothing was found."""
    is_told = ink.shows_why or not found.found
    told = ((part, why) for part, why in found.missing if is_told or why not in IN_HASTE)
    return [ink.dim(f"without {part}: {on_one_line(why)}") for part, why in told]


def _hit(number: int, hit: Hit, ink: Ink) -> str:
    lines = f"{hit.first_line}-{hit.last_line}" if hit.last_line > hit.first_line else str(hit.first_line)
    mark = ink.yellow(f" [{hit.status}]") if hit.status != "active" else ""
    trail = " › ".join(on_one_line(heading) for heading in hit.headings if heading != hit.title)
    head = f"{number}. {ink.bold(hit.title)}{mark}" + (f" › {trail}" if trail else "")
    where = f"   {hit.path}:{lines} @{hit.version[:SHORT]}" + (f" ^{hit.fact}" if hit.fact else "")
    quoted = [f"   {ink.dim('│')} {line}" for line in ink.wrapped(hit.text, len("   │ "))]
    below = [ink.dim(f"   the same in {', '.join(hit.copies)}")] if hit.copies else []
    if ink.shows_why:
        parts = " and ".join(f"{name} {value:.2f}" for name, value in hit.parts)
        weights = "".join(f" × {name} {value:.2f}" for name, value in hit.weights)
        words = " + ".join(f"{name} {value:.2f}" for name, value in hit.words)
        below.append(ink.cyan(f"   score {hit.score:.2f} = {parts}{weights}; words: {words or 'none'}"))
    return "\n".join([head, ink.dim(where), *quoted, *below])
