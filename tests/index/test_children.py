"""Work shared out to several processes comes back as one process does it, whatever becomes of them."""

import os
import pickle
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kit import START
from memory_wiki import errors
from memory_wiki.index import children
from memory_wiki.index.children import Children
from memory_wiki.index.prepare import Job, prepare, prepare_by
from memory_wiki.page.path import PagePath

NUMBERS = list(range(children.MANY))


def hexadecimal(numbers: Sequence[int]) -> list[str]:
    return [*map(hex, numbers)]


def test_what_children_do_comes_in_order_and_threads_may_ask_at_once() -> None:
    with Children(len(NUMBERS)) as many, ThreadPoolExecutor(4) as pool:
        found = [pool.submit(lambda: list(many.map(hexadecimal, NUMBERS))) for _ in range(4)]
        assert [one.result() for one in found] == 4 * [hexadecimal(NUMBERS)]


def test_few_jobs_are_done_without_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with Children(children.MANY - 1) as none:
        assert list(none.map(hexadecimal, NUMBERS)) == hexadecimal(NUMBERS)


def processes(numbers: Sequence[int]) -> list[int]:
    return [os.getpid()] * len(numbers)


@pytest.mark.parametrize("greeting", ["This environment is managed\n", "Installing hooks", "conda activated", "\n\n"])
def test_what_is_printed_as_a_child_starts_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, greeting: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(f"print({greeting!r}, end='')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with Children(len(NUMBERS)) as talkative:
        assert os.getpid() not in talkative.map(processes, NUMBERS)


def told(numbers: Sequence[int]) -> list[int]:
    print("a debugging line")  # noqa: T201 - as one forgets it
    return [*numbers]


def test_what_its_work_prints_is_no_answer() -> None:
    with Children(len(NUMBERS)) as talkative:
        assert list(talkative.map(told, NUMBERS)) == NUMBERS


def refused(numbers: Sequence[int]) -> list[int]:
    raise ValueError(numbers[0])


def test_work_that_fails_fails_here(capfd: pytest.CaptureFixture[str]) -> None:
    with Children(len(NUMBERS)) as failing, pytest.raises(ValueError, match=r"^0$"):
        list(failing.map(refused, NUMBERS))
    assert capfd.readouterr().err == ""


def test_a_program_that_has_python_inside_starts_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", None)
    with Children(len(NUMBERS)) as none:
        assert set(none.map(processes, NUMBERS)) == {os.getpid()}


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/python"])
def test_a_child_that_dies_or_never_starts_costs_no_job(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setattr(sys, "executable", program)
    with Children(len(NUMBERS)) as dying:
        assert list(dying.map(hexadecimal, NUMBERS)) == hexadecimal(NUMBERS)


def test_work_that_no_other_process_can_be_told_is_done_here() -> None:
    here: list[int] = []

    def closure(numbers: Sequence[int]) -> list[int]:
        here.extend(numbers)
        return [-number for number in numbers]

    with Children(len(NUMBERS)) as idle:
        assert list(idle.map(closure, NUMBERS)) == [-number for number in NUMBERS]
    assert sorted(here) == NUMBERS


def test_who_stops_early_leaves_no_process_behind() -> None:
    with Children(len(NUMBERS)) as left:
        done = left.map(hexadecimal, NUMBERS)
        assert next(done) == hex(0)
        processes = [child._process for child in left._children]
    assert all(process is None or process.poll() is not None for process in processes)


@pytest.fixture
def jobs(tmp_path: Path) -> list[Job]:
    names = [f"page {number}.md" for number in NUMBERS]
    for name in names:
        (tmp_path / name).write_text(f"# {name}\n\nsome text about walruses\n", encoding="utf-8")
    return [Job(PagePath(name), "Ada <ada@example.org>", START) for name in [*names, "missing.md"]]


def test_pages_are_prepared_by_children_as_here_and_those_that_cannot_be_read_are_left_out(
    tmp_path: Path, jobs: list[Job]
) -> None:
    pages = list(prepare(tmp_path, jobs))
    with Children(0) as none:
        assert pages == list(prepare_by(none, tmp_path, jobs))
    assert [page.path for page in pages] == [job.path for job in jobs[:-1]]


def test_a_page_is_prepared_from_its_text_as_from_the_disk(tmp_path: Path, jobs: list[Job]) -> None:
    with_text = [Job(job.path, job.author, job.changed, data=(tmp_path / job.path).read_bytes()) for job in jobs[:3]]
    assert list(prepare(tmp_path / "elsewhere", with_text)) == list(prepare(tmp_path, jobs[:3]))


@pytest.mark.parametrize(
    "error",
    [
        errors.BadPage("why"),
        errors.BadPath("a.md", "why"),
        errors.BadMemory(3, errors.BadPage("why")),
        errors.BadRevision("x", "why"),
        errors.PageNotFound("a"),
        errors.VersionNotFound("a", "b"),
        errors.VaultNotFound(Path("a")),
        errors.Conflict("a.md", wanted="b", found="c"),
        errors.PageExists("a.md"),
        errors.Ambiguous("a", ["b", "c"]),
        errors.VaultTooNew(3, 2),
        errors.GitFailed("log", "why"),
        errors.NotCommitted(["a.md"], "why"),
    ],
    ids=lambda error: error.code,
)
def test_an_error_of_a_child_is_the_same_here(error: errors.MemoryWikiError) -> None:
    here = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    assert type(here) is type(error)
    assert str(here) == str(error)
    assert {key: str(value) for key, value in vars(here).items()} == {k: str(v) for k, v in vars(error).items()}
