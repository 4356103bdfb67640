"""Many pages are prepared by several processes, with the same result as by one, whatever becomes of them."""

import sys
from pathlib import Path

import pytest

from kit import START
from memory_wiki.index import prepare
from memory_wiki.index.prepare import Job
from memory_wiki.page.path import PagePath


@pytest.fixture
def jobs(tmp_path: Path) -> list[Job]:
    names = [f"page {number}.md" for number in range(prepare.MANY)]
    for name in names:
        (tmp_path / name).write_text(f"# {name}\n\nsome text about walruses\n", encoding="utf-8")
    return [Job(PagePath(name), "Ada <ada@example.org>", START) for name in [*names, "missing.md"]]


def test_several_processes_prepare_what_one_does_in_the_same_order(tmp_path: Path, jobs: list[Job]) -> None:
    assert list(prepare.prepare(tmp_path, jobs)) == list(prepare.prepare_here(tmp_path, jobs))


def test_a_page_that_cannot_be_read_is_left_out(tmp_path: Path, jobs: list[Job]) -> None:
    assert len(list(prepare.prepare(tmp_path, jobs))) == len(jobs) - 1


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/python"])
def test_a_process_that_dies_or_never_starts_costs_no_page(
    tmp_path: Path, jobs: list[Job], monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    monkeypatch.setattr(sys, "executable", program)
    assert list(prepare.prepare(tmp_path, jobs)) == list(prepare.prepare_here(tmp_path, jobs))


def test_a_reader_that_stops_early_leaves_no_process_behind(tmp_path: Path, jobs: list[Job]) -> None:
    pages = prepare.prepare(tmp_path, jobs)
    next(pages)
    pages.close()  # type: ignore[attr-defined]
    assert len(list(prepare.prepare(tmp_path, jobs[:3]))) == 3
