"""Names and times that some systems take for others: case, Unicode's forms, no Unicode at all, clocks years off."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import ADA, Clock, run_git
from memory_wiki.errors import PageExists
from memory_wiki.page.edit import Append
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from odd.states import WALRUS, assert_all_is_well, found, save, theirs
from proof import assert_agrees, at_head

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


def test_names_that_differ_by_case_or_form_alone_each_keep_their_text(wiki: Wiki, walrus: Path) -> None:
    run_git(walrus, "config", "core.precomposeUnicode", "true")
    names = {"Walrus": "upper seal\n", COMPOSED: "one seal\n", DECOMPOSED: "other seal\n"}
    save(walrus, **names)
    assert set(found(wiki, "seal")) == {f"{name}.md" for name in names}
    for name, text in names.items():
        wiki.edit(f"{name}.md", (Append("Ours."),))
        assert (walrus / f"{name}.md").read_text(encoding="utf-8") == f"{text}Ours.\n"
    assert {"same-name"} <= {found.problem.code for found in wiki.check().found}
    assert_agrees(wiki)


def test_a_page_renamed_by_case_alone_is_moved_and_found_under_its_new_name(wiki: Wiki, walrus: Path) -> None:
    (walrus / WALRUS).rename(walrus / "WALRUS.md")
    assert found(wiki, "walrus") == ["WALRUS.md"]
    assert set(at_head(walrus)) == {"WALRUS.md"}
    wiki.move("WALRUS.md", "Walrus.md")
    assert_all_is_well(wiki)


def test_a_name_that_is_no_unicode_is_left_alone_and_said(wiki: Wiki, walrus: Path, mw: Shell) -> None:
    name = os.fsencode(walrus) + b"/caf\xe9.md"
    with open(name, "wb") as file:  # noqa: PTH123 - a name that is no text
        file.write(b"A seal.\n")
    run_git(walrus, "add", "--all")
    before = theirs(walrus).staged
    assert before
    assert_all_is_well_beside(wiki, name)
    assert theirs(walrus).staged == before
    answer = mw("check", "--vault", str(walrus))
    assert "its name is no valid UTF-8; rename it" in answer.out


def assert_all_is_well_beside(wiki: Wiki, name: bytes) -> None:
    wiki.edit(WALRUS, (Append("More."),))
    assert found(wiki, "seal") == []
    with open(name, "rb") as file:  # noqa: PTH123
        assert file.read() == b"A seal.\n"
    assert not wiki.prove().differing


@pytest.mark.parametrize(
    "now", [datetime(year, 1, 1, tzinfo=UTC) for year in (1970, 2999)], ids=lambda now: str(now.year)
)
def test_a_clock_that_is_years_off_writes_finds_and_restores(
    now: datetime, wiki: Wiki, walrus: Path, clock: Clock
) -> None:
    clock.at = now
    assert_all_is_well(wiki)
    clock.at = datetime(2026, 12, 1, tzinfo=UTC)
    assert found(wiki, "narwhal")
    wiki.edit(WALRUS, (Append("In time again."),))
    assert_agrees(wiki)
    assert not run_git(walrus, "fsck", "--no-dangling").strip()


def test_a_clock_set_back_between_two_writes_keeps_their_order(wiki: Wiki, walrus: Path, clock: Clock) -> None:
    texts = []
    for step in (0, -1000, 500):
        clock.at += timedelta(days=step)
        wiki.edit(WALRUS, (Append(f"On day {step}."),))
        texts.append((walrus / WALRUS).read_bytes())
    versions = wiki.log(WALRUS, None).versions
    assert [wiki.read(WALRUS, past.commit.id).page.data for past in versions[:3]] == texts[::-1]
    assert_agrees(wiki)


def test_commits_of_any_date_are_read_beside_ours(wiki: Wiki, walrus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for date in ("@0 +0000", "@1 -1200", "@4102444800 +1400", "@32503680000 +0000"):
        save(walrus, seal=f"A seal of {date}.\n")
        run_git(walrus, "add", "--all")
        with monkeypatch.context() as patch:
            patch.setenv("GIT_AUTHOR_DATE", date)
            patch.setenv("GIT_COMMITTER_DATE", date)
            run_git(walrus, "commit", "-q", "-m", date)
        assert found(wiki, "seal") == ["seal.md"]
        assert wiki.log("seal.md", None).versions[0].commit.subject == date
    assert_all_is_well(wiki)


def test_a_file_dated_in_the_future_or_the_past_is_seen_to_have_changed(wiki: Wiki, walrus: Path) -> None:
    for seconds in (0, 4_102_444_800):
        save(walrus, walrus=f"A seal at {seconds}.\n")
        os.utime(walrus / WALRUS, (seconds, seconds))
        assert found(wiki, str(seconds)) == [WALRUS]
    assert_agrees(wiki)


def test_a_vault_in_a_repository_with_a_dirty_tree_leaves_all_of_it_as_it_was(tmp_path: Path, clock: Clock) -> None:
    """Modified, deleted, renamed, staged in part, intended, flagged, ignored: none of it is ours."""
    run_git(tmp_path, "init", "-q", "-b", "main")
    for name in "abcdefg":
        (tmp_path / f"{name}.txt").write_text(f"{name}\n" * 9, encoding="utf-8")
    (tmp_path / "README.md").write_text("Read me\n", encoding="utf-8")
    run_git(tmp_path, "add", "--all")
    run_git(tmp_path, "commit", "-q", "-m", "code")
    (tmp_path / "a.txt").write_text("changed\n", encoding="utf-8")
    (tmp_path / "b.txt").unlink()
    run_git(tmp_path, "mv", "c.txt", "moved.txt")
    run_git(tmp_path, "rm", "-q", "--cached", "d.txt")
    (tmp_path / "e.txt").write_text("staged\n", encoding="utf-8")
    run_git(tmp_path, "add", "e.txt")
    (tmp_path / "e.txt").write_text("and more\n", encoding="utf-8")
    (tmp_path / "new.txt").write_text("new\n", encoding="utf-8")
    run_git(tmp_path, "add", "--intent-to-add", "new.txt")
    run_git(tmp_path, "update-index", "--assume-unchanged", "f.txt")
    run_git(tmp_path, "update-index", "--skip-worktree", "g.txt")
    (tmp_path / "README.md").write_text("Read me, changed\n", encoding="utf-8")
    run_git(tmp_path, "add", "README.md")
    entries = run_git(tmp_path, "ls-files", "-t", "--stage", "-v")
    status = run_git(tmp_path, "status", "--porcelain")
    root = make(tmp_path / "memory", ADA, clock.now()).root
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        assert_all_is_well(wiki)
    kept = [
        line for line in run_git(tmp_path, "ls-files", "-t", "--stage", "-v").splitlines() if "\tmemory/" not in line
    ]
    assert kept == entries.splitlines()
    assert run_git(tmp_path, "status", "--porcelain") == status
    assert run_git(tmp_path, "show", "HEAD:README.md") == "Read me"


@pytest.mark.parametrize("flag", ["--skip-worktree", "--assume-unchanged"])
def test_a_page_that_git_was_told_not_to_look_at_keeps_its_flag_and_every_text(
    flag: str, wiki: Wiki, walrus: Path
) -> None:
    run_git(walrus, "update-index", flag, WALRUS)
    save(walrus, walrus="Mine alone.\n")
    wiki.edit(WALRUS, (Append("Ours."),))
    assert (walrus / WALRUS).read_text(encoding="utf-8") == "Mine alone.\nOurs.\n"
    assert run_git(walrus, "show", f"HEAD~1:{WALRUS}") == "Mine alone."
    assert_all_is_well(wiki)


def test_a_commit_whose_date_git_can_not_read_stops_nobody(wiki: Wiki, walrus: Path) -> None:
    save(walrus, seal="A seal.\n")
    run_git(walrus, "add", "--all")
    tree, parent = run_git(walrus, "write-tree"), run_git(walrus, "rev-parse", "HEAD")
    (walrus.parent / "odd").write_text(
        f"tree {tree}\nparent {parent}\nauthor A <a@b> yesterday\ncommitter A <a@b> -5 +0000\n\nodd\n", encoding="utf-8"
    )
    odd = run_git(walrus, "hash-object", "-t", "commit", "--literally", "-w", str(walrus.parent / "odd"))
    run_git(walrus, "update-ref", "HEAD", odd)
    assert found(wiki, "seal") == ["seal.md"]
    assert wiki.log("seal.md", None).versions[0].commit.at.year == 1970
    assert_all_is_well(wiki)


def test_a_new_page_takes_no_name_that_another_has_in_other_letters(wiki: Wiki, walrus: Path) -> None:
    save(walrus, **{DECOMPOSED: "A seal.\n"})
    wiki.catch_up()
    with pytest.raises(PageExists):
        wiki.move(WALRUS, f"{COMPOSED}.md")
    with pytest.raises(PageExists):
        wiki.move(f"{DECOMPOSED}.md", "WALRUS.md")


def test_where_git_is_told_to_ignore_case_on_a_disk_that_does_not_no_page_is_lost(wiki: Wiki, walrus: Path) -> None:
    """As in a folder copied from a Mac with its `.git`: git then sees only one of two names."""
    run_git(walrus, "config", "core.ignoreCase", "true")
    save(walrus, Walrus="A seal, not a walrus.\n")
    assert found(wiki, "seal") == ["Walrus.md"]
    (walrus / WALRUS).unlink()
    assert found(wiki, "seal") == ["Walrus.md"]
    assert set(at_head(walrus)) == {"Walrus.md"}


@pytest.mark.parametrize("year", [1901, 1969])
def test_a_clock_before_1970_makes_commits_that_git_can_read(year: int, wiki: Wiki, walrus: Path, clock: Clock) -> None:
    clock.at = datetime(year, 1, 1, tzinfo=UTC)
    assert_all_is_well(wiki)
    assert not run_git(walrus, "fsck", "--no-dangling").strip()
