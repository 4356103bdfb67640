"""Minutes of everything at once on one vault, and then the proof that nothing was lost and nothing grew.

    python benchmarks/soak.py                          # ten minutes on 10,000 pages
    python benchmarks/soak.py --minutes 1 --pages 500
    python benchmarks/soak.py --cache ~/.cache/memory-wiki-benchmark --json soak.json

Four processes write (two of them watch the folder, with four threads each), `memory-wiki watch` runs, an editor saves
pages in four ways, and a second clone commits and is pulled. Each write that was acknowledged is written down by
whoever made it, and some are asked for at once. At the end `memory-wiki check --index` is clean, each of those writes
is one commit of HEAD's history (but for one that git's own `pull` set the branch back from, as README says it may; its
text is then there as an outside edit), what the editor saved last is what HEAD has, all that was asked for was found,
and git's own `fsck` finds nothing; exits with 1 where one of these does not hold. Prints the memory and open files of
each process after a quarter of the time, and at the end.
"""

import argparse
import json
import multiprocessing
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random

from holding import ADA
from measuring import command, run
from memories import Author
from memory_wiki.errors import MemoryWikiError
from memory_wiki.page.edit import Append
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki
from vaults import Vaults, paths

SAMPLE = 10.0  # seconds between two readings of memory and open files
PAUSE = 0.05  # seconds that the editor rests, and the puller before it tries again
PULLS = 100  # tries
PACE = (0.0, 0.2)  # seconds between two writes of a thread
ROUND, REST = 15.0, 4.0  # seconds, at the end of each of which writers and editor rest, or nobody could ever pull
Sample = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Task:
    """What a process of the soak works on, and where it writes down what came of it."""

    root: Path
    number: int
    notes: Path
    ended: Event

    @property
    def watches(self) -> bool:
        return self.number % 2 == 0


def main() -> None:
    options = arguments()
    work = Path(tempfile.mkdtemp(prefix="memory-wiki-soak-"))
    vaults = Vaults(work, options.cache or work / "cache", None)
    result = {**soak(vaults.copy(options.pages), work, options.minutes), "kept": str(work)}
    if result["ok"]:
        shutil.rmtree(work, ignore_errors=True)  # where git may still be putting packs together behind
        result["kept"] = ""
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2), encoding="utf-8")
    sys.exit(0 if result["ok"] else 1)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default 10)")
    parser.add_argument("--pages", type=int, default=10_000, help="of the vault at first (default 10,000)")
    parser.add_argument("--cache", type=Path, help="a folder that keeps the vault for another time")
    parser.add_argument("--json", type=Path, help="also write the result there")
    return parser.parse_args()


def soak(root: Path, work: Path, minutes: float) -> dict[str, object]:
    spawn = multiprocessing.get_context("spawn")
    ended = spawn.Event()
    notes = work / "notes"
    notes.mkdir()
    other = work / "other"
    run("git", "clone", "--quiet", root, other)
    workers = [spawn.Process(target=write, args=(Task(root, n, notes, ended),)) for n in range(4)]
    workers += [spawn.Process(target=save, args=(Task(root, 4, notes, ended),))]
    workers += [spawn.Process(target=pull, args=(Task(root, 5, notes, ended), other))]
    for worker in workers:
        worker.start()
    with (notes / "watch.out").open("wb") as out:
        watcher = subprocess.Popen([command(), "watch", "--vault", root], stdout=out, stderr=subprocess.STDOUT)
        pids = {f"process {n}": worker.pid or 0 for n, worker in enumerate(workers)} | {"watch": watcher.pid}
        samples = sample_until(time.monotonic() + 60 * minutes, pids)
        ended.set()
        for worker in workers:
            worker.join(120)
        watcher.send_signal(signal.SIGINT)
        code = watcher.wait(60)
    return verdict(root, notes, samples, [worker.exitcode for worker in workers] + [code])


def write(task: Task) -> None:
    """One process that writes: alone, or four threads on a wiki that watches."""
    with Wiki.open(task.root, task.root, ADA) as wiki:
        if task.watches:
            wiki.watch()
        count = 4 if task.watches else 1
        threads = [threading.Thread(target=_write_on, args=(wiki, task, n)) for n in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def _write_on(wiki: Wiki, task: Task, thread: int) -> None:
    author, chance = Author(f"w{task.number}t{thread}"), Random(task.number * 10 + thread)  # noqa: S311
    mine: list[str] = []
    with (task.notes / f"written {task.number} {thread}").open("w", encoding="utf-8", buffering=1) as notes:
        while not task.ended.is_set():
            try:
                if mine and chance.random() < 0.3:  # noqa: PLR2004
                    done = wiki.edit(chance.choice(mine), (Append(f"More from {task.number} {thread}."),))
                else:
                    wish, own = author.wish()
                    done = wiki.remember(wish)
                    mine.append(done.path)
                    if chance.random() < 0.2 and not wiki.recall(Question(own, project="")).hits:  # noqa: PLR2004
                        notes.write(f"unfound {done.path}\n")
                notes.write(f"{done.commit} {done.version} {done.path}\n")
            except MemoryWikiError as error:
                notes.write(f"refused {error.code}\n")
            rest(chance.uniform(*PACE))


def rest(seconds: float) -> None:
    """So long, and to the end of a round's rest."""
    time.sleep(seconds)
    if (left := ROUND - time.time() % ROUND) < REST:
        time.sleep(left)


def save(task: Task) -> None:
    """An editor: saves pages that nobody else writes to, in the ways that editors have."""
    chance = Random(4)  # noqa: S311 - nothing secret
    pages = [path for path in paths(task.root) if path.startswith("projects/")][:50]
    saved: dict[str, str] = {}
    for number in range(10_000_000):
        if task.ended.is_set():
            break
        path = chance.choice(pages)
        text = f"---\ntitle: {Path(path).stem}\n---\nSaved by hand, time {number}.\n"
        WAYS[number % len(WAYS)](task.root / path, text)
        saved[path] = text
        rest(PAUSE)
    (task.notes / "saved.json").write_text(json.dumps(saved), encoding="utf-8")


def _in_place(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8") as page:
        page.write(text[: len(text) // 2])
        page.flush()
        time.sleep(PAUSE)
        page.write(text[len(text) // 2 :])


def _beside(file: Path, text: str) -> None:
    new = file.with_suffix(".tmp")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def _backup(file: Path, text: str) -> None:
    old = file.with_suffix(".md~")
    file.rename(old)
    file.write_text(text, encoding="utf-8")
    old.unlink()


def _anew(file: Path, text: str) -> None:
    file.unlink()
    file.write_text(text, encoding="utf-8")


WAYS = (_in_place, _beside, _backup, _anew)


def pull(task: Task, other: Path) -> None:
    """Commits in a second clone, and pulls that into the vault, which makes merges; what git refuses is tried again."""
    outcomes: Counter[str] = Counter()
    for number in range(10_000_000):
        if task.ended.is_set():
            break
        page = other / "global" / "notes" / f"from elsewhere {number}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(f"Written elsewhere, number {number}.\n", encoding="utf-8")
        _said(other, "add", "--all")
        _said(other, "commit", "--quiet", "--message", f"elsewhere {number}")
        for _ in range(PULLS):
            if task.ended.wait(PAUSE) or _out(task.root, "status", "--porcelain"):
                outcomes["not clean just now"] += 1
                continue  # as the careful wait: git itself may undo what is saved while it merges into a dirty tree
            said = _said(task.root, "pull", "--quiet", "--no-rebase", "--no-edit", str(other), "main")
            outcomes[said or "pulled"] += 1
            if not said:
                break
            _said(task.root, "merge", "--quit")  # not --abort nor reset, which set the branch back without looking
            _said(task.root, "read-tree", "HEAD")
        task.ended.wait(1.0)
    (task.notes / "pulled.json").write_text(json.dumps(outcomes), encoding="utf-8")


def _said(folder: Path, *args: str) -> str:
    """What git complained of, in a line without names; "" for nothing."""
    identity = ("-c", "user.name=Bob", "-c", "user.email=bob@example.org")
    done = subprocess.run(["git", "-C", folder, *identity, *args], check=False, capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if line.startswith(("error", "fatal"))] or ["failed"]
    return re.sub(r"[0-9a-f]{40}|'[^']*'", "…", lines[0])[:100] if done.returncode else ""


def sample_until(end: float, pids: dict[str, int]) -> list[Sample]:
    """Resident KB and open files of each process, every ten seconds."""
    samples = []
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(SAMPLE, left))
        samples.append({name: _size(pid) for name, pid in pids.items()})
    return samples


def _size(pid: int) -> tuple[int, int]:
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        resident = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        return resident, len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return 0, 0


def verdict(root: Path, notes: Path, samples: list[Sample], codes: list[int | None]) -> dict[str, object]:
    """Whether all that was acknowledged is there, and what else there is to say."""
    lines = [line.split(" ", 2) for file in notes.glob("written *") for line in file.read_text("utf-8").splitlines()]
    done = [line for line in lines if line[0] not in {"refused", "unfound"}]
    refused = Counter(line[1] for line in lines if line[0] == "refused")
    history = Counter(_out(root, "log", "--format=%H").split())
    gone = [line for line in done if history[line[0]] != 1]
    set_back = [line for line in gone if _is_set_back(root, *line)]
    missing = [line for line in gone if line not in set_back]
    saved = json.loads((notes / "saved.json").read_text(encoding="utf-8"))
    check = subprocess.run([command(), "check", "--index", "--json", "--vault", root], check=False, capture_output=True)
    proof = json.loads(check.stdout)["index"]
    lost = [path for path, text in saved.items() if _out(root, "show", f"HEAD:{path}") != text]
    fsck = not _said(root, "fsck", "--no-dangling", "--no-progress")
    quarter = samples[len(samples) // 4] if samples else {}
    grown = {name: [quarter[name], samples[-1][name]] for name in quarter}
    unfound = sum(line[0] == "unfound" for line in lines)
    wrong = (missing, lost, unfound, proof["differing"], proof["uncommitted"], any(codes), not fsck)
    return {
        "ok": not any(wrong),
        "acknowledged": len(done),
        "missing": missing[:5],
        "set_back_by_git": len(set_back),
        "refused": dict(refused),
        "unfound": unfound,
        "saved_by_hand": len(saved),
        "lost": lost[:5],
        "index": {name: proof[name] if name == "pages" else proof[name][:5] for name in proof},
        "fsck": fsck,
        "pulled": json.loads((notes / "pulled.json").read_text(encoding="utf-8")),
        "exit_codes": codes,
        "commits": sum(history.values()),
        "git_kb": _kb(root / ".git"),
        "kb_and_files_after_a_quarter_and_at_the_end": grown,
        "watch": (notes / "watch.out").read_text(encoding="utf-8", errors="replace").splitlines()[-3:],
    }


def _is_set_back(root: Path, commit: str, version: str, path: str) -> bool:
    """Whether git's own reflog says that a pull of the person's set the branch back from this commit without looking,
    as a `git reset` does, and the text of the page is in history all the same.
    """
    moves = (root / ".git" / "logs" / "refs" / "heads" / "main").read_text(encoding="utf-8").splitlines()
    is_set_back = any(move.startswith(f"{commit} ") and move.endswith(": updating HEAD") for move in moves)
    return is_set_back and version in _out(root, "log", "--format=", "--raw", "--no-abbrev", "--", path)


def _out(root: Path, *args: str) -> str:
    return subprocess.run(["git", "-C", root, *args], check=True, capture_output=True, text=True).stdout


def _kb(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) // 1024


if __name__ == "__main__":
    main()
