"""What a run found, as values: the shape of its JSON, and all that its text tells."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from memory_wiki.bench import metrics, wording
from memory_wiki.bench.asking import Heard
from memory_wiki.bench.measures import Level, Measure
from memory_wiki.bench.metrics import Estimate, any_at

BINS = 10
TOP = 5  # where evidence counts as found, for the reliability of a confidence
ENOUGH = 20  # turns, of a ranking that figures at 10 are read from
MEDIAN, LATE = 50, 95


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over `of` questions, and its 95 % interval."""

    name: str
    value: float
    low: float
    high: float
    of: int


@dataclass(frozen=True, slots=True)
class Group:
    """The figures of one kind of question, or of all."""

    kind: str
    questions: int
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """AUROC of the confidence: of questions that have an answer, against so many that have none."""

    against: str
    answerable: int
    others: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Questions whose confidence lies from `low` up to `high`: how many have evidence, the share of these where it is
    among the first five, and how many have no answer here.
    """

    low: float
    high: float
    answerable: int
    found: float | None
    others: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The share of the evidence that answers within a budget quote, and the tokens that they fill."""

    budget: int
    value: float
    low: float
    high: float
    of: int
    tokens: float


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds that a recall took, by a process that watches the vault."""

    what: str
    p50: float
    p95: float
    of: int
    tokens: float


@dataclass(frozen=True, slots=True)
class Readings:
    """How a reader's answers compare with the dataset's."""

    model: str
    url: str
    answered: int
    failed: int
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All of a run."""

    dataset: str
    data: str
    command: str
    vaults: int
    pages: int
    writing_seconds: float
    questions: int
    without_evidence: int
    groups: tuple[Group, ...]
    unknown: tuple[Separation, ...]
    evidence: tuple[Evidence, ...]
    latency: tuple[Latency, ...]
    reliability: tuple[Bin, ...]
    reader: Readings | None
    notes: tuple[str, ...]


Score = tuple[str, Callable[[Heard], float]]


def groups(heard: Sequence[Heard], measures: Sequence[Measure]) -> tuple[Group, ...]:
    """Retrieval: of answerable questions whose evidence is known, all of them and by kind."""
    scores: list[Score] = [(each.name, _score(each)) for each in measures]
    return _grouped([each for each in heard if has_evidence(each, measures[0].level)], scores)


def readings(heard: Sequence[Heard]) -> tuple[Group, ...]:
    """Of questions that a reader answered, all of them and by kind."""
    scores: list[Score] = [
        ("token F1", lambda each: wording.token_f1(each.quoted[0].said or "", each.ask.answer)),
        ("contained", lambda each: wording.contains(each.quoted[0].said or "", each.ask.answer)),
    ]
    return _grouped([each for each in heard if each.quoted[0].said is not None], scores)


def short_of_turns(heard: Sequence[Heard], level: Level) -> Iterable[str]:
    """A note where recall gave so few turns that no deeper figure can tell rankings apart."""
    short = sum(len(each.turns) < ENOUGH for each in heard) if level is Level.TURN else 0
    if short:
        fewest = min(len(each.turns) for each in heard)
        yield f"fewer than {ENOUGH} turns came back for {short:,} of {len(heard):,} questions, {fewest} at the least"


def short_of_parts(heard: Sequence[Heard]) -> Iterable[str]:
    """A note for each part of recall that was wanted and took none: who asks with a model at hand finds otherwise."""
    for (part, why), times in Counter(missing for each in heard for missing in each.missing).items():
        yield f"without {part} for {times:,} of {len(heard):,} questions: {why}"


def has_evidence(heard: Heard, level: Level) -> bool:
    return heard.ask.is_answerable and bool(heard.gold(level))


def _score(measure: Measure) -> Callable[[Heard], float]:
    return lambda each: measure.of(each.found(measure.level), each.gold(measure.level))


def _grouped(heard: Sequence[Heard], scores: Sequence[Score]) -> tuple[Group, ...]:
    by_kind = [(kind, list(each)) for kind, each in groupby(sorted(heard, key=_kind), key=_kind)]
    sets = [("all", list(heard)), *by_kind] if heard else []
    return tuple(Group(kind, len(each), tuple(_figures(each, scores))) for kind, each in sets)


def _kind(heard: Heard) -> str:
    return heard.ask.kind


def _figures(heard: Sequence[Heard], scores: Sequence[Score]) -> Iterable[Figure]:
    for name, score in scores:
        found = metrics.mean([score(each) for each in heard])
        yield Figure(name, found.value, found.low, found.high, len(heard))


def separations(heard: Sequence[Heard], foreign: Sequence[float]) -> tuple[Separation, ...]:
    """How well confidence tells questions with an answer from those without, by why they have none."""
    known = [each.confidence for each in heard if each.ask.is_answerable]
    unanswerable = [each.confidence for each in heard if not each.ask.is_answerable]
    others = [("unanswerable", unanswerable), ("asked of another conversation", list(foreign))]
    both = [("both", [*unanswerable, *foreign])] if unanswerable and foreign else []
    return tuple(
        Separation(name, len(known), len(low), *_ends(metrics.separation(known, low)))
        for name, low in [*others, *both]
        if known and low
    )


def _ends(found: Estimate) -> tuple[float, float, float]:
    return found.value, found.low, found.high


def reliability(heard: Sequence[Heard], foreign: Sequence[float], level: Level) -> tuple[Bin, ...]:
    """Ten bins of equal width, from 0 to 1, or to the highest confidence where that is a score above 1."""
    known = [(each.confidence, any_at(each.found(level), each.gold(level), TOP)) for each in heard]
    known = [pair for pair, each in zip(known, heard, strict=True) if has_evidence(each, level)]
    others = [*(each.confidence for each in heard if not each.ask.is_answerable), *foreign]
    width = max([1.0, *others, *(confidence for confidence, _ in known)]) / BINS

    def bin_of(confidence: float) -> int:
        return min(max(int(confidence / width), 0), BINS - 1)

    bins = []
    for number in range(BINS):
        inside = [found for confidence, found in known if bin_of(confidence) == number]
        strangers = sum(bin_of(confidence) == number for confidence in others)
        share = fmean(inside) if inside else None
        bins.append(Bin(number * width, (number + 1) * width, len(inside), share, strangers))
    return tuple(bins)


def evidence(heard: Sequence[Heard]) -> Iterable[Evidence]:
    """By budget, of answerable questions whose evidence is known."""
    for each in zip(*(one.quoted for one in heard if one.ask.is_answerable), strict=True):
        shares = [quoted.share for quoted in each if quoted.share is not None]
        if shares:
            tokens = fmean(quoted.tokens for quoted in each if quoted.share is not None)
            yield Evidence(each[0].budget, *_ends(metrics.mean(shares)), len(shares), tokens)


def latencies(heard: Sequence[Heard], hits: int) -> Iterable[Latency]:
    """Of recalls within each budget, and of those with room for all."""
    for each in zip(*(one.quoted for one in heard), strict=True):
        what = f"within {each[0].budget:,} tokens"
        yield _latency(what, [quoted.seconds for quoted in each], [quoted.tokens for quoted in each])
    yield _latency(f"{hits} passages", [one.seconds for one in heard], [one.tokens for one in heard])


def _latency(what: str, seconds: Sequence[float], tokens: Sequence[int]) -> Latency:
    p50, p95 = (1000 * metrics.percentile(seconds, percent) for percent in (MEDIAN, LATE))
    return Latency(what, p50, p95, len(seconds), fmean(tokens))
