"""How likely it is that an answer holds what was asked for. Pure.

Two signs tell: how near the nearest passage lies in meaning, and how much of what is rare in the question its best
passages say. Weighed by logistic regression, on LoCoMo's and BEAM's questions asked of their own conversation and as
often of another, for whether evidence is among the first five: of answers that are 50 % sure, about half have it.
Against questions asked of another conversation AUROC is .99 on LoCoMo and .92 on BEAM. Whether a thing that is much
talked about was said at all, these signs do not tell: against their own unanswerable questions it is .55 and .58.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

LIKELY = 0.07
"""Below this nothing fits, and what was found are near misses. Of LoCoMo's questions .99 are above .05, .97 above .1;
of those asked of another conversation .40 and .18; of BEAM's 1 and .98, and .99 and .67.
"""

COVERING = 3  # passages, the first of an answer, that are looked at for the words of the question


@dataclass(frozen=True, slots=True)
class Scale:
    """What cosine and coverage count for, and what they have to make up for."""

    cosine: float
    coverage: float
    offset: float

    def chance(self, cosine: float, coverage: float) -> float:
        value = self.cosine * cosine + self.coverage * coverage - self.offset
        return 1 / (1 + exp(-max(-60.0, min(60.0, value))))


WORDS = Scale(0.0, 5.5, 3.2)
SCALES: Mapping[str, Scale] = {
    "bge-small-en-v1.5": Scale(12.7, 3.7, 11.0),
    "e5-small-v2": Scale(28.1, 4.0, 26.0),
    "multilingual-e5-small": Scale(85.7, 9.5, 77.8),
}
"""By the model's name; with another model coverage alone tells. That of multilingual-e5-small is of XQuAD's questions,
each asked in its own language, and again of what was left without the passages around the one that answers.
"""


def confidence(model: str, cosine: float | None, coverage: float) -> float:
    """`cosine` is the nearest passage's, `coverage` the share of the question's words that the best passages say."""
    if cosine is None or model not in SCALES:
        return WORDS.chance(0.0, coverage)
    return SCALES[model].chance(cosine, coverage)


def is_likely(chance: float) -> bool:
    return chance >= LIKELY
