"""Passages are given their vectors: the newest first, and of those the pages that weigh most. Never writes a page.

It can stop at any moment and go on later: what is embedded is kept, and what is not is told by the index.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from memory_wiki.errors import MemoryWikiError
from memory_wiki.index.embedder import Embedder
from memory_wiki.index.entries import WordHit
from memory_wiki.index.gist import gist, mark
from memory_wiki.index.index import Index
from memory_wiki.index.passages import passages
from memory_wiki.index.vectors import Vectors
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath

log = logging.getLogger(__name__)

STEP = 2_000  # passages that are put in order at a time
SLICE = 32  # passages whose vectors are kept at a time: half a second's work
WEIGHTY = frozenset({"decision", "fact", "preference", "requirement", "error", "procedure"})


class Embedding:
    """What one vault's passages lack, and the way to it."""

    def __init__(self, index: Index, read: Callable[[PagePath], bytes], language: str) -> None:
        self._index = index
        self._words = index.words
        self._read = read
        self._language = language

    def run(
        self, embedder: Embedder, vectors: Vectors, goes_on: Callable[[], bool], told: Callable[[int, int], None]
    ) -> int:
        """Embeds what is lacking as long as `goes_on`; gives how many it did. `told` hears of how many of how many: of
        none at first, and not at all where nothing is lacking.
        """
        passed: set[int] = set()
        done = 0
        marks = self._words.marks()
        while lacking := [one for one in vectors.lacking(marks) if one not in passed]:
            total = done + len(lacking)
            if not done:
                told(0, total)
            step = sorted(self._words.with_marks(lacking, STEP), key=_weight)
            texts = self._texts(step, frozenset(lacking))
            while batch := list(islice(texts, SLICE)):
                if not goes_on():
                    return done
                vectors.add([one for one, _ in batch], embedder.passages([text for _, text in batch]))
                passed.update(one for one, _ in batch)
                done += len(batch)
                told(done, total)
            passed.update(hit.mark for hit in step)  # what could not be read stays so until its page is indexed again
            marks = self._words.marks()
        if self._index.is_whole:  # else most of what its pages say may be still to come
            vectors.prune(marks)
        return done

    def _texts(self, hits: Iterable[WordHit], lacking: frozenset[int]) -> Iterator[tuple[int, str]]:
        """The text of each passage, with its mark, each once; a page is read when its first turn comes."""
        seen: set[PagePath] = set()
        given: set[int] = set()
        for hit in hits:
            if hit.path in seen:
                continue
            seen.add(hit.path)
            for one, text in self._of_page(hit.path):
                if one in lacking and one not in given:
                    given.add(one)
                    yield one, text

    def _of_page(self, path: PagePath) -> Sequence[tuple[int, str]]:
        try:
            page = parse(path, self._read(path))
        except MemoryWikiError as error:
            log.info("not embedded: %s", error)
            return ()
        texts = (gist(page.title, passage) for passage in passages(page, self._language))
        return [(mark(text), text) for text in texts]


def _weight(hit: WordHit) -> tuple[bool, float]:
    """Pinned pages and those that say what holds come before those that tell what went on."""
    return not (hit.pinned or hit.type in WEIGHTY), -hit.changed.timestamp()
