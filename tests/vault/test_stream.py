"""What we hand to git comes out of git: any bytes, any name, any message."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kit import run_git
from memory_wiki.page.path import PagePath
from memory_wiki.vault.branch import Importing
from memory_wiki.vault.history import History
from memory_wiki.vault.porcelain import parse_log, parse_status
from memory_wiki.vault.repository import Repository, start
from memory_wiki.vault.stream import NewCommit, Person

PARTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="/\0"), min_size=1, max_size=20)
NAMES = PARTS.filter(
    lambda part: part not in {".", "..", ".git"} and len(part.encode()) < 200 and "git" not in part.lower()
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    start(tmp_path)
    return Repository(tmp_path)


@pytest.fixture
def history(repository: Repository) -> History:
    return History(repository)


def commit(repository: Repository, parent: str, *commits: NewCommit) -> list[str]:
    with Importing(repository, "main") as importing:
        importing.after(parent)
        for each in commits:
            importing.add(each)
        return importing.done(lambda _: None)[1:]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(NAMES, st.binary(max_size=200), min_size=1, max_size=4), st.text(max_size=80), st.text(max_size=20)
)
def test_any_bytes_under_any_name_come_back(
    repository: Repository, history: History, files: dict[str, bytes], text: str, name: str
) -> None:
    new = NewCommit(Person(name, "a@b"), datetime.now(UTC), f"x: {text}", {PagePath(n): d for n, d in files.items()})
    (made,) = commit(repository, history.head(), new)
    assert made == history.head()
    for path, version in history.versions(made, [PagePath(name) for name in files]).items():
        assert history.read(version) == files[path]
    assert {touch.path for touch in history.touched_in(made)} <= set(files)


def test_a_batch_is_a_commit_each_in_order(repository: Repository, history: History) -> None:
    person = Person("A", "a@b")
    commits = [NewCommit(person, datetime.now(UTC), f"c{n}", {PagePath("a.md"): b"%d" % n}) for n in range(200)]
    made = commit(repository, "", *commits)
    assert len(made) == 200
    assert [each.subject for each in history.log()] == [f"c{n}" for n in reversed(range(200))]
    assert [each.id for each in history.log(limit=2)] == made[:-3:-1]


def test_what_is_not_done_is_no_commit_and_what_was_not_begun_leaves_no_trace(
    repository: Repository, history: History
) -> None:
    before = sorted(repository.git_folder.rglob("*"))
    with Importing(repository, "main"):
        pass
    assert sorted(repository.git_folder.rglob("*")) == before
    with Importing(repository, "main") as importing:
        importing.add(NewCommit(Person("A", "a@b"), datetime.now(UTC), "m", {PagePath("a.md"): b"x"}))
    assert history.head() == ""


def test_a_branch_that_moved_on_is_followed_and_what_was_noted_before_each_try_says_so(
    repository: Repository, history: History
) -> None:
    new = [NewCommit(Person("A", "a@b"), datetime.now(UTC), name, {PagePath(f"{name}.md"): b"x"}) for name in "abcd"]
    (first,) = commit(repository, "", new[0])
    begun: list[str] = []
    with Importing(repository, "main") as importing:
        importing.after(first)
        importing.add(new[1])
        importing.add(new[2])
        (theirs,) = commit(repository, first, new[3])
        made = importing.done(begun.append)
    assert begun == [first, theirs]
    assert made[0] == theirs
    assert [(each.id, each.subject) for each in history.log()] == [
        *((made[2], "c"), (made[1], "b"), (theirs, "d"), (first, "a"))
    ]


def test_a_name_that_git_could_misread_is_cleaned(repository: Repository, history: History) -> None:
    person = Person("Eve <eve@x> \n evil", "e\n<>v@x")
    commit(repository, "", NewCommit(person, datetime.now(UTC), "m", {PagePath("a.md"): b""}))
    assert run_git(history.top, "log", "-1", "--format=%an|%ae") == "Eve eve@x evil|ev@x"


def test_a_status_line_is_read_whatever_the_name() -> None:
    out = b"# branch.oid (initial)\0# branch.head main\0? a b\nc.md\0? \xff.md\0"
    found = parse_status(out)
    assert (found.head, found.branch, found.changed) == ("", "main", ("a b\nc.md", os.fsdecode(b"\xff.md")))


def test_an_empty_log_has_no_commits() -> None:
    assert list(parse_log(b"")) == []
