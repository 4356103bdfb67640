"""How likely it is that an answer holds what was asked for. Pure.

Two signs tell: how near the nearest passage lies in meaning, and how much of what is rare in the question its best
passages say. Weighed by logistic regression on LoCoMo's and BEAM's questions, asked of their own conversation and of
another; cosines of each model have a scale of their own. Whether a thing that is talked about was said at all,
they do not tell: for LoCoMo's adversarial questions the AUROC is .55.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp

LIKELY = 0.2
"""Below this, nothing fits."""

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


WORDS = Scale(0.0, 5.9, 2.9)
SCALES: Mapping[str, Scale] = {
    "e5-small-v2": Scale(55.0, 2.7, 47.5),
}
"""By the model's name; with another model coverage alone tells."""


def confidence(model: str, cosine: float | None, coverage: float) -> float:
    """`cosine` is the nearest passage's, `coverage` the share of the question's words that the best passages say."""
    if cosine is None or model not in SCALES:
        return WORDS.chance(0.0, coverage)
    return SCALES[model].chance(cosine, coverage)


def is_likely(chance: float) -> bool:
    return chance >= LIKELY
