"""What a reranker reads of passages, and in which order. Pure but for what it is given to ask.

It reads the first passages as they stand, and then the best turns of conversations once more with what was said before
and after: "Yes, last May" says little alone. On LoCoMo any@5 is .79 by the first reading, .80 by the second alone, .82
by both.
"""

from collections.abc import Callable, Sequence

from memory_wiki.recall.quote import Leaf
from memory_wiki.recall.rank import FIRST, Ranked, rerank

Scorer = Callable[[str, Sequence[str]], Sequence[float]]
"""A question and texts into logits, in their order; fewer where time is up."""

AGAIN = 12
"""How many turns are read again."""

A_TURN = 600  # characters of a turn that are read
A_PASSAGE = 1_200  # the same of a passage of a page
ENOUGH = 9_000
"""Characters after which no more passages are read: some 0.3 seconds on two processors."""

AROUND = 200  # characters of the turn before, and of the one after
_LOOK = 12  # lines away that a turn is looked for


def read_again(
    question: str, ranked: Sequence[Ranked], leaf_of: Callable[[Ranked], Leaf | None], ask: Scorer
) -> list[Ranked]:
    """`ranked` in the order that a reranker finds right; those that moved on are left out of what it reads."""
    first: list[tuple[Ranked, Leaf]] = []
    texts: list[str] = []
    count = 0
    for one in ranked[:FIRST]:
        if sum(len(text) for text in texts) > ENOUGH:
            break
        count += 1
        if (leaf := leaf_of(one)) is not None:
            first.append((one, leaf))
            texts.append(_own(one, leaf))
    rest = ranked[count:]
    logits = list(ask(question, texts))
    readable = [one for one, _ in first]
    order = rerank(readable, logits)
    turns = {id(one.hit) for one in order[:AGAIN] if one.hit.speaker}
    again = [n for n, one in enumerate(readable[: len(logits)]) if id(one.hit) in turns]
    for n, logit in zip(again, ask(question, [_amid(*first[n]) for n in again]) if again else (), strict=False):
        logits[n] = (logits[n] + logit) / 2
    return rerank([*readable, *rest], logits)


def _own(ranked: Ranked, leaf: Leaf) -> str:
    hit = ranked.hit
    text = _plain("\n".join(leaf.between(hit.first_line, hit.last_line)).strip())
    return text[:A_TURN] if hit.speaker else f"{hit.title}\n{text}"[:A_PASSAGE]


def _amid(ranked: Ranked, leaf: Leaf) -> str:
    """A turn between those around it."""
    hit = ranked.hit
    before = leaf.between(max(1, hit.first_line - _LOOK), hit.first_line - 1)
    begun = [n for n, line in enumerate(before) if line.startswith("**")]
    after = leaf.between(hit.last_line + 1, hit.last_line + _LOOK)
    ended = [n for n, line in enumerate(after) if line.startswith("**")]
    one_before = _plain("\n".join(before[begun[-1] :] if begun else ()).strip())
    one_after = _plain("\n".join(after[: ended[1]] if len(ended) > 1 else after).strip())
    return "\n".join([one_before[-AROUND:], _own(ranked, leaf), one_after[:AROUND]])


def _plain(text: str) -> str:
    return text.replace("**", "")
