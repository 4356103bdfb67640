"""Rows of reading: recall in an open process, its memory, commands as fresh processes, and the index built anew."""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import resident
from holding import HELD
from measuring import MEGA, PATIENCE, Figure, Row, command, run, timed
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki
from scale import Bench
from vaults import questions


def recall(bench: Bench, size: int) -> Iterator[Row]:
    """Questions of two to five words, each asked once."""
    root = bench.vaults.made(size)
    asked = questions(root, bench.scale.questions)
    for how, held in HELD.items():
        with held(root) as wiki:
            done = timed(partial(_recall, wiki, asked), bench.scale.questions, PATIENCE)
        p50, p99 = {10_000: (8, 40), 100_000: (20, 80)}.get(size, (None, None)) if how == "watching" else (None, None)
        yield Row("recall", size, f"recall by words, {how}", done.figures(p50, p99))


def reindex(bench: Bench, size: int) -> Iterator[Row]:
    """`memory-wiki reindex` as a process."""
    root = bench.vaults.made(size)
    done = timed(lambda _: run(command(), "reindex", "--vault", root), bench.scale.reindexes, PATIENCE)
    seconds = statistics.median(done.seconds)
    figures = (
        Figure("p50", seconds, "s", {10_000: 4, 100_000: 40}.get(size)),
        Figure("rate", size / seconds, "pages/s"),
        Figure("processor", done.processor / len(done.seconds), "s"),
        Figure("of", len(done.seconds), ""),
    )
    yield Row("reindex", size, "`reindex`", figures)


def memory(bench: Bench, size: int) -> Iterator[Row]:
    """What a fresh process holds after its recalls, as Linux counts; git's processes are not in it."""
    root = bench.vaults.made(size)
    asked = "\n".join(questions(root, bench.scale.resident_questions))
    for how in HELD:
        call = [sys.executable, resident.__file__, str(root), how]
        yield Row("memory", size, f"memory of a process that recalls, {how}", held_by(call, asked, 200))


def held_by(call: Sequence[str], asked: str, bar: float) -> tuple[Figure, ...]:
    """What a process like `resident` held while it answered; `bar` is in megabytes."""
    done = subprocess.run(call, input=asked, check=True, capture_output=True, text=True)
    held = {name: 1024 * kib / MEGA for name, kib in json.loads(done.stdout).items()}
    return (
        Figure("at most", held["VmHWM"], "MB", bar),
        Figure("its own", held["RssAnon"], "MB"),
        Figure("of files", held["RssFile"], "MB"),
    )


def commands(bench: Bench, size: int) -> Iterator[Row]:
    """Commands as fresh processes, each in turn with Python importing typer, so that all meet the same machine."""
    root = bench.vaults.made(size)
    calls: dict[str, list[str | Path]] = {
        "import": [sys.executable, "-c", "import typer"],
        "help": [command(), "--help"],
        "recall": [command(), "recall", questions(root, 1)[0], "--vault", root],
    }
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(1 + bench.scale.starts):  # the first warms up
        for name, call in calls.items():
            taken[name] += timed(partial(_run, call), 1).seconds
    seconds = {name: statistics.median(each[1:]) for name, each in taken.items()}
    beside = Figure("import typer", 1000 * seconds["import"], "ms")
    for name, what, bar in (("help", "memory-wiki --help", 1.5), ("recall", "memory-wiki recall", 4)):
        ratio = Figure("ratio", seconds[name] / seconds["import"], "×", bar)
        figures = (ratio, Figure("p50", 1000 * seconds[name], "ms"), beside)
        yield Row("commands", size, f"`{what}` as a fresh process", figures)


def _recall(wiki: Wiki, asked: list[str], number: int) -> None:
    wiki.recall(Question(asked[number], project=""))


def _run(call: list[str | Path], _number: int) -> None:
    run(*call)
