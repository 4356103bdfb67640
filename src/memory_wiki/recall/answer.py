"""What is asked, and what is answered: values."""

from dataclasses import dataclass

from memory_wiki.index.entries import EVERYTHING, Filter
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.effort import Effort

ASLEEP = "a command does not wait for a model; with --best it does, or says what is amiss"
NOTHING_EMBEDDED = "no page is embedded yet; `memory-wiki embed` does it, or says what is amiss"
IN_HASTE = frozenset({ASLEEP, NOTHING_EMBEDDED})
"""Why meaning takes no part in most commands: what can be told without a look for models, which takes longer than to
find by words.
"""

_OF_ORDER = (
    *("order", "chrono", "cronol", "timeline", "sequence", "over time", "reihe", "zeit", "ordre", "orden", "поряд"),
    *("хроно", "序", "时间线"),
)
"""One of these is in each question for an order of things; they cost no expression to be compiled."""

TEN = 10  # hits, of an answer as long as most


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, where from, and how much of an answer is wanted: `budget` in tokens, `limit` in hits.

    None for the project is the one that one stands in, and for the budget what the vault's settings say.
    """

    text: str
    filter: Filter = EVERYTHING
    project: str | None = None
    budget: int | None = None
    limit: int = 10
    explains: bool = False
    """Whether each hit is to say what made its score, which costs a query a hit."""
    effort: Effort = Effort.DEFAULT
    without: frozenset[str] = frozenset()
    """Parts that are not to count: `PARTS` of `rank`."""

    @property
    def about(self) -> str:
        """What to look for: the text, without what a question for an order of things says of its own answer."""
        text = self.text.casefold()
        if "time" in self.without or not any(sign in text for sign in _OF_ORDER):
            return self.text
        from memory_wiki.recall.subject import subject

        return subject(self.text)


@dataclass(frozen=True, slots=True)
class Hit:
    """One quoted passage. `fact` is the block id of the fact line that answers best.

    `about` says what its project is: "" where nobody has said that, and of the page that says it; it counts no token.
    `copies` are pages that say the same, and would have come into this answer too.
    """

    path: PagePath
    title: str
    type: str
    status: str
    project: str
    headings: tuple[str, ...]
    first_line: int
    last_line: int
    version: Version
    fact: str
    text: str
    score: float
    parts: tuple[tuple[str, float], ...]
    """What words, meaning and reranker say of it, each from 0 to 1."""
    words: tuple[tuple[str, float], ...]
    """What each field alone would give by BM25; a word counts in its best one, and for a part in the others."""
    weights: tuple[tuple[str, float], ...]
    """What the parts together are multiplied by."""
    copies: tuple[PagePath, ...]
    tokens: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """Hits, best first, of at most `budget` tokens together; as `near_misses` where none is likely to answer.

    `confidence` is how likely it is that they hold what was asked for, from 0 to 1. `left_out` says that there is
    more, and at least how much: what was found before it was full, and had no room; nothing is counted after that.
    """

    question: str
    hits: tuple[Hit, ...]
    tokens: int
    budget: int
    left_out: int
    confidence: float = 0.0
    near_misses: tuple[Hit, ...] = ()
    preferences: tuple[Hit, ...] = ()
    """What somebody asked for from now on, and may bear on the question."""
    took_part: tuple[str, ...] = ("words",)
    missing: tuple[tuple[str, str], ...] = ()
    """Parts that were wanted and took none, each with why."""
    is_filtered_out: bool = False
    """Whether no page at all passes the filter, so that other words would not help."""
    unmet: tuple[str, ...] = ()
    """What of the filter no page passes, and what comes nearest, where no page passes it."""

    @property
    def found(self) -> tuple[Hit, ...]:
        """All that is quoted: what answers, best first, with what was asked for from now on among the first ten."""
        hits = self.hits or self.near_misses
        first = TEN - len(self.preferences)
        return (*hits[:first], *self.preferences, *hits[first:])
