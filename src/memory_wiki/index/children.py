"""Child processes that share out work of ours, as threads of Python share one processor.

They speak pickle over pipes; `multiprocessing` would import the caller's main module again. Where a child can't be had,
can't be told its work or dies, that work is done here instead.
"""

import gc
import logging
import os
import pickle
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, Self, TypeVar

log = logging.getLogger(__name__)

J = TypeVar("J")
R = TypeVar("R")
MANY = 800  # jobs: below, a child's start (0.2 s) costs more than it saves, at 0.4 ms a job
CHUNK = 40  # jobs handed over at a time
MOST_CHILDREN = 4
GARBAGE = 50_000  # objects made between two searches for cycles, of which our work makes none: a tenth of its time
AHEAD = 3  # chunks a child may be ahead of who takes them, so that memory stays bounded


class Children:
    """As many as pay off for so many jobs, and none for few. Use it in a `with`; threads may share it."""

    def __init__(self, jobs: int) -> None:
        processors = min(os.cpu_count() or 1, MOST_CHILDREN)
        self._children = [_Child() for _ in range(processors)] if jobs >= MANY and processors > 1 else []
        self._idle: SimpleQueue[_Child] = SimpleQueue()
        self._talking = ThreadPoolExecutor(max(1, len(self._children)))  # a thread is started when first needed

    def __enter__(self) -> Self:
        for child in self._children:
            child.start()
            self._idle.put(child)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._talking.shutdown(cancel_futures=True)
        for child in self._children:
            child.stop()

    def map(self, work: Callable[[Sequence[J]], Sequence[R]], jobs: Sequence[J]) -> Iterator[R]:
        """What `work` makes of the jobs, in order. It is a function of a module, and knows nothing of this process."""
        chunks = (jobs[start : start + CHUNK] for start in range(0, len(jobs), CHUNK))
        if not self._children:
            yield from (done for chunk in chunks for done in work(chunk))
            return
        waiting: deque[Future[Sequence[R]]] = deque()
        for chunk in chunks:
            waiting.append(self._talking.submit(self._ask_one, work, chunk))
            if len(waiting) > AHEAD * len(self._children):
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

    def _ask_one(self, work: Callable[[Sequence[J]], Sequence[R]], jobs: Sequence[J]) -> Sequence[R]:
        child = self._idle.get()
        try:
            return child.ask(work, jobs)
        finally:
            self._idle.put(child)


class _Child:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # -P, and no "" in the path: nothing is imported from the directory that one happens to stand in
        code = f"import {__name__} as children; children.serve()"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
        except OSError as error:
            log.warning("no process to share work with: %s", error)

    def ask(self, work: Callable[[Sequence[J]], Sequence[R]], jobs: Sequence[J]) -> Sequence[R]:
        try:
            asked = pickle.dumps((work, jobs), pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:  # of this process alone, such as a closure
            log.info("done here, not in a process of its own: %s", error)
            return work(jobs)
        try:
            if self._process is not None and self._process.stdin and self._process.stdout:
                _send(asked, self._process.stdin)
                done: Sequence[R] = _received(self._process.stdout)
                return done
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            log.warning("a process that shared our work died: %r", error)
            self.stop()
        return work(jobs)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def serve() -> None:
    """What a child does until its standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for our parent, who ends us
    gc.set_threshold(GARBAGE)
    while True:
        try:
            work, jobs = _received(sys.stdin.buffer)
        except EOFError:
            return
        _send(pickle.dumps(work(jobs), pickle.HIGHEST_PROTOCOL), sys.stdout.buffer)


def _send(data: bytes, to: IO[bytes]) -> None:
    to.write(data)
    to.flush()


def _received(source: IO[bytes]) -> Any:  # noqa: ANN401 - what the other end was asked for
    return pickle.load(source)  # noqa: S301 - from our own parent, or child
