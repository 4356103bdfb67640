"""How likely it is that an answer holds what was asked for. Pure.

Two signs tell: how near the nearest passage lies in meaning, and how much of what is rare in the question its best
passages say. Weighed by logistic regression, on LoCoMo's and BEAM's questions asked of their own conversation and as
often of another, for whether evidence is among the first five: of answers that are 50 % sure, about half have it.
Against questions asked of another conversation AUROC is .99 on LoCoMo and .92 on BEAM. Whether a thing that is much
talked about was said at all, these signs do not tell: against their own unanswerable questions it is .55 and .58.

A passage in another language than the question's says none of its words, whether it answers or not; and how near it
lies hangs on the two languages more than on what they say. What tells is how much nearer it lies than others do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from statistics import median

LIKELY = 0.07
"""Below this nothing fits, and what was found are near misses. Of LoCoMo's questions .99 are above .05, .97 above .1;
of those asked of another conversation .40 and .18; of BEAM's 1 and .98, and .99 and .67.
"""

COVERING = 3  # passages, the first of an answer, that are looked at for the words of the question
BESIDE = 150
"""How many of the nearest passages tell, by their median, how near a question lies to anything."""
FEW = 3
"""For how many passages counts what is usual: where there is one alone, nothing else tells what is near."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What cosine and coverage count for, and what they have to make up for."""

    cosine: float
    coverage: float
    offset: float

    def chance(self, cosine: float, coverage: float) -> float:
        return _chance(self.cosine * cosine + self.coverage * coverage - self.offset)


@dataclass(frozen=True, slots=True)
class Across:
    """What it counts for that a passage in another language lies nearer than those that are the nearest besides do."""

    margin: float
    offset: float
    usual: float
    """The cosine of a question and a passage of something else, in another language."""

    def chance(self, cosine: float, beside: Sequence[float]) -> float:
        ground = (len(beside) * median(beside) + FEW * self.usual) / (len(beside) + FEW)
        return _chance(self.margin * (cosine - ground) - self.offset)


WORDS = Scale(0.0, 5.5, 3.2)
SCALES: Mapping[str, Scale] = {
    "bge-small-en-v1.5": Scale(12.7, 3.7, 11.0),
    "e5-small-v2": Scale(28.1, 4.0, 26.0),
    "multilingual-e5-small": Scale(85.7, 9.5, 77.8),
}
"""By the model's name; with another model coverage alone tells. That of multilingual-e5-small is of XQuAD's questions,
each asked in its own language, and again of what was left without the passages around the one that answers.
"""

ACROSS: Mapping[str, Across] = {"multilingual-e5-small": Across(105.4, 6.24, 0.73)}
"""Of XQuAD's questions, from Chinese, Russian and German to English and from English to German, asked with and without
the article that answers, by half of the articles. On the other half AUROC is .89, and of those that are answered .97
are above LIKELY, of the others .78. Against questions asked of a help vault it is .99, and by the cosine alone .48.
"""


def confidence(model: str, cosine: float | None, coverage: float) -> float:
    """`cosine` is the nearest passage's, `coverage` the share of the question's words that the best passages say."""
    if cosine is None or model not in SCALES:
        return WORDS.chance(0.0, coverage)
    return SCALES[model].chance(cosine, coverage)


def confidence_across(model: str, cosine: float, beside: Sequence[float]) -> float:
    """`cosine` is that of the nearest passage in another language, `beside` are those of the nearest of all."""
    return ACROSS[model].chance(cosine, beside) if model in ACROSS else 0.0


def confidence_of_a_list() -> float:
    """That of pages that are asked for by type and time alone: there is no word that they do not say."""
    return WORDS.chance(0.0, 1.0)


def is_likely(chance: float) -> bool:
    return chance >= LIKELY


def _chance(value: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, value))))
