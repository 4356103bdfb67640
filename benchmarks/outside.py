"""Rows of what other programs change: one page, two hundred at once, a folder opened for the first time.

The clock starts when the other program is done, and stops when each page is indexed as it is on disk and a recall
finds the last of them. Whoever asks asks again at once until then; how often is told.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import first_open
from holding import HELD
from measuring import Figure, Row, Times, git, percentile, timed
from memories import own_word
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki
from scale import Bench
from vaults import paths

LONG = 300.0  # seconds after which a change that is not seen fails the row
PAUSE = 0.001  # seconds between asking and asking again


def catch_up(bench: Bench, size: int) -> Iterator[Row]:
    """A line added to a page by hand, then `catch_up`."""
    bars = {"watching": {10_000: 60, 100_000: 60}, "not watching": {10_000: 120, 100_000: 600}}
    root = bench.vaults.copy(size)
    chosen = paths(root)
    for how, held in HELD.items():
        calls, seconds = [], []
        with held(root) as wiki:
            for number in range(1 + bench.scale.outside):  # the first warms up
                path = chosen.pop()
                change(root / path, f"By hand {how} {number}.")
                started = time.perf_counter()
                calls.append(_until(partial(_is_caught_up, wiki, root, path)))
                seconds.append(time.perf_counter() - started)
        p50, p99, _, of = Times(tuple(seconds[1:]), 0).figures(bars[how].get(size))
        asked = Figure("asked at most", max(calls), "times")
        yield Row("catch_up", size, f"catch-up with one page changed outside, {how}", (p50, p99, of, asked))


def at_once(bench: Bench, size: int) -> Iterator[Row]:
    """Many pages changed by a `git checkout`, and by a program that writes them one after another."""
    root = bench.vaults.copy(size)
    chosen = paths(root)[: bench.scale.at_once]
    rounds = range(bench.scale.rounds + 1)  # the first warms up
    branches = [own_word("branch", number) for number in rounds]
    for name in branches:
        _branch(root, chosen, name)
    ways: dict[str, Callable[[str], object]] = {
        "by `git checkout`": lambda word: git(root, "checkout", "--quiet", word),
        "file by file": partial(_change_each, [root / path for path in chosen]),
    }
    for how, held in HELD.items():
        for way, work in ways.items():
            words = branches if "checkout" in way else [own_word(how, number) for number in rounds]
            git(root, "checkout", "--quiet", "main")
            with held(root) as wiki:
                found = [_found(wiki, root, chosen, work, word) for word in words]
            yield _at_once_row(size, f"{len(chosen)} pages changed {way}, {how}", found[1:])


def opening(bench: Bench, _size: int) -> Iterator[Row]:
    """`memory-wiki init` in a folder of pages, and the first `recall`, as processes; see first_open.py."""
    data = bench.vaults.data or first_open.EXAMPLES
    with TemporaryDirectory(dir=bench.vaults.work) as folder:
        done = first_open.measured(Path(folder), data, bench.scale.first)
    if done["bytes_changed"]:
        raise AssertionError("opening a vault changed its pages")
    figures = (
        Figure("both", done["init_s"] + done["recall_s"], "s", 3),
        Figure("init", done["init_s"], "s"),
        Figure("recall", done["recall_s"], "s"),
        Figure("of", done["bytes"] / 1e6, "MB"),
    )
    what = f"{bench.scale.first:,} pages first opened, found by recall"
    yield Row("opening", int(done["pages"]), what, figures, beside="basic-memory: 547 s, every file rewritten")


def change(page: Path, line: str) -> None:
    """Adds a line, in place, as a person's script would."""
    with page.open("ab") as file:
        file.write(f"\n{line}\n".encode())


def _change_each(pages: Sequence[Path], word: str) -> None:
    for page in pages:
        change(page, f"Now {word}.")


def _branch(root: Path, chosen: Sequence[str], name: str) -> None:
    git(root, "checkout", "--quiet", "-b", name, "main")
    _change_each([root / path for path in chosen], name)
    git(root, "commit", "--quiet", "--all", "--message", name)


def _found(
    wiki: Wiki, root: Path, chosen: Sequence[str], work: Callable[[str], object], word: str
) -> tuple[float, float, int]:
    """Seconds the change itself took, seconds until it was found, and how often that took asking."""
    doing = timed(lambda _: work(word), 1).seconds[0]
    started = time.perf_counter()
    calls = _until(lambda: _is_found(wiki, root, chosen, word))
    return doing, time.perf_counter() - started, calls


def _at_once_row(size: int, what: str, found: list[tuple[float, float, int]]) -> Row:
    seconds = [taken for _, taken, _ in found]
    figures = (
        Figure("p50", percentile(seconds, 50), "s", 1),
        Figure("most", max(seconds), "s"),
        Figure("the change itself", percentile([doing for doing, _, _ in found], 50), "s"),
        Figure("asked at most", max(calls for _, _, calls in found), "times"),
        Figure("of", len(found), ""),
    )
    return Row("at_once", size, what, figures, beside="basic-memory: 159 s")


def _is_caught_up(wiki: Wiki, root: Path, path: str) -> bool:
    wiki.catch_up()
    return _is_indexed(wiki, root, path)


def _is_found(wiki: Wiki, root: Path, chosen: Sequence[str], word: str) -> bool:
    hits = wiki.recall(Question(word, project="")).hits
    return any(word in hit.text for hit in hits) and all(_is_indexed(wiki, root, path) for path in chosen)


def _is_indexed(wiki: Wiki, root: Path, path: str) -> bool:
    entry = wiki.index.words.page(PagePath(path))
    return entry is not None and entry.version == version_of((root / path).read_bytes())


def _until(claim: Callable[[], bool]) -> int:
    """Asks until a claim holds; gives how often."""
    asked, started = 1, time.perf_counter()
    while not claim():
        if time.perf_counter() - started > LONG:
            raise AssertionError(f"not so after {LONG:.0f} s")
        time.sleep(PAUSE)
        asked += 1
    return asked
