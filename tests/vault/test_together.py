"""Threads whose writes are done in groups: each gets its own outcome, and nobody waits for ever."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from effects import watched
from kit import ADA, PATIENCE, run_git, until
from memory_wiki.config import Config
from memory_wiki.errors import Broken, Conflict, MemoryWikiError
from memory_wiki.page.change import Create, Plan, Replace
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.vault.job import Applied, Job, Taken
from memory_wiki.vault.together import Together
from memory_wiki.vault.vault import Vault

MANY = 7


class Asked:
    """A `Together` whose first job is being done until it is `released`, so that those who ask next are one group."""

    def __init__(self, do: Callable[[Sequence[int]], Sequence[int | MemoryWikiError]]) -> None:
        self.groups: list[list[int]] = []
        self.released = Event()
        self._do = do
        self.together = Together(self.do)

    def do(self, jobs: Sequence[int]) -> Sequence[int | MemoryWikiError]:
        self.groups.append(list(jobs))
        if len(self.groups) == 1:
            assert self.released.wait(PATIENCE)
        return self._do(jobs)

    @contextmanager
    def threads(self, jobs: Sequence[int]) -> Iterator[list[Future[int]]]:
        """A thread for each job, in that order, the first of them at work; released at the end."""
        with ThreadPoolExecutor(len(jobs)) as pool:
            asked: list[Future[int]] = []
            for number, job in enumerate(jobs):
                asked.append(pool.submit(self.together.ask, job))
                until(lambda: len(self.groups) == 1 and len(self.together._queue) == number)  # noqa: B023
            yield asked
            self.released.set()


def test_those_who_come_while_one_is_at_work_are_the_next_group() -> None:
    asked = Asked(lambda jobs: [job * 10 for job in jobs])
    with asked.threads(range(MANY)) as futures:
        pass
    assert [future.result(PATIENCE) for future in futures] == [job * 10 for job in range(MANY)]
    assert asked.groups == [[0], list(range(1, MANY))]
    assert asked.together.ask(99) == 990


def test_an_error_of_one_job_reaches_its_own_thread_alone() -> None:
    asked = Asked(lambda jobs: [Broken(f"no {job}") if job == 3 else job for job in jobs])
    with asked.threads(range(MANY)) as futures:
        pass
    assert [str(future.exception(PATIENCE) or "") for future in futures] == ["", "", "", "no 3", "", "", ""]


@pytest.mark.parametrize(
    ("error", "others"), [(Broken("the disk is full"), "the disk is full"), (KeyboardInterrupt(), "was stopped")]
)
def test_what_stops_a_group_reaches_all_of_it_and_the_next_goes_on(error: BaseException, others: str) -> None:
    def do(jobs: Sequence[int]) -> Sequence[int]:
        if 1 in jobs:
            raise error
        return jobs

    asked = Asked(do)
    with asked.threads(range(MANY)) as futures:
        pass
    first, leader, *rest = futures
    assert first.result(PATIENCE) == 0
    assert isinstance(leader.exception(PATIENCE), type(error))
    assert all(others in str(future.exception(PATIENCE)) for future in rest)
    assert asked.together.ask(9) == 9


def test_who_is_interrupted_while_waiting_holds_up_nobody() -> None:
    """Ctrl-C reaches the main thread, which waits here as the next to lead."""

    class Interrupted(BaseException):
        """As `KeyboardInterrupt`, which pytest would take for its own."""

    def interrupt(*_: object) -> None:
        raise Interrupted

    asked = Asked(lambda jobs: jobs)
    before = signal.signal(signal.SIGUSR1, interrupt)
    main = threading.main_thread().ident
    assert main is not None
    with ThreadPoolExecutor(3) as pool:

        def ask_after_the_main_thread() -> int:
            until(lambda: len(asked.together._queue) == 1)
            late = pool.submit(asked.together.ask, 2)
            until(lambda: len(asked.together._queue) == 2)
            signal.pthread_kill(main, signal.SIGUSR1)
            until(lambda: len(asked.together._queue) == 1)
            asked.released.set()
            return late.result(PATIENCE)

        first = pool.submit(asked.together.ask, 0)
        until(lambda: len(asked.groups) == 1)
        last = pool.submit(ask_after_the_main_thread)
        try:
            with pytest.raises(Interrupted):
                asked.together.ask(1)
        finally:
            signal.signal(signal.SIGUSR1, before)
        assert (first.result(PATIENCE), last.result(PATIENCE)) == (0, 2)
    assert asked.groups == [[0], [2]]


def test_threads_that_were_served_together_come_together_again() -> None:
    """Their leader waits for them in small steps; else each group would be of those alone who are back first."""
    rounds = 5
    asked = Asked(lambda jobs: jobs)

    def write(job: int) -> list[int]:
        return [asked.together.ask(job) for _ in range(rounds)]

    with ThreadPoolExecutor(MANY) as pool:
        threads = [pool.submit(write, job) for job in range(MANY)]
        until(lambda: len(asked.together._queue) == MANY - 1)
        asked.released.set()
        assert [thread.result(PATIENCE) for thread in threads] == [[job] * rounds for job in range(MANY)]
    assert len(asked.groups) <= MANY * rounds // 2


@pytest.fixture
def vault(root: Path) -> Iterator[Vault]:
    opened = Vault(root, Config())
    yield opened
    opened.close()


def test_threads_that_write_at_once_share_one_run_of_git_and_get_a_commit_each(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, released = Event(), Event()
    page = PagePath("taken.md")

    def job(number: int) -> Job:
        def plan(_taken: Taken) -> Plan:
            if number == 0:
                begun.set()
                assert released.wait(PATIENCE)
            if number == MANY:  # made for a version that the page does not have
                return Plan("edit", "page", (Replace(page, b"other\n", version_of(b"never there\n")),))
            path = page if number == 0 else PagePath(f"page {number}.md")
            return Plan("remember", f"page {number}", (Create(path, b"%d\n" % number),))

        return Job(plan, ADA, datetime.now(UTC))

    effects = watched(monkeypatch)
    with effects.counted() as happened, ThreadPoolExecutor(MANY + 1) as pool:
        asked: list[Future[Applied]] = [pool.submit(vault.write, job(0))]
        assert begun.wait(PATIENCE)
        asked += [pool.submit(vault.write, job(number)) for number in range(1, MANY + 1)]
        until(lambda: len(vault._together._queue) == MANY)
        released.set()
    assert happened.count("git fast-import") == len(["of the first", "of all the others"])
    assert isinstance(asked.pop().exception(), Conflict)
    made = [future.result().commit for future in asked]
    assert set(run_git(vault.root, "log", "--format=%H", f"-{MANY}").splitlines()) == set(made)
    assert len(set(made)) == MANY


def test_who_is_interrupted_while_lingering_for_others_leaves_the_lead_to_them(monkeypatch: pytest.MonkeyPatch) -> None:
    together = Together[int, int](lambda jobs: [2 * job for job in jobs])
    together._last = 2

    def interrupted(_self: object) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(Together, "_linger", interrupted)
    with pytest.raises(KeyboardInterrupt):
        together.ask(1)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(together.ask, 2).result(PATIENCE) == 4
