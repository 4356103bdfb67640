"""Pages that a new memory speaks against: of the same project, or of none, that hold. It tells, and changes nothing.

Those that speak of the same are found by words, so that no write waits for a model, and each is read as it is on disk.
"""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from memory_wiki.index.analyze import FALLBACK, stem
from memory_wiki.index.entries import Filter, Standing
from memory_wiki.index.language import language_of
from memory_wiki.page import frontmatter
from memory_wiki.page.against import against
from memory_wiki.page.path import PagePath
from memory_wiki.page.statement import Said, statements
from memory_wiki.page.text import decoded
from memory_wiki.recall.draft import Shelf
from memory_wiki.recall.rank import NOISY
from memory_wiki.wiki.answers import Known, Rival, Written
from memory_wiki.wiki.opened import Opened
from memory_wiki.wiki.remembering import Draft

ABOUT = 600
"""Characters of a memory by which others that speak of the same are looked for."""
NEAR = 12
"""Passages that speak of the same, which are read: of pairs that contradict one another in a public set of
conversations, words alone find the older one among ten for .78."""
STATED = 12
"""Statements of a memory that are compared, its first."""
MOST = 3


def stated(draft: Draft) -> Said:
    """What a memory states; nothing where it only tells what went on, as both of two such tales may be true."""
    if draft.page.type in NOISY:
        return ()
    text = _text(draft)
    return tuple(islice(statements(text, partial(stem, language=language_of(text) or FALLBACK)), STATED))


def rivals(written: Written, draft: Draft, ours: Said, wiki: Opened) -> tuple[Rival, ...]:
    """The pages that a memory just written speaks against, each with the first sentence that it does not go with."""
    found: dict[PagePath, Rival] = {}
    for known, theirs in _others(draft, wiki) if ours else ():
        if known.path not in {written.path, *found} and len(found) < MOST:
            pairs = ((other, how) for one in ours for other in theirs if (how := against(one, other)))
            for other, how in islice(pairs, 1):
                found[known.path] = Rival(known.path, known.title, known.version, other.text, how)
    return tuple(found.values())


def _others(draft: Draft, wiki: Opened) -> Iterator[tuple[Known, Said]]:
    """Memories and passages that may speak of the same, each with what it states."""
    projects = tuple({draft.project.slug, ""})
    yield from wiki.lately.stated(projects)
    words, shelf, text = wiki.index.words, Shelf(wiki.vault.read), _text(draft)
    wanted = Filter(projects=projects, standing=Standing.CURRENT)
    to_stem = partial(stem, language=language_of(text) or FALLBACK)
    for hit in words.search(words.forms(text[:ABOUT]), wanted, NEAR):
        if hit.type not in NOISY and (leaf := shelf.leaf(hit)):
            passage = "\n".join([hit.title, *leaf.between(hit.first_line, hit.last_line)])
            yield hit, tuple(statements(passage, to_stem))


def _text(draft: Draft) -> str:
    """Its title and its body."""
    return f"{draft.page.title}\n{frontmatter.below(decoded(draft.page.data))}"
