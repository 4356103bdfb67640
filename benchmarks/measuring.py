"""What is measured, as values, and how: figures with their bars, rows of them, times of many runs, the machine."""

import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

MEGA = 1_000_000
PATIENCE = 60.0  # seconds after which enough was seen of what is slow


@dataclass(frozen=True, slots=True)
class Figure:
    """One number; `bar` is what it may be at most or, where `is_floor`, has to be at least. None for no bar."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    is_floor: bool = False

    @property
    def is_over(self) -> bool:
        return self.bar is not None and (self.value < self.bar if self.is_floor else self.value > self.bar)

    @property
    def text(self) -> str:
        return f"{self.name} {_short(self.value)} {self.unit}".strip()

    @property
    def bar_text(self) -> str:
        return "" if self.bar is None else f"{'≥' if self.is_floor else '≤'} {_short(self.bar)} {self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Row:
    """What was measured in a vault of how many pages. `beside` is text of others' figures, not measured here."""

    name: str
    pages: int
    what: str
    figures: tuple[Figure, ...]
    beside: str = ""
    failed: str = ""

    @property
    def verdict(self) -> str:
        if self.failed:
            return "failed"
        if all(figure.bar is None for figure in self.figures):
            return ""
        return "over" if any(figure.is_over for figure in self.figures) else "ok"

    def without_bars(self) -> "Row":
        return replace(self, figures=tuple(replace(figure, bar=None) for figure in self.figures))


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds that each of many runs took, and of processor time, its children's included, all together."""

    seconds: tuple[float, ...]
    processor: float

    @property
    def rate(self) -> float:
        return len(self.seconds) / sum(self.seconds)

    def figures(self, p50: float | None = None, p99: float | None = None) -> tuple[Figure, ...]:
        """Median, 99th percentile (by nearest rank), and processor time a run, in milliseconds."""
        return (
            Figure("p50", 1000 * statistics.median(self.seconds), "ms", p50),
            Figure("p99", 1000 * percentile(self.seconds, 99), "ms", p99),
            Figure("processor", 1000 * self.processor / len(self.seconds), "ms"),
            Figure("of", len(self.seconds), ""),
        )


def timed(work: Callable[[int], object], times: int, most: float = math.inf) -> Times:
    """Does `work` so many times, told which time it is, one after another; begins none after `most` seconds."""
    seconds: list[float] = []
    before = _processor()
    for number in range(times):
        if sum(seconds) > most:
            break
        started = perf_counter()
        work(number)
        seconds.append(perf_counter() - started)
    return Times(tuple(seconds), _processor() - before)


def percentile(values: Sequence[float], percent: int) -> float:
    """By nearest rank: of 100 values the 99th is the second largest."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


def run(*command: str | Path, inside: Path | None = None) -> str:
    """Runs a program to its end, which must be a good one; gives what it printed."""
    done = subprocess.run(list(map(str, command)), cwd=inside, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr or done.stdout}")
    return done.stdout


def git(root: Path, *args: str) -> str:
    """What git says, asked as any program would; commits of the benchmark's own are by its name."""
    who = ("-c", "user.name=Benchmark", "-c", "user.email=benchmark@example.org")
    return run("git", "-C", root, *who, *args)


def commits(root: Path) -> int:
    return int(git(root, "rev-list", "--count", "HEAD"))


def machine(work: Path) -> dict[str, str | float]:
    """What the figures depend on besides the code."""
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "cores": os.cpu_count() or 0,
        "memory_mb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / MEGA),
        "filesystem": _filesystem(work),
        "python": platform.python_version(),
        "git": run("git", "--version").split()[2],
        "tantivy": version("tantivy"),
        "code": git(Path(__file__).parent, "describe", "--always", "--dirty").strip(),
    }


def load() -> float:
    """How many programs wanted a processor in the last minute."""
    return round(os.getloadavg()[0], 2)


def command() -> Path:
    """`memory-wiki` as installed beside this Python."""
    found = shutil.which("memory-wiki", path=str(Path(sys.executable).parent))
    if not found:
        raise RuntimeError(f"no memory-wiki beside {sys.executable}: python -m pip install -e .")
    return Path(found)


def _processor() -> float:
    """Seconds spent by this process and its children, where the system tells as Linux does also by those that live."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system + _by_living_children()


def _by_living_children() -> float:
    ticks = 0
    for task in Path("/proc/self/task").glob("*/children"):
        children: list[str] = []
        with suppress(OSError):  # a thread that has ended just now; whoever it started is another's child
            children = task.read_text(encoding="utf-8").split()
        for child in children:
            with suppress(OSError):  # it too
                fields = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))  # user and system, its own and its children's: proc(5)
    return ticks / os.sysconf("SC_CLK_TCK")


def _filesystem(folder: Path) -> str:
    """Of the mount that holds `folder`, where the system tells of mounts as Linux does."""
    mounts = Path("/proc/mounts")
    if not mounts.exists():
        return ""
    lines = (line.split() for line in mounts.read_text(encoding="utf-8").splitlines())
    kinds = {Path(where): kind for _, where, kind, *_ in lines}
    return next(kinds[place] for place in (folder.resolve(), *folder.resolve().parents) if place in kinds)


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"  # noqa: PLR2004 - three digits
