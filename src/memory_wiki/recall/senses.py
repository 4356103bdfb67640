"""What beside words takes part in an answer. A value."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_wiki.recall.reading import Scorer

if TYPE_CHECKING:
    from memory_wiki.index.vectors import Nearness


@dataclass(frozen=True, slots=True)
class Senses:
    """What beside words takes part, and why what was wanted does not."""

    model: str = ""
    nearness: "Nearness | None" = None
    rerank: Scorer | None = None
    missing: tuple[tuple[str, str], ...] = ()
    languages: frozenset[str] = frozenset()
    """Those that the model knows; none for all."""
    reads: frozenset[str] = frozenset()
    """Those that the reranker reads; none for all."""


WORDS_ALONE = Senses()
