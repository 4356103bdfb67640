"""An embedder without a model: a text is near another by the words they share, and by those that mean the same here."""

import hashlib
import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from memory_wiki.index.known import Model
from memory_wiki.index.vectors import Vectors
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.meaning import Loaded, Meaning

DIM = 64
SAME = {"bird": "heron", "birds": "heron", "vogel": "heron", "oiseau": "heron", "database": "postgres"}
WORD = re.compile(r"\w+")


class Toy:
    """Counts what it is given, so that a test sees what was embedded anew."""

    def __init__(self, name: str = "toy") -> None:
        self.model = Model(name, DIM)
        self.sha256 = hashlib.sha256(name.encode()).hexdigest()
        self.given: list[str] = []
        self.at_each: Callable[[], object] = lambda: None
        """Called at each batch of passages, before it is embedded."""

    def query(self, text: str) -> NDArray[np.float32]:
        return vector(text)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.at_each()
        self.given += texts
        return np.array([vector(text) for text in texts], np.float32).reshape(-1, DIM)

    def taken(self) -> list[str]:
        """What it was given since it was last asked."""
        given, self.given = self.given, []
        return given


def vectors(wiki: Wiki) -> Vectors:
    """Those of the model that is loaded."""
    embedder = wiki.meaning.embedder.wait()
    assert embedder is not None
    return wiki.meaning.vectors_of(embedder)


def vector(text: str) -> NDArray[np.float32]:
    words = [SAME.get(word, word) for word in WORD.findall(text.casefold())]
    found = sum((_of_word(word) for word in words), np.full(DIM, 0.01))
    return (found / np.linalg.norm(found)).astype(np.float32)


def _of_word(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(list(word.encode("utf-8", "surrogatepass"))).normal(size=DIM)


def give(wiki: Wiki, embedder: Toy) -> Toy:
    """From now on the wiki has it, as one that is loaded."""
    loaded: Loaded[Toy] = Loaded(lambda: embedder)
    loaded.wait()
    set_embedder(wiki.meaning, loaded)
    return embedder


def set_embedder(meaning: Meaning, loaded: Loaded[Toy]) -> None:
    meaning.embedder = loaded  # type: ignore[assignment]
    meaning._vectors = None
