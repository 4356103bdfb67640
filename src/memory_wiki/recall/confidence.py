"""How likely it is that an answer holds what was asked for. Pure.

Three signs tell: by how much the nearest passage lies nearer in meaning than others do, how much of what is rare in the
question one of the first passages says, and how many of its words nothing in the vault says at all. Weighed by logistic
regression, on questions asked of the vault that answers them and as often of another one: LoCoMo's, BEAM's, and those
of a help vault and of the examples, each for as much as the others.

How near a passage lies hangs on how a vault is written, so that its cosine alone needs another bound in each vault; and
in another language, where a passage says none of a question's words, on the two languages. Whether a thing that is much
talked about was said at all, these signs do not tell: against their own unanswerable questions AUROC is .56 on LoCoMo
and .48 on BEAM.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from statistics import median

LIKELY = 0.1
"""Below this nothing fits, and what was found are near misses: set so that of LoCoMo's questions, which of all are the
least plainly answered, .98 are above."""

READ = 3  # passages, the first of an answer, that are looked at for the words of the question
BESIDE = 150
"""How many of the nearest passages tell, by their median, how near a question lies to anything."""
FEW = 3
"""For how many passages counts what is usual: where there is one alone, nothing else tells what is near."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What each sign counts for, and what they have to make up for."""

    margin: float
    said: float
    unsaid: float
    offset: float
    usual: float = 0.0
    """The cosine of a question and a passage of something else."""

    def chance(self, margin: float, said: float, unsaid: float) -> float:
        return _chance(self.margin * margin + self.said * said - self.unsaid * unsaid - self.offset)


@dataclass(frozen=True, slots=True)
class Across:
    """What it counts for that a passage in another language lies nearer than those that are the nearest besides do."""

    margin: float
    offset: float
    usual: float
    """The cosine of a question and a passage of something else, in another language."""

    def chance(self, cosine: float, beside: Sequence[float]) -> float:
        return _chance(self.margin * _margin(cosine, beside, self.usual) - self.offset)


WORDS = Scale(0.0, 7.9, 5.6, 1.5)
SCALES: Mapping[str, Scale] = {
    "bge-small-en-v1.5": Scale(35.6, 4.4, 7.5, 4.1, 0.48),
    "e5-small-v2": Scale(101.4, 4.7, 7.7, 4.2, 0.77),
    "multilingual-e5-small": Scale(69.8, 5.0, 7.6, 2.5, 0.79),
}
"""By the model's name; with another model words alone tell."""

ACROSS: Mapping[str, Across] = {"multilingual-e5-small": Across(105.4, 5.85, 0.73)}
"""Of XQuAD's questions, from Chinese, Russian and German to English and from English to German, asked with and without
the article that answers, by half of the articles. On the other half AUROC is .89, and of those that are answered .97
are above LIKELY, of the others .78. Against questions asked of a help vault it is .99, and by the cosine alone .48.
"""


def confidence(model: str, cosine: float | None, beside: Sequence[float], said: float, unsaid: float) -> float:
    """`cosine` is the nearest passage's, `beside` are those of the nearest of all; `said` is the most that one of the
    first passages says of the question's words, the rarer the more, and `unsaid` the share of them that nothing says.
    """
    scale = SCALES.get(model)
    if cosine is None or scale is None:
        return WORDS.chance(0.0, said, unsaid)
    return scale.chance(_margin(cosine, beside, scale.usual), said, unsaid)


def confidence_across(model: str, cosine: float, beside: Sequence[float]) -> float:
    """`cosine` is that of the nearest passage in another language, `beside` are those of the nearest of all."""
    return ACROSS[model].chance(cosine, beside) if model in ACROSS else 0.0


def confidence_of_a_list() -> float:
    """That of pages that are asked for by type and time alone: there is no word that they do not say."""
    return WORDS.chance(0.0, 1.0, 0.0)


def is_likely(chance: float) -> bool:
    return chance >= LIKELY


def _margin(cosine: float, beside: Sequence[float], usual: float) -> float:
    """By how much a passage lies nearer than what is usual there; of few passages it is what is usual anywhere."""
    ground = (len(beside) * median(beside or [usual]) + FEW * usual) / (len(beside) + FEW)
    return cosine - ground


def _chance(value: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, value))))
