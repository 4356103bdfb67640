"""Speed and memory of memory-wiki, all in one run, so that the figures may be compared with each other.

    python benchmarks/core.py                                  # some thousand seconds
    python benchmarks/core.py --rows recall reindex --sizes 10000
    python benchmarks/core.py --data ~/notes                   # copies of the pages of a folder of yours
    python benchmarks/core.py --cache /var/tmp/vaults          # keeps the vaults it makes for another run
    python benchmarks/core.py --json figures.json --markdown > table.md
    python benchmarks/core.py --quick                          # all rows, hardly any work: does it run?

Nothing is mocked: real git, real files that are synced, real processes. Rows that write do so in a copy of their own,
synced to the disk before the clock starts. Two ways of asking, said in each row: "watching" is a server's process,
which holds the vault open and watches its folder; "not watching" holds it open and asks git what changed each time.
Both have answered one recall before the clock starts, and of writes and changes the first are not counted; no other
cache is warmed.

Rows:
  batch            `remember_each` in a new vault; beside it GitPython's `index.add` + `index.commit`, of unsynced files
  threads          32 threads that each `remember` through one open wiki
  processes        4 processes, 8 threads each, that do the same and begin together
  remember         one `remember` after another
  remember_recall  a `remember` and the `recall` that finds it
  recall           questions of two to five words that stand in some page
  meaning          the same by meaning too, with and without the reranker; vectors of pages are made up (senses.py)
  catch_up         a line added to a page by hand; until its new version is indexed
  at_once          200 pages changed by `git checkout`, and file by file; until all are indexed and recall finds one
  opening          `init` of a folder of 2,000 pages and a first `recall`, as processes; fails if a page's bytes change
  reindex          `memory-wiki reindex` as a process
  memory           of a fresh process after 50 recalls, at the largest size: its peak, files it maps included
  meaning_memory   the same by meaning, vectors and models included
  embedding        passages of 100 words
  commands         `--help` and `recall` as fresh processes, beside `python -c 'import typer'`
  mcp_start        `memory-wiki mcp` from its start until it has listed its tools
  mcp_recall       the questions of `meaning`, through `memory-wiki mcp`
  mcp_remember     500 memories one after another, through `memory-wiki mcp`
  mcp_idle         what such a server holds and does while nobody asks, without a model and with it
  http_clients     50 clients of `memory-wiki serve` that recall and remember for a minute
  edits            10,000 edits of one page, one after another; what `.git` takes on disk once the wiki is closed

Rows check what they did: a commit for each write, recall finds what was written, and file, HEAD and index agree.
"processor" is the time of all processors for one run, git's processes included; "of" is how many runs, fewer where they
took more than a minute. The exit status is 1 where a row failed; a figure over its bar is no failure. basic-memory's
figures are published elsewhere and not measured here.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import outside
import reads
import senses
import servers
import writes
from measuring import Row, load, machine
from scale import QUICK, Bench, Scale
from vaults import Vaults

Work = Callable[[Bench, int], Iterator[Row]]
EACH: dict[str, Work] = {
    "remember": writes.remember,
    "remember_recall": writes.remember_recall,
    "recall": reads.recall,
    "meaning": senses.recall,
    "catch_up": outside.catch_up,
    "at_once": outside.at_once,
    "reindex": reads.reindex,
}
SMALLEST: dict[str, Work] = {
    "batch": writes.batch,
    "threads": writes.threads,
    "processes": writes.processes,
    "opening": outside.opening,
    "commands": reads.commands,
    "edits": writes.edits,
    "embedding": senses.embedding,
    "mcp_start": servers.start,
    "mcp_recall": servers.recall,
    "mcp_remember": servers.remember,
    "mcp_idle": servers.idle,
    "http_clients": servers.clients,
}
LARGEST: dict[str, Work] = {"memory": reads.memory, "meaning_memory": senses.memory}
ROWS = EACH | SMALLEST | LARGEST
ORDER = (
    "batch",
    "threads",
    "processes",
    *EACH,
    "opening",
    "memory",
    "meaning_memory",
    "embedding",
    "commands",
    "mcp_start",
    "mcp_recall",
    "mcp_remember",
    "mcp_idle",
    "http_clients",
    "edits",
)
SIZES = (10_000, 100_000)
QUICK_SIZES = (40,)


def main() -> None:
    options = arguments()
    started = time.perf_counter()
    place = TemporaryDirectory(prefix="memory-wiki-benchmark-", dir=options.work, ignore_cleanup_errors=True)
    with place as work:  # where git may still be putting packs together behind
        facts = {**machine(Path(work)), "load_before": load()}
        cache = options.cache or Path(work) / "made"
        cache.mkdir(parents=True, exist_ok=True)
        bench = Bench(Vaults(Path(work), cache.resolve(), options.data), QUICK if options.quick else Scale())
        rows = list(measured(bench, options.rows, options.sizes))
        facts |= {"load_after": load(), "seconds": round(time.perf_counter() - started)}
    if options.json:
        options.json.write_text(json.dumps(as_json(facts, bench, rows), indent=1) + "\n", encoding="utf-8")
    print((markdown if options.markdown else text)(table(rows)))
    print("\n" + "; ".join(f"{name} {value}" for name, value in facts.items()))
    sys.exit(any(row.failed for row in rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", choices=ORDER, default=ORDER, metavar="ROW", help="only these")
    parser.add_argument("--sizes", nargs="+", type=int, help=f"pages of the vaults (default {SIZES})")
    parser.add_argument(
        "--quick", action="store_true", help=f"a few of each, in vaults of {QUICK_SIZES} pages; no bars"
    )
    parser.add_argument("--data", type=Path, help="a folder whose .md files are copied, round and round")
    parser.add_argument(
        "--cache", type=Path, help="where vaults are kept for another run, on the disk that is measured"
    )
    parser.add_argument(
        "--work", type=Path, help="where to work, on the disk that is to be measured (default: temporary)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    options = parser.parse_args()
    options.sizes = sorted(options.sizes or (QUICK_SIZES if options.quick else SIZES))
    return options


def measured(bench: Bench, names: Sequence[str], sizes: Sequence[int]) -> Iterator[Row]:
    """Each row, at the sizes it is measured at; one that fails says so, and the others go on."""
    for name in (name for name in ORDER if name in names):
        for size in sizes if name in EACH else sizes[-1:] if name in LARGEST else sizes[:1]:
            started = time.perf_counter()
            for row in whole(name, bench, size):
                print(f"{time.perf_counter() - started:5.0f} s  {'  '.join(cells(row))}", file=sys.stderr, flush=True)
                yield row


def whole(name: str, bench: Bench, size: int) -> Iterator[Row]:
    """All of a row, or what made it fail; of a quick run without bars, which are for the sizes of the table."""
    try:
        for row in ROWS[name](bench, size):
            yield row.without_bars() if bench.scale is QUICK else row
    except Exception as error:  # noqa: BLE001 - whatever it is, it is that row's result
        yield Row(name, size, "", (), failed=f"{type(error).__name__}: {error}")


def as_json(facts: dict[str, str | float], bench: Bench, rows: Sequence[Row]) -> dict[str, object]:
    listed = [asdict(row) | {"verdict": row.verdict} for row in rows]
    return {"machine": facts, "scale": asdict(bench.scale), "rows": listed}


def table(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    head = ("row", "pages", "what", "measured", "bar", "", "published elsewhere, not measured here")
    return [head, *map(cells, rows)]


def cells(row: Row) -> tuple[str, ...]:
    figures = row.failed or " · ".join(figure.text for figure in row.figures)
    bars = " · ".join(figure.bar_text for figure in row.figures if figure.bar is not None)
    return (row.name, f"{row.pages:,}", row.what, figures, bars, row.verdict, row.beside)


def text(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    padded = ([cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in lines)
    return "\n".join("  ".join(line).rstrip() for line in padded)


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Without the rows' names, which are for the command line."""
    head, *rest = (line[1:] for line in lines)
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *rest))


if __name__ == "__main__":
    main()
