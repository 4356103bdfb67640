"""Questions put to the real recall, and what of each answer is kept to be counted.

Each is asked within every budget, as an agent asks, and once more with room for all, for the ranking.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from memory_wiki.bench.material import Ask
from memory_wiki.bench.measures import Level
from memory_wiki.bench.metrics import recall_at
from memory_wiki.bench.reader import Reader
from memory_wiki.bench.vaults import Places
from memory_wiki.config import BUDGET
from memory_wiki.errors import BadInput
from memory_wiki.recall.answer import Answer, Question
from memory_wiki.recall.effort import Effort
from memory_wiki.recall.rank import PARTS
from memory_wiki.wiki.wiki import Wiki

HITS = 40
"""Enough for twenty turns, though several hits may quote one."""
ROOM = BUDGET[-1]


@dataclass(frozen=True, slots=True)
class Ways:
    """How questions are asked: within these budgets, in a mode of recall, and without parts of it."""

    budgets: tuple[int, ...]
    effort: Effort = Effort.DEFAULT
    without: frozenset[str] = frozenset()


def parts(names: Sequence[str]) -> frozenset[str]:
    """Parts of recall to leave out; raises `BadInput` for one that there is not."""
    if unknown := [name for name in names if name not in PARTS]:
        raise BadInput(f"recall has no part {unknown[0]!r}; it has {', '.join(PARTS)}")
    return frozenset(names)


@dataclass(frozen=True, slots=True)
class Quoted:
    """An answer within a budget: the share of the evidence that it quotes, None where the dataset names none."""

    budget: int
    share: float | None
    tokens: int
    seconds: float
    said: str | None
    """The reader's answer; None without one."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of a question: turns and sessions, best first, how sure recall was, and how long it took."""

    ask: Ask
    turns: tuple[str, ...]
    sessions: tuple[str, ...]
    confidence: float
    seconds: float
    tokens: int
    quoted: tuple[Quoted, ...]
    missing: tuple[tuple[str, str], ...] = ()
    """Parts of recall that were wanted and took none, each with why."""

    def found(self, level: Level) -> tuple[str, ...]:
        return self.turns if level is Level.TURN else self.sessions

    def gold(self, level: Level) -> tuple[str, ...]:
        return self.ask.turns if level is Level.TURN else self.ask.sessions


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks one vault; `level` says what counts as evidence, `reader` answers from the quotes if there is one."""

    wiki: Wiki
    places: Places
    ways: Ways
    level: Level
    reader: Reader | None

    def hear(self, asks: Sequence[Ask], done: Callable[[], None]) -> list[Heard]:
        """One at a time; `done` is called after each answer. The first answer of all is for warming up."""
        if asks:
            self.wiki.recall(_question(asks[0].text, ROOM, self.ways))
        quoted = [[self._quoted(ask, number, done) for ask in asks] for number in range(len(self.ways.budgets))]
        return [self._heard(ask, tuple(each), done) for ask, *each in zip(asks, *quoted, strict=True)]

    def confidence(self, ask: Ask) -> float:
        """How sure recall is of an answer."""
        return self._timed(ask, ROOM)[0].confidence

    def _quoted(self, ask: Ask, number: int, done: Callable[[], None]) -> Quoted:
        budget = self.ways.budgets[number]
        answer, seconds = self._timed(ask, budget)
        gold = ask.turns if self.level is Level.TURN else ask.sessions
        found = self.places.turns_in(answer) if self.level is Level.TURN else self.places.sessions_in(answer)
        share = recall_at(found, gold, len(found)) if gold else None
        reads = self.reader is not None and number == 0 and bool(ask.answer) and ask.is_answerable
        said = self.reader.answer(ask.text, answer.found) if self.reader and reads else None
        done()
        return Quoted(budget, share, answer.tokens, seconds, said)

    def _heard(self, ask: Ask, quoted: tuple[Quoted, ...], done: Callable[[], None]) -> Heard:
        answer, seconds = self._timed(ask, ROOM)
        turns, sessions = self.places.turns_in(answer), self.places.sessions_in(answer)
        done()
        return Heard(ask, turns, sessions, answer.confidence, seconds, answer.tokens, quoted, answer.missing)

    def _timed(self, ask: Ask, budget: int) -> tuple[Answer, float]:
        question = _question(ask.text, budget, self.ways)
        started = perf_counter()
        answer = self.wiki.recall(question)
        return answer, perf_counter() - started


def _question(text: str, budget: int, ways: Ways) -> Question:
    """The one place that says how recall is asked."""
    return Question(text, budget=budget, limit=HITS, effort=ways.effort, without=ways.without)
