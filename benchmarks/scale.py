"""How often each thing is done: in full, or so few times that a test can run it all."""

from dataclasses import dataclass

from vaults import Vaults


@dataclass(frozen=True, slots=True)
class Scale:
    """Counts; the defaults are those of the table."""

    batch: int = 10_000
    gitpython_seconds: float = 5.0
    threads: int = 32
    processes: int = 4
    writes_a_thread: int = 30
    writes: int = 200
    writes_not_watching: int = 50
    questions: int = 400
    passages: int = 400
    outside: int = 40
    at_once: int = 200
    rounds: int = 5
    first: int = 2_000
    reindexes: int = 3
    resident_questions: int = 50
    starts: int = 15
    edits: int = 10_000
    remembered: int = 500
    idle_seconds: float = 20.0
    http_seconds: float = 60.0


QUICK = Scale(
    batch=30,
    gitpython_seconds=0.2,
    threads=4,
    processes=2,
    writes_a_thread=1,
    writes=2,
    writes_not_watching=1,
    questions=4,
    passages=4,
    outside=1,
    at_once=10,
    rounds=1,
    first=20,
    reindexes=1,
    resident_questions=3,
    starts=1,
    edits=5,
    remembered=2,
    idle_seconds=0.2,
    http_seconds=0.5,
)


@dataclass(frozen=True, slots=True)
class Bench:
    """What each row is given."""

    vaults: Vaults
    scale: Scale
