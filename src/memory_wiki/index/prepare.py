"""Pages read and cut into records, by several processes where there are many: parsing is what a first opening costs.

The processes are children of ours that speak pickle over pipes; `multiprocessing` would import the caller's main
module again. Where a child can't be had or dies, its pages are prepared here instead.
"""

import logging
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Self

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.entries import Entry
from memory_wiki.index.kept import Prepared
from memory_wiki.index.records import prepared
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import project_of
from memory_wiki.vault import files

log = logging.getLogger(__name__)

MANY = 800  # pages: below, a child's start (0.2 s) costs more than it saves, at 0.4 ms a page
CHUNK = 40  # pages handed over at a time
MOST_CHILDREN = 4
AHEAD = 3  # chunks a child may be ahead of the index, so that memory stays bounded


@dataclass(frozen=True, slots=True)
class Job:
    """A page to read, and who last changed it when."""

    path: PagePath
    author: str
    changed: datetime
    language: str = ""
    """What it is taken for where it can't be told."""


def prepare(root: Path, jobs: Sequence[Job]) -> Iterator[Prepared]:
    """Each page that can be read, as it is on disk now; in order, and without those that can't."""
    children = min(os.cpu_count() or 1, MOST_CHILDREN)
    if len(jobs) < MANY or children == 1:
        yield from prepare_here(root, jobs)
        return
    with ExitStack() as stack:
        idle: SimpleQueue[_Child] = SimpleQueue()
        for _ in range(children):
            idle.put(stack.enter_context(_Child(root)))
        pool = stack.enter_context(ThreadPoolExecutor(children))
        waiting: deque[Future[list[Prepared]]] = deque()
        for start in range(0, len(jobs), CHUNK):
            waiting.append(pool.submit(_ask_one_of, idle, jobs[start : start + CHUNK]))
            if len(waiting) > children * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def prepare_here(root: Path, jobs: Sequence[Job]) -> Iterator[Prepared]:
    """The same, in this process."""
    for job in jobs:
        try:
            page = parse(job.path, files.read(root, job.path))
        except (PageNotFound, BadPath, Broken) as error:
            log.info("not indexed: %s", error)
            continue
        yield prepared(Entry(page, project_of(job.path), job.author, job.changed, job.language))


class _Child:
    """A process that prepares pages of one vault."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        # -P, and no "" in the path: nothing is imported from the directory that one happens to stand in
        code = f"import {__name__} as prepare; prepare.serve()"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
        except OSError as error:
            log.warning("no process to prepare pages in: %s", error)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def ask(self, jobs: Sequence[Job]) -> list[Prepared]:
        try:
            if self._process is not None and self._process.stdin and self._process.stdout:
                _send((self._root, jobs), self._process.stdin)
                return _received(self._process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            log.warning("a process that prepares pages died: %r", error)
            self._stop()
        return list(prepare_here(self._root, jobs))

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _ask_one_of(idle: "SimpleQueue[_Child]", jobs: Sequence[Job]) -> list[Prepared]:
    child = idle.get()
    try:
        return child.ask(jobs)
    finally:
        idle.put(child)


def serve() -> None:
    """What a child does until its standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for our parent, who ends us
    while True:
        try:
            root, jobs = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent
        except EOFError:
            return
        _send(list(prepare_here(root, jobs)), sys.stdout.buffer)


def _send(value: object, to: IO[bytes]) -> None:
    pickle.dump(value, to, pickle.HIGHEST_PROTOCOL)
    to.flush()


def _received(source: IO[bytes]) -> list[Prepared]:
    found: list[Prepared] = pickle.load(source)  # noqa: S301 - from our own child
    return found
