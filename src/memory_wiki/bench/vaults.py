"""Vaults to ask: made, written to by `Wiki.remember_each` as by anybody, and read back to know whose line is whose.

Each is a repository of its own, also below one of the person's.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from memory_wiki.bench import folders
from memory_wiki.bench.material import Conversation, Folder
from memory_wiki.bench.pages import sheet, turns_by_line
from memory_wiki.errors import BadInput
from memory_wiki.index.entries import EVERYTHING
from memory_wiki.index.index import Progress
from memory_wiki.page.change import Actor
from memory_wiki.page.path import PagePath
from memory_wiki.recall.answer import Answer
from memory_wiki.vault.make import make
from memory_wiki.vault.repository import start
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.wiki import Wiki

ASKER = Actor("memory-wiki bench")


@dataclass(frozen=True, slots=True)
class Places:
    """Which session each page is, and which turn each of its lines."""

    sessions: Mapping[PagePath, str]
    turns: Mapping[PagePath, Mapping[int, str]]

    def sessions_in(self, answer: Answer) -> tuple[str, ...]:
        """Sessions that are quoted, by their first quote."""
        return tuple(dict.fromkeys(self.sessions[hit.path] for hit in answer.found if hit.path in self.sessions))

    def turns_in(self, answer: Answer) -> tuple[str, ...]:
        """Turns of which a line is quoted, by their first quote."""
        quoted = ((hit.path, n) for hit in answer.found for n in range(hit.first_line, hit.last_line + 1))
        found = (self.turns[path].get(n) for path, n in quoted if path in self.turns)
        return tuple(dict.fromkeys(turn for turn in found if turn is not None))


@dataclass(frozen=True, slots=True)
class Vault:
    """One that may be asked; `seconds` is what writing its pages took, until all could be found."""

    wiki: Wiki
    places: Places
    seconds: float


@contextmanager
def written(source: Conversation | Folder, root: Path, chance: Chance, told: Progress) -> Iterator[Vault]:
    """A vault at `root`, which must not be there yet, with all pages in it and ready to be asked."""
    if root.exists():
        raise BadInput(f"{root} is there already; give --keep another folder")
    root.mkdir(parents=True)
    start(root)
    if isinstance(source, Folder):
        folders.copy(source.root, root)
    make(root, ASKER, chance.now())
    with Wiki.open(root, root, ASKER, chance) as wiki:
        started = perf_counter()
        places = _written(wiki, source, told) if isinstance(source, Conversation) else _found(wiki)
        _ready(wiki)
        yield Vault(wiki, places, perf_counter() - started)


def _written(wiki: Wiki, conversation: Conversation, told: Progress) -> Places:
    sheets = [sheet(conversation, session) for session in conversation.sessions]
    done = wiki.remember_each([each.wish for each in sheets], told)
    pairs = list(zip(done, sheets, strict=True))
    return Places(
        {page.path: meant.session for page, meant in pairs},
        {page.path: turns_by_line(meant, wiki.vault.read(page.path)) for page, meant in pairs},
    )


def _found(wiki: Wiki) -> Places:
    pages = {entry.path: str(entry.path) for entry in wiki.pages(EVERYTHING, None).pages}
    return Places(pages, {})


def _ready(wiki: Wiki) -> None:
    """All that was written can be found from here on, by meaning too where there is a model; and it is asked as a
    server asks, that watches its folder and has its models loaded.
    """
    wiki.watch()
    wiki.catch_up()
    if wiki.meaning.embedder.wait() is not None:
        wiki.meaning.warm()
        wiki.embed()
        wiki.meaning.reranker.wait()
