"""Rows of writing: batches, one at a time, with a recall after it, many at once, and one page ten thousand times.

Each write is one that its caller may rely on: when it returns, page and commit are on disk and recall finds it.
Rows count the commits they made, and fail where a write has none of its own.
"""

import multiprocessing
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Barrier as ThreadBarrier

import git as gitpython

from holding import HELD, serving
from measuring import MEGA, PATIENCE, Figure, Row, Times, commits, timed
from memories import Author
from memory_wiki.errors import MemoryWikiError
from memory_wiki.page.edit import Swap
from memory_wiki.page.memory import Memory
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from scale import Bench

LONG = 600.0  # seconds after which writers that wait for each other give up
WARMING = 3  # writes before the first that counts
_MEETING: list[Barrier] = []  # of a process of the crew, one


def batch(bench: Bench, _size: int) -> Iterator[Row]:
    """Memories handed over together, in a new vault; beside them a loop of GitPython's, in a new repository."""
    beside = _gitpython(bench)
    author = Author("batch")
    wishes = [author.wish() for _ in range(bench.scale.batch)]
    root = bench.vaults.empty()
    with serving(root) as wiki:
        before = commits(root)
        done = timed(lambda _: wiki.remember_each([wish for wish, _ in wishes]), 1)
        _assert_each_has_a_commit(root, before, len(wishes))
        for _, own in (wishes[-1], random.choice(wishes)):  # noqa: S311 - any will do
            _recalled(wiki, own)
        _assert_proven(wiki)
    rate = len(wishes) / done.seconds[0]
    figures = (
        Figure("rate", rate, "/s", 1_800, is_floor=True),
        Figure("GitPython", beside, "/s"),
        Figure("ratio", rate / beside, "×", 35, is_floor=True),
        Figure("processor", 1000 * done.processor / len(wishes), "ms"),
    )
    yield Row("batch", len(wishes), "memories in one batch, a commit each", figures)


def remember(bench: Bench, size: int) -> Iterator[Row]:
    """One memory after another."""
    root = bench.vaults.copy(size)
    for how, held in HELD.items():
        with held(root) as wiki:
            before = commits(root)
            author = Author(f"remember {how}")
            wishes = [author.wish()[0] for _ in range(WARMING + _writes(bench, how))]
            for wish in wishes[:WARMING]:
                wiki.remember(wish)
            done = timed(partial(_remember, wiki, wishes[WARMING:]), _writes(bench, how), PATIENCE)
            _assert_each_has_a_commit(root, before, WARMING + len(done.seconds))
        bars = ({10_000: 12, 100_000: 20}.get(size), 60) if how == "watching" else (None, None)
        yield Row("remember", size, f"one `remember`, {how}", done.figures(*bars))


def remember_recall(bench: Bench, size: int) -> Iterator[Row]:
    """One memory, and the recall that finds it, timed together."""
    root = bench.vaults.copy(size)
    for how, held in HELD.items():
        with held(root) as wiki:
            author = Author(f"remember and recall {how}")
            wishes = [author.wish() for _ in range(WARMING + _writes(bench, how))]
            timed(partial(_remember_and_recall, wiki, wishes[:WARMING]), WARMING)
            done = timed(partial(_remember_and_recall, wiki, wishes[WARMING:]), _writes(bench, how), PATIENCE)
        bar = {10_000: 40, 100_000: 60}.get(size) if how == "watching" else None
        yield Row("remember_recall", size, f"`remember`, and a `recall` that sees it, {how}", done.figures(bar))


def threads(bench: Bench, size: int) -> Iterator[Row]:
    """Threads that write at once through one open wiki."""
    scale = bench.scale
    root = bench.vaults.copy(size)
    with serving(root) as wiki:
        before = commits(root)
        done = _crew(wiki, scale.threads, scale.writes_a_thread, "thread")
        yield _together("threads", size, f"{scale.threads} threads of one process", [done], 900)
        _assert_each_has_a_commit(root, before, len(done.seconds))
        _assert_proven(wiki)


def processes(bench: Bench, size: int) -> Iterator[Row]:
    """Processes that each hold the vault open, and whose threads write at once."""
    scale = bench.scale
    spawn = multiprocessing.get_context("spawn")
    each = scale.threads // scale.processes
    root = bench.vaults.copy(size)
    before = commits(root)
    with spawn.Pool(scale.processes, _join, (spawn.Barrier(scale.processes),)) as pool:
        jobs = [(root, each, scale.writes_a_thread, f"process {n}") for n in range(scale.processes)]
        done = pool.starmap_async(_at_once, jobs, chunksize=1).get(LONG)
    yield _together("processes", size, f"{scale.processes} processes of {each} threads", done, 300)
    _assert_each_has_a_commit(root, before, sum(len(crew.seconds) for crew in done))
    with serving(root) as wiki:
        _assert_proven(wiki)


def edits(bench: Bench, _size: int) -> Iterator[Row]:
    """One page of a new vault, a line of it changed again and again; then what its `.git` takes on disk."""
    count = bench.scale.edits
    root = bench.vaults.empty()
    with serving(root) as wiki:
        text = Author("edited").wish()[0].memory.text
        page = wiki.remember(Wish(Memory(f"{text}- [fact] The count is 0x0 ^fcount\n", title="The count"), ""))
        before = commits(root)
        done = timed(lambda n: wiki.edit(page.path, (Swap(f"is {n:x}x{n}", f"is {n + 1:x}x{n + 1}"),)), count)
        _assert_each_has_a_commit(root, before, count)
    size = _on_disk(root / ".git")
    figures = (Figure("repository", size / MEGA, "MB", 10), Figure("rate", done.rate, "/s"), *done.figures())
    yield Row("edits", 1, f"{count:,} edits of one page", figures)


@dataclass(frozen=True, slots=True)
class Crew:
    """When a crew began and ended, by the machine's clock; seconds of each write, and what was said to the others."""

    began: float
    ended: float
    seconds: tuple[float, ...]
    refused: tuple[str, ...]


def _crew(wiki: Wiki, size: int, each: int, name: str) -> Crew:
    """Threads that begin together and each write so many memories, or as many as a minute is enough for."""
    authors = [Author(f"{name} {number}") for number in range(size)]
    wishes = [[author.wish()[0] for _ in range(each)] for author in authors]
    barrier = ThreadBarrier(size + 1)
    seconds: list[float] = []
    refused: list[str] = []

    def write(number: int) -> None:
        barrier.wait(LONG)
        enough = time.monotonic() + PATIENCE
        for wish in wishes[number]:
            if (started := time.monotonic()) > enough:
                break
            try:
                wiki.remember(wish)
            except MemoryWikiError as error:
                refused.append(str(error))
            else:
                seconds.append(time.monotonic() - started)

    with ThreadPoolExecutor(size) as pool:
        done = [pool.submit(write, number) for number in range(size)]
        barrier.wait(LONG)
        began = time.monotonic()
        for one in done:
            one.result()
    return Crew(began, time.monotonic(), tuple(seconds), tuple(refused))


def _join(barrier: Barrier) -> None:
    _MEETING.append(barrier)


def _at_once(root: Path, size: int, each: int, name: str) -> Crew:
    """In a process of its own: opens the vault, waits for the other processes, writes."""
    with serving(root) as wiki:
        _MEETING[0].wait(LONG)
        return _crew(wiki, size, each, name)


def _on_disk(folder: Path) -> int:
    """Bytes as `du` counts, once no git that works behind has anything unfinished there."""
    end = time.monotonic() + PATIENCE
    while any(folder.glob("objects/pack/*tmp*")) and time.monotonic() < end:
        time.sleep(0.1)
    return sum(512 * file.lstat().st_blocks for file in folder.rglob("*"))


def _together(name: str, size: int, what: str, crews: list[Crew], bar: float) -> Row:
    seconds = [taken for crew in crews for taken in crew.seconds]
    whole = max(crew.ended for crew in crews) - min(crew.began for crew in crews)
    refused = [text for crew in crews for text in crew.refused]
    if not seconds:
        raise AssertionError(f"no write succeeded: {refused[0]}")
    figures = (
        Figure("rate", len(seconds) / whole, "/s", bar, is_floor=True),
        *Times(tuple(seconds), 0).figures()[:2],
        Figure("of", len(seconds) + len(refused), ""),
        Figure("refused", len(refused), "", 0),
    )
    return Row(name, size, f"{what} that write at once", figures)


def _gitpython(bench: Bench) -> float:
    """Commits a second of `index.add` and `index.commit`, a page each, in a new repository. Nothing of it is synced."""
    author = Author("gitpython")
    root = bench.vaults.empty()
    repository = gitpython.Repo(root)
    count, started = 0, time.perf_counter()
    while time.perf_counter() - started < bench.scale.gitpython_seconds:
        wish, own = author.wish()
        (root / f"{own}.md").write_text(wish.memory.text, encoding="utf-8")
        repository.index.add([f"{own}.md"])
        repository.index.commit(f"remember: {wish.memory.title}")
        count += 1
    taken = time.perf_counter() - started
    repository.close()
    return count / taken


def _writes(bench: Bench, how: str) -> int:
    return bench.scale.writes if how == "watching" else bench.scale.writes_not_watching


def _remember(wiki: Wiki, wishes: list[Wish], number: int) -> None:
    wiki.remember(wishes[number])


def _remember_and_recall(wiki: Wiki, wishes: list[tuple[Wish, str]], number: int) -> None:
    wish, own = wishes[number]
    written = wiki.remember(wish)
    if _recalled(wiki, own) != written.path:
        raise AssertionError(f"recall finds another page for {own}")


def _recalled(wiki: Wiki, own: str) -> str:
    """The page with a memory's own word."""
    hits = wiki.recall(Question(own, project="")).hits
    if not hits or own not in hits[0].text:
        raise AssertionError(f"recall does not find {own}")
    return hits[0].path


def _assert_each_has_a_commit(root: Path, before: int, writes: int) -> None:
    if (made := commits(root) - before) != writes:
        raise AssertionError(f"{writes} writes made {made} commits")


def _assert_proven(wiki: Wiki) -> None:
    if differing := wiki.prove().differing:
        raise AssertionError(f"{len(differing)} pages differ between file, HEAD and index, as {differing[0]}")
