"""A whole run: which questions, vault after vault, and the report. Vaults go when they have been asked, unless kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from memory_wiki.bench import report
from memory_wiki.bench.asking import HITS, Asker, Heard, Ways
from memory_wiki.bench.material import Ask, Case, Dataset, Folder
from memory_wiki.bench.measures import MEASURES
from memory_wiki.bench.reader import Reader
from memory_wiki.bench.report import Readings, Report
from memory_wiki.bench.vaults import Vault, written
from memory_wiki.index.index import Progress
from memory_wiki.page.path import file_name
from memory_wiki.wiki.chance import Chance

STRANGERS = 40  # questions of another conversation that each vault is asked at most

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run: at most so many questions and conversations, and where vaults are kept, if they are."""

    data: str
    command: str
    ways: Ways
    limit: int | None = None
    conversations: int | None = None
    keep: Path | None = None
    reader: Reader | None = None


@dataclass(slots=True)
class _Tally:
    """What was seen so far, and what of it there will be."""

    told: Progress
    total: int
    done: int = 0
    pages: int = 0
    writing: float = 0.0
    model: str = ""
    heard: list[Heard] = field(default_factory=list)
    foreign: list[float] = field(default_factory=list)

    def step(self) -> None:
        self.done += 1
        self.told(self.done, self.total)

    def wrote(self, done: int, _total: int) -> None:
        self.told(self.done + done, self.total)

    def wrote_all(self, vault: Vault) -> None:
        self.done += len(vault.places.sessions)
        self.pages += len(vault.places.sessions)
        self.writing += vault.seconds
        self.model = vault.wiki.meaning.name


def run(dataset: Dataset, wanted: Wanted, chance: Chance, told: Progress) -> Report:
    """Raises `BadInput`, and what a write raises."""
    cases = chosen(dataset, wanted)
    passes = len(wanted.ways.budgets) + 1
    total = sum(_size(case) + passes * len(case.asks) for case in cases)
    tally = _Tally(told, total)
    with _home(wanted.keep) as home:
        for number, case in enumerate(cases):
            stranger = cases[(number + 1) % len(cases)]
            place = home / f"{number + 1}-{file_name(case.source.name, 'vault')}"
            with written(case.source, place, chance, tally.wrote) as vault:
                tally.wrote_all(vault)
                asker = Asker(vault.wiki, vault.places, wanted.ways, MEASURES[dataset.name][0].level, wanted.reader)
                tally.heard += asker.hear(case.asks, tally.step)
                tally.foreign += map(asker.confidence, strangers(case, stranger))
    return _report(dataset.name, wanted, len(cases), tally)


def chosen(dataset: Dataset, wanted: Wanted) -> tuple[Case, ...]:
    """The conversations and questions that are wanted: of the latter, some of all kinds and places."""
    cases = dataset.cases[: wanted.conversations]
    pairs = [(number, ask) for number, case in enumerate(cases) for ask in case.asks]
    kept = _spread(pairs, wanted.limit)
    narrowed = (replace(case, asks=tuple(ask for of, ask in kept if of == number)) for number, case in enumerate(cases))
    return tuple(case for case in narrowed if case.asks)


def strangers(case: Case, other: Case) -> Sequence[Ask]:
    """Questions of another conversation, which this one can't answer; none where texts are no conversations."""
    here, there = case.source, other.source
    if isinstance(here, Folder) or isinstance(there, Folder) or here.type != "session" or case is other:
        return ()
    both = {session.id for session in {*here.sessions} & {*there.sessions}}  # haystacks may share some
    return _spread([ask for ask in other.asks if ask.is_answerable and both.isdisjoint(ask.sessions)], STRANGERS)


def _spread(items: Sequence[Item], most: int | None) -> list[Item]:
    """At most so many, evenly spaced."""
    if most is None or most >= len(items):
        return list(items)
    return [items[number * len(items) // most] for number in range(most)]


def _size(case: Case) -> int:
    return 0 if isinstance(case.source, Folder) else len(case.source.sessions)


@contextmanager
def _home(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep
        return
    with TemporaryDirectory(prefix="memory-wiki-bench-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _report(name: str, wanted: Wanted, vaults: int, tally: _Tally) -> Report:
    heard, level = tally.heard, MEASURES[name][0].level
    return Report(
        dataset=name,
        data=wanted.data,
        command=wanted.command,
        vaults=vaults,
        pages=tally.pages,
        writing_seconds=tally.writing,
        questions=len(heard),
        without_evidence=sum(each.ask.is_answerable and not report.has_evidence(each, level) for each in heard),
        groups=report.groups(heard, MEASURES[name]),
        unknown=report.separations(heard, tally.foreign),
        evidence=tuple(report.evidence(heard)),
        latency=tuple(report.latencies(heard, HITS)),
        reliability=report.reliability(heard, tally.foreign, level),
        reader=None if wanted.reader is None else _readings(wanted.reader, heard),
        notes=(*_notes(wanted, tally.model), *report.short_of_parts(heard), *report.short_of_turns(heard, level)),
    )


def _readings(reader: Reader, heard: Sequence[Heard]) -> Readings:
    return Readings(reader.model, reader.url, reader.answered, reader.failed, report.readings(heard))


def _notes(wanted: Wanted, model: str) -> Iterator[str]:
    """What a reader of the figures must know."""
    if model:
        yield f"by meaning too, with {model}"
    if wanted.limit or wanted.conversations:
        yield "a sample: --limit or --conversations left out the rest"
    if wanted.reader is None:
        yield "no reader model took part: the retrieval figures stand alone"
