"""A person who uses git in the same repository: their work is theirs, and ours does not go back because of it."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import git
import pytest

from kit import ADA, Clock, run_git, until
from memory_wiki.errors import MemoryWikiError, VaultBusy
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath
from memory_wiki.recall.recall import Question
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, at_head, on_disk, staged


def wish(title: str) -> Wish:
    return Wish(Memory(f"All about {title}.", title=title), "")


@pytest.fixture
def page(wiki: Wiki) -> Written:
    return wiki.remember(wish("P"))


@pytest.mark.parametrize("inside", [".", "docs/memory"], ids=["the vault's own repository", "a code repository"])
def test_a_persons_staged_and_unstaged_work_is_left_as_it_is(inside: str, tmp_path: Path, clock: Clock) -> None:
    run_git(tmp_path, "init", "--quiet")
    root = make(tmp_path / inside, ADA, clock.now()).root
    for name in ("staged.txt", "unstaged.txt"):
        (tmp_path / name).write_text("old\n", encoding="utf-8")
    run_git(tmp_path, "add", "--all")
    run_git(tmp_path, "commit", "--quiet", "--message=mine")
    for name in ("staged.txt", "unstaged.txt", "untracked.txt"):
        (tmp_path / name).write_text("new\n", encoding="utf-8")
    run_git(tmp_path, "add", "staged.txt")
    (root / "own.md").write_text("A person's page\n", encoding="utf-8")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        path = wiki.remember(wish("P")).path
        wiki.edit(path, (Append("More."),))
        wiki.archive(path)
        assert run_git(tmp_path, "status", "--short") == "M  staged.txt\n M unstaged.txt\n?? untracked.txt"
        assert run_git(tmp_path, "log", "--format=%s", "--", "*.txt") == "mine"


def test_a_page_staged_in_part_keeps_what_is_staged(wiki: Wiki, page: Written) -> None:
    root = wiki.vault.root
    (root / page.path).write_text("staged\n", encoding="utf-8")
    run_git(root, "add", page.path)
    (root / page.path).write_text("saved later\n", encoding="utf-8")
    wiki.remember(wish("another"))
    wiki.edit(page.path, (Append("and ours"),))
    assert run_git(root, "show", f":{page.path}") == "staged"
    assert run_git(root, "show", f"HEAD:{page.path}") == "saved later\nand ours"
    assert_agrees(wiki)


@pytest.mark.parametrize("how", ["merge", "rebase"])
def test_amid_a_merge_nothing_is_written_all_is_found_and_afterwards_all_is_well(
    how: str, wiki: Wiki, page: Written
) -> None:
    root = wiki.vault.root
    for branch, text in {"side": "theirs\n", "main": "ours\n"}.items():
        run_git(root, "switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        (root / page.path).write_text(text, encoding="utf-8")
        run_git(root, "commit", "--quiet", "--all", f"--message={branch}")
    wiki.catch_up()
    with pytest.raises(git.GitCommandError):
        run_git(root, how, "side")
    (root / "outside.md").write_text("Saved amid it all, with a walrus\n", encoding="utf-8")
    head, files = run_git(root, "rev-parse", "HEAD"), on_disk(root)
    writes: list[Callable[[], Written]] = [
        lambda: wiki.remember(wish("Q")),
        lambda: wiki.edit("outside.md", (Append("More."),)),
        lambda: wiki.archive("outside.md"),
        lambda: wiki.restore(page.path, page.version),
    ]
    for write in writes:
        with pytest.raises(VaultBusy, match=f"a {how} is under way"):
            write()
    assert wiki.recall(Question("walrus")).hits[0].path == "outside.md"
    assert wiki.recall(Question("theirs")).hits[0].path == page.path  # between the marks of the conflict
    assert (run_git(root, "rev-parse", "HEAD"), on_disk(root)) == (head, files)
    run_git(root, how, "--abort")
    assert_agrees(wiki)
    assert on_disk(root) == {page.path: b"ours\n", "outside.md": files["outside.md"]}
    wiki.remember(wish("Q"))
    assert_agrees(wiki)


def test_a_page_written_while_gits_index_was_locked_is_not_left_staged_as_it_was(wiki: Wiki, page: Written) -> None:
    """As an editor's git does for a moment; a person's next commit would take our text back."""
    lock = wiki.vault.root / ".git" / "index.lock"
    lock.touch()
    wiki.edit(page.path, (Append("More."),))
    lock.unlink()
    wiki.catch_up()
    assert staged(wiki.vault.root) == set()


def test_while_git_is_locked_recall_still_answers_and_sees_outside_edits(wiki: Wiki, page: Written) -> None:
    """As after a power cut amid another program's commit: the lock stays until a person removes it."""
    run_git(wiki.vault.root, "config", "core.filesRefLockTimeout", "0")  # we try ten times, and git each time for 0.1 s
    lock = wiki.vault.root / ".git" / "refs" / "heads" / "main.lock"
    lock.touch()
    (wiki.vault.root / page.path).write_text("A walrus\n", encoding="utf-8")
    assert wiki.recall(Question("walrus")).hits[0].path == page.path
    with pytest.raises(MemoryWikiError, match=r"main\.lock"):
        wiki.edit(page.path, (Append("More."),))
    lock.unlink()
    assert_agrees(wiki)


def test_a_vault_that_was_moved_away_while_open_never_has_us_at_work_in_the_repository_where_we_stand(
    wiki: Wiki, page: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    run_git(tmp_path, "init", "--quiet", "other")
    (other / "theirs.md").write_text("theirs\n", encoding="utf-8")
    run_git(other, "add", "theirs.md")
    run_git(other, "commit", "--quiet", "--message=theirs")
    monkeypatch.chdir(other)
    root, away = wiki.vault.root, tmp_path / "away"
    root.rename(away)
    with pytest.raises(MemoryWikiError, match="No such file"):
        wiki.catch_up()
    with pytest.raises(MemoryWikiError):
        wiki.edit(page.path, (Append("More."),))
    with pytest.raises(MemoryWikiError):
        wiki.remember(wish("Q"))
    assert not root.exists()
    assert run_git(other, "log", "--format=%s") == "theirs"
    away.rename(root)
    assert_agrees(wiki)


def test_while_the_folder_is_watched_gits_index_agrees_soon_after_a_burst_of_writes(wiki: Wiki, page: Written) -> None:
    root = wiki.vault.root
    (root / page.path).write_text("staged\n", encoding="utf-8")
    run_git(root, "add", page.path)
    (root / page.path).write_text("saved later\n", encoding="utf-8")
    (root / "todo.txt").write_text("buy milk\n", encoding="utf-8")
    run_git(root, "add", "todo.txt")
    assert wiki.watch() == ""
    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(lambda number: wiki.remember(wish(f"Page {number}")), range(40)))
    list(map(wiki.edit, (each.path for each in written[:5]), repeat((Append("More."),))))
    until(lambda: run_git(root, "status", "--short") == f"MM {page.path}\nA  todo.txt")
    assert run_git(root, "show", f":{page.path}") == "staged"
    assert_agrees(wiki)


@pytest.mark.usefixtures("looks_often")
def test_an_index_that_was_locked_is_brought_along_once_the_lock_is_gone_though_nobody_asks(
    wiki: Wiki, caplog: pytest.LogCaptureFixture
) -> None:
    """Takes a second: a watch waits so long for git."""
    root = wiki.vault.root
    lock = root / ".git" / "index.lock"
    lock.touch()
    os.utime(lock, (0, 0))  # of a git that was stopped long ago: while one runs, what is saved outside waits
    wiki.watch()
    wiki.remember(wish("P"))
    (root / "saved.md").write_text("outside\n", encoding="utf-8")
    until(lambda: staged(root) == {"global/notes/p.md", "saved.md"})  # both committed, and neither in git's index
    caplog.clear()
    until(lambda: "keeps its old entries for now" in caplog.text)
    lock.unlink()
    until(lambda: staged(root) == set())


@pytest.mark.usefixtures("looks_often")
def test_what_is_saved_while_git_is_at_work_is_committed_once_it_is_done_though_nobody_asks(wiki: Wiki) -> None:
    """Takes seconds, as above."""
    root = wiki.vault.root
    lock = root / ".git" / "index.lock"
    lock.touch()
    wiki.watch()
    wiki.remember(wish("P"))
    (root / "saved.md").write_text("outside\n", encoding="utf-8")
    until(lambda: bool(wiki.index.words.page(PagePath("saved.md"))))
    assert at_head(root).keys() == {"global/notes/p.md"}  # ours; what was saved may be half of a checkout
    lock.unlink()
    until(lambda: "saved.md" in at_head(root))
    until(lambda: staged(root) == set())
