"""How long an answer may take: in a file of its own, so that `--help` need not import all that an answer is made of."""

from enum import StrEnum


class Effort(StrEnum):
    """How long an answer may take: no reranker; what of it is quick; all of it, and models are waited for."""

    FAST = "fast"
    DEFAULT = "default"
    BEST = "best"
