"""Child processes that share out work of ours, as threads of Python share one processor.

Work is a function of a module that needs nothing of this process: pages are prepared so, and memories composed. They
speak pickle over pipes; `multiprocessing` would import the caller's main module again. Where a child can't be had,
can't be told its work or fails at it, that work is done here instead.
"""

import gc
import logging
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, Self, TypeVar

log = logging.getLogger(__name__)

J = TypeVar("J")
R = TypeVar("R")
MANY = 800  # jobs: below, a child's start (0.2 s) costs more than it saves, at 0.4 ms a job
CHUNK = 40  # jobs handed over at a time
MOST_CHILDREN = 4
ANSWER = b"memory-wiki answers\n"  # the line before each
GARBAGE = 50_000  # objects made between two searches for cycles, of which our work makes none: a tenth of its time
AHEAD = 3  # chunks a child may be ahead of who takes them, so that memory stays bounded


class Children:
    """As many as pay off for so many jobs, and none for few. Use it in a `with`; threads may share it."""

    def __init__(self, jobs: int) -> None:
        most = min(processors(), MOST_CHILDREN)
        self._children = [_Child() for _ in range(most)] if jobs >= MANY and most > 1 else []
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


def processors() -> int:
    """Those that this process may use, where the system tells."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


class _Child:
    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        # -P, and no "" in the path: nothing is imported from the directory that one happens to stand in
        code = f"import {__name__} as children; children.serve()"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, map(str, sys.path)))}
        if not sys.executable:  # Python is a part of some other program
            return
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                process_group=0,  # Ctrl-C is for us, who end it
            )
        except (OSError, ValueError) as error:
            log.warning("no process to share work with: %s", error)

    def ask(self, work: Callable[[Sequence[J]], Sequence[R]], jobs: Sequence[J]) -> Sequence[R]:
        """What `work` makes of the jobs, there or here; raises what it raises."""
        try:
            asked = pickle.dumps((work, jobs), pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 - pickle runs code of whatever it is given
            log.info("done here, not in a process of its own: %s", error)
            return work(jobs)
        try:
            if self._process is not None and self._process.stdin and self._process.stdout:
                self._process.stdin.write(asked)
                self._process.stdin.flush()
                done: Sequence[R] | None = _answer(self._process.stdout)
                if done is not None:
                    return done
        except Exception as error:  # noqa: BLE001 - what is no answer may be anything
            log.warning("a process that shared our work died: %r", error)
            self.stop()
        return work(jobs)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _answer(source: IO[bytes]) -> Any:  # noqa: ANN401 - what the other end was asked for
    """Whatever Python or its environment print as it starts comes before, and is passed over."""
    while (line := source.readline()) != ANSWER:
        if not line:
            raise EOFError
    return pickle.load(source)  # noqa: S301 - from our own child


def serve() -> None:
    """What a child does until its standard input ends. What else is printed there goes where errors go."""
    gc.set_threshold(GARBAGE)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with suppress(EOFError, BrokenPipeError):  # our parent is done, or gone
        while True:
            answers.write(b"\n" + ANSWER + _done())
            answers.flush()


def _done() -> bytes:
    """What our parent asks for; None for work that fails: it will fail there as well, where somebody hears of it."""
    try:
        work, jobs = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own parent
        return pickle.dumps(work(jobs), pickle.HIGHEST_PROTOCOL)
    except EOFError:
        raise
    except Exception:  # noqa: BLE001 - as said
        return pickle.dumps(None)
