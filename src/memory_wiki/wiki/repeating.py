"""New memories that a page says already: the same words, in a page of the same project and type that still holds.

Found by the index, or among those written just before, and compared with the page as it is on disk. Of memories handed
over together, each is also compared with those before it.
"""

from collections.abc import Iterator, Sequence

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.entries import Filter, Standing
from memory_wiki.page import frontmatter
from memory_wiki.page.keys import Keys
from memory_wiki.page.path import PagePath, folded, version_of
from memory_wiki.page.place import is_archived
from memory_wiki.page.saying import adds_nothing, saying, saying_key
from memory_wiki.page.text import decoded
from memory_wiki.wiki.answers import Known, Written
from memory_wiki.wiki.lately import Key
from memory_wiki.wiki.opened import Opened
from memory_wiki.wiki.remembering import Draft, Wish

SAME = 8  # pages that say the same, of which one is enough
PAST = frozenset({"superseded", "archived"})
Echo = Written | int | None
"""The page that says it already, or which memory of the same batch does; None for what is new."""


def key_of(draft: Draft) -> Key:
    page = draft.page
    return draft.project.slug, folded(page.type), saying_key(page.title, frontmatter.below(decoded(page.data)))


def repeated(draft: Draft, wiki: Opened) -> Written | None:
    """What is answered for a memory that a page says already; None for one that is new."""
    text = decoded(draft.page.data)
    answers = (_answer(known, draft.page.title, text, wiki) for known in _known(key_of(draft), wiki))
    return next(filter(None, answers), None)


def _known(key: Key, wiki: Opened) -> Iterator[Known]:
    project, type_, says = key
    yield from wiki.lately.saying(key)
    wanted = Filter(projects=(project,), types=(type_,), standing=Standing.CURRENT, says=says)
    yield from wiki.index.words.newest(wanted, SAME)


def _answer(known: Known, title: str, new: str, wiki: Opened) -> Written | None:
    """For a page that, as it is on disk, holds and says just that, and leaves out nothing of title and front matter."""
    try:
        data = wiki.vault.read(known.path)
    except (PageNotFound, BadPath, Broken):
        return None
    text, said = decoded(data), saying(title, frontmatter.below(new))
    is_same = version_of(data) == known.version and saying(known.title, frontmatter.below(text)) == said
    adds = not adds_nothing(title, known.title, said) or not _marks(new) <= _marks(text)
    if not is_same or adds or not _holds(known.path, text):
        return None
    return Written("remember", known.path, known.title, known.version, "", repeats=known.path)


def _is_echo(before: Draft, title: str, said: str, text: str) -> bool:
    """Whether a memory that says the same adds nothing to the one before it."""
    return adds_nothing(title, before.page.title, said) and _marks(text) <= _marks(decoded(before.page.data))


def _marks(text: str) -> frozenset[tuple[str, str]]:
    """What front matter says of a memory that somebody may miss: that it is to stay, its tags, and when it holds."""
    keys = Keys(frontmatter.read(text))
    tags = (("tag", folded(tag)) for tag in keys.words("tags", "tag", separators=r",\s"))
    times = ((name, str(keys.moment(name))) for name in ("since", "until") if keys.moment(name))
    return frozenset([*tags, *times, *([("pinned", "")] if keys.truth("pinned") else [])])


def _holds(path: PagePath, text: str) -> bool:
    return Keys(frontmatter.read(text)).text("status").casefold() not in PAST and not is_archived(path)


def echoes(wishes: Sequence[Wish], drafts: Sequence[Draft], wiki: Opened) -> list[Echo]:
    """Of each memory, what says it already."""
    if not any(wish.once for wish in wishes):
        return [None] * len(drafts)
    found: list[Echo] = []
    before: dict[tuple[str, str, str], list[int]] = {}
    for number, (wish, draft) in enumerate(zip(wishes, drafts, strict=True)):
        text = decoded(draft.page.data)
        title, said = draft.page.title, saying(draft.page.title, frontmatter.below(text))
        same = before.setdefault((draft.project.slug, folded(draft.page.type), said), [])
        echo: Echo = None
        if wish.once:
            echo = next((n for n in same if _is_echo(drafts[n], title, said, text)), None)
            echo = repeated(draft, wiki) if echo is None else echo
        if echo is None:
            same.append(number)
        found.append(echo)
    return found


def answered(every: Sequence[Echo], written: Sequence[Written]) -> tuple[Written, ...]:
    """One answer a memory, in order: those that were new were written, in that order."""
    new = iter(written)
    answers: list[Written] = []
    for echo in every:
        if isinstance(echo, int):
            first = answers[echo]
            answers.append(Written(first.verb, first.path, first.title, first.version, "", repeats=first.path))
        else:
            answers.append(echo or next(new))
    return tuple(answers)
