"""What a reranker reads of passages, and in which order. Pure but for what it is given to ask.

It reads the first passages as they stand, and then the best short turns of conversations once more with what was said
before and after: "Yes, last May" says little alone. On LoCoMo any@5 is .80 by the first reading, .85 by both.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from memory_wiki.index.entries import At, WordHit
from memory_wiki.recall.quote import Leaf
from memory_wiki.recall.rank import FIRST, Ranked, rerank

T = TypeVar("T")
Scorer = Callable[[str, Sequence[str]], Sequence[float]]
"""A question and texts into logits, in their order; fewer where time is up."""

AGAIN = 20
"""How many turns are read again. LoCoMo's any@10 is .84 at none, .85 at 12, .89 at 20 and at 30."""

A_SHORT_TURN = 400
"""Characters up to which a turn is read again; a longer one says itself what it is about: BEAM gains nothing by it."""

A_TURN = 600  # characters of a turn that are read
A_PASSAGE = 1_200  # the same of a passage of a page
ENOUGH = 9_000
"""Characters after which no more passages are read, in each of both readings: some 0.3 seconds on two processors."""

AROUND = 200  # characters of the turn before, and of the one after


def read_again(
    question: str,
    ranked: Sequence[Ranked],
    leaf_of: Callable[[WordHit], Leaf | None],
    at: Callable[[Collection[At]], Mapping[At, WordHit]],
    ask: Scorer,
) -> list[Ranked]:
    """`ranked` in the order that a reranker finds right; of what moved on nothing is read.

    `at` gives the passages at places: those before and after a turn are what was said around it.
    """
    first = _as_many((one, _own(one.hit, leaf)) for one in ranked[:FIRST] if (leaf := leaf_of(one.hit)))
    logits = [*ask(question, [text for _, text in first])]
    read = [one for one, _ in first]
    numbers = {id(one.hit): n for n, one in enumerate(read)}
    short = {id(one.hit) for one, text in first[: len(logits)] if one.hit.around and len(text) <= A_SHORT_TURN}
    turns = [one.hit for one in rerank(read, logits)[:AGAIN] if id(one.hit) in short]
    beside = at([place for hit in turns for place in _beside(hit)]) if turns else {}
    again = _as_many((hit, _amid(hit, leaf, beside)) for hit in turns if (leaf := leaf_of(hit)))
    for (hit, _), logit in zip(again, ask(question, [text for _, text in again]) if again else (), strict=False):
        number = numbers[id(hit)]
        logits[number] = (logits[number] + logit) / 2
    known = frozenset(map(id, read))
    return rerank([*read, *(one for one in ranked if id(one) not in known)], logits)


def _as_many(texts: Iterable[tuple[T, str]]) -> list[tuple[T, str]]:
    """Texts, with what each is of, until they are enough."""
    taken: list[tuple[T, str]] = []
    for of, text in texts:
        if sum(len(one) for _, one in taken) > ENOUGH:
            break
        taken.append((of, text))
    return taken


def _own(hit: WordHit, leaf: Leaf) -> str:
    text = _plain(hit, leaf)
    return text[:A_TURN] if hit.speaker else f"{hit.title}\n{text}"[:A_PASSAGE]


def _beside(turn: WordHit) -> tuple[At, At]:
    return (turn.path, turn.ordinal - 1), (turn.path, turn.ordinal + 1)


def _amid(turn: WordHit, leaf: Leaf, at: Mapping[At, WordHit]) -> str:
    """A turn between those around it."""
    before, after = (_plain(hit, leaf) if (hit := at.get(place)) else "" for place in _beside(turn))
    return "\n".join([before[-AROUND:], _own(turn, leaf), after[:AROUND]])


def _plain(hit: WordHit, leaf: Leaf) -> str:
    return "\n".join(leaf.between(hit.first_line, hit.last_line)).strip().replace("**", "")
