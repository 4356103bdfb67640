"""Several who write at once: processes, threads, and a person's editor. They meet at barriers; nobody sleeps."""

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing.pool import Pool
from multiprocessing.synchronize import Barrier
from pathlib import Path
from threading import Barrier as ThreadBarrier

import pytest

from kit import ADA, Clock, run_git
from memory_wiki.errors import Conflict
from memory_wiki.page.change import Plan, Replace
from memory_wiki.page.edit import Whole
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, on_disk, staged

N = 4
LONG = 60.0  # seconds after which those who wait for each other give up
Work = Callable[[Wiki, "Job"], str]
_MEETING: list[Barrier] = []  # of a process of the crew, one


@dataclass(frozen=True)
class Job:
    """What one process of the crew is told."""

    number: int
    root: Path
    home: str
    path: PagePath
    version: Version

    @property
    def text(self) -> str:
        return f"Written by number {self.number}.\n"


def apply(wiki: Wiki, job: Job) -> str:
    """A plan made before anyone wrote, so that the vault alone can tell."""
    plan = Plan("edit", "P", (Replace(job.path, job.text.encode(), job.version),))
    return wiki.vault.apply(plan, ADA, datetime.now(UTC)).commit


def edit(wiki: Wiki, job: Job) -> str:
    return wiki.edit(job.path, (Whole(job.text),), job.version).commit


def remember_three(wiki: Wiki, job: Job) -> str:
    return " ".join(wiki.remember(wish(f"Of {job.number} page {n}")).commit for n in range(3))


def remember_the_same(wiki: Wiki, job: Job) -> str:
    return wiki.remember(wish("The same", job.text)).commit


def wish(title: str, text: str = "") -> Wish:
    return Wish(Memory(text or f"All about {title}.", title=title), "")


def at_once(work: Work, job: Job) -> str:
    """In a process of the crew: opens the vault, waits for the others, works."""
    os.environ["HOME"] = job.home
    with Wiki.open(job.root, job.root, ADA) as wiki:
        _MEETING[0].wait(LONG)
        try:
            return work(wiki, job)
        except Conflict as error:
            return error.code


def _join(barrier: Barrier) -> None:
    _MEETING.append(barrier)


@pytest.fixture(scope="module")
def crew() -> Iterator[Pool]:
    """Processes that start empty, as other programs do; each waits within its job, so that each gets one."""
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(N, _join, (spawn.Barrier(N),)) as pool:
        yield pool


@pytest.fixture
def page(wiki: Wiki) -> Written:
    return wiki.remember(wish("P"))


@pytest.fixture
def together(crew: Pool, wiki: Wiki, page: Written, home: Path) -> Callable[[Work], list[str]]:
    """Has all of the crew do the same work at once; gives what each came to."""

    def run(work: Work) -> list[str]:
        jobs = [(work, Job(number, wiki.vault.root, str(home), page.path, page.version)) for number in range(N)]
        return crew.starmap_async(at_once, jobs, chunksize=1).get(LONG)

    return run


def commits(root: Path, *paths: str) -> list[str]:
    return run_git(root, "log", "--format=%H", "--", *paths).splitlines()


def assert_no_lock_is_left(root: Path) -> None:
    with acquired(FileLock(root / ".memory-wiki" / "lock"), 0, "somebody holds it"):
        assert not list((root / ".git").rglob("*.lock"))
        assert not list((root / ".memory-wiki" / "tmp").iterdir())


@pytest.mark.parametrize("work", [apply, edit])
def test_of_processes_that_expect_one_version_one_succeeds_and_the_others_are_told(
    work: Work, together: Callable[[Work], list[str]], wiki: Wiki, page: Written
) -> None:
    """The first takes a second: four Pythons start."""
    results = together(work)
    assert results.count("conflict") == N - 1
    won = next(commit for commit in results if commit != "conflict")
    assert_agrees(wiki)
    assert commits(wiki.vault.root, page.path) == [won, page.commit]
    assert run_git(wiki.vault.root, "show", f"{won}:{page.path}") + "\n" == f"Written by number {results.index(won)}.\n"
    assert staged(wiki.vault.root) == set()
    assert_no_lock_is_left(wiki.vault.root)


def test_processes_that_write_different_pages_all_succeed_with_a_commit_each(
    together: Callable[[Work], list[str]], wiki: Wiki
) -> None:
    before = commits(wiki.vault.root)
    made = " ".join(together(remember_three)).split()
    assert_agrees(wiki)
    assert {f"global/notes/of-{i}-page-{n}.md" for i in range(N) for n in range(3)} <= on_disk(wiki.vault.root).keys()
    assert sorted(commits(wiki.vault.root)) == sorted([*made, *before])
    assert staged(wiki.vault.root) == set()
    assert_no_lock_is_left(wiki.vault.root)


def test_processes_that_write_under_one_title_at_once_get_a_page_each(
    together: Callable[[Work], list[str]], wiki: Wiki
) -> None:
    together(remember_the_same)
    assert_agrees(wiki)
    pages = on_disk(wiki.vault.root)
    names = ["the-same", *(f"the-same-{n}" for n in range(2, N + 1))]
    texts = {pages[f"global/notes/{name}.md"].decode().rpartition("---\n")[2] for name in names}
    assert texts == {f"Written by number {number}.\n" for number in range(N)}
    assert_no_lock_is_left(wiki.vault.root)


@pytest.fixture(params=["one wiki for all", "a wiki each"])
def wikis(request: pytest.FixtureRequest, wiki: Wiki, clock: Clock) -> Iterator[list[Wiki]]:
    """What each of the threads has in hand."""
    if request.param == "one wiki for all":
        yield [wiki] * N
        return
    with ExitStack() as stack:
        yield [stack.enter_context(Wiki.open(wiki.vault.root, wiki.here, ADA, clock.chance)) for _ in range(N)]


def by_threads(wikis: list[Wiki], work: Callable[[Wiki, int], str]) -> list[str]:
    barrier = ThreadBarrier(N)

    def run(number: int) -> str:
        barrier.wait(LONG)
        try:
            return work(wikis[number], number)
        except Conflict as error:
            return error.code

    with ThreadPoolExecutor(N) as pool:
        return list(pool.map(run, range(N), timeout=LONG))


def test_threads_that_write_under_one_title_at_once_get_a_page_each(wikis: list[Wiki]) -> None:
    paths = by_threads(wikis, lambda wiki, number: wiki.remember(wish("The same", f"Number {number}")).path)
    assert_agrees(wikis[0])
    assert set(paths) == on_disk(wikis[0].vault.root).keys()
    assert len(set(paths)) == N
    assert_no_lock_is_left(wikis[0].vault.root)


def test_of_threads_that_expect_one_version_one_succeeds_and_the_others_are_told(
    wikis: list[Wiki], page: Written
) -> None:
    change = [(Whole(f"Number {number}\n"),) for number in range(N)]
    results = by_threads(wikis, lambda wiki, number: wiki.edit(page.path, change[number], page.version).commit)
    assert results.count("conflict") == N - 1
    assert_agrees(wikis[0])
    assert len(commits(wikis[0].vault.root, page.path)) == 1 + 1
    assert_no_lock_is_left(wikis[0].vault.root)


def test_a_save_between_our_look_and_our_write_is_not_lost(
    wiki: Wiki, page: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person saves while our text is being synced, after we have compared versions."""
    file = wiki.vault.root / page.path
    fsync = os.fsync

    def saved_meanwhile(descriptor: int) -> None:
        monkeypatch.setattr(os, "fsync", fsync)
        file.write_text("A person's words\n", encoding="utf-8")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", saved_meanwhile)
    with pytest.raises(Conflict):
        wiki.edit(page.path, (Whole("Our words\n"),), page.version)
    assert_agrees(wiki)
    assert file.read_text(encoding="utf-8") == "A person's words\n"
