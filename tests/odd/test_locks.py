"""Locks of git's and ours, of programs that live and that died: nothing is broken open, all answer, one is named."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import run_git, until
from memory_wiki.errors import MemoryWikiError, VaultBusy
from memory_wiki.page.edit import Append
from memory_wiki.wiki import Wiki
from odd.states import WALRUS, assert_all_is_well, commit, found, is_brought_along, save, theirs, wish
from proof import assert_agrees, on_disk, staged

IN_THE_WAY = ["refs/heads/main.lock", "HEAD.lock"]
"""Locks that keep git from moving the branch."""
AT_ONCE = ("config", "core.filesRefLockTimeout", "0")
"""Has git give up where it meets such a lock: it waits for a tenth of a second, and we have it try ten times."""
BESIDE = ["packed-refs.lock", "config.lock", "shallow.lock", "objects/maintenance.lock", "gc.pid", "index.lock"]


def test_locks_left_by_programs_that_died_keep_us_from_nothing_they_do_not_guard(wiki: Wiki, walrus: Path) -> None:
    locks = [walrus / ".git" / name for name in BESIDE]
    for lock in locks:
        lock.write_text("left\n", encoding="utf-8")
        os.utime(lock, (0, 0))
    done = wiki.remember(wish("heron"))
    wiki.edit(WALRUS, (Append("More."),))
    save(walrus, seal="A seal.\n")
    assert found(wiki, "heron") == [done.path]
    assert found(wiki, "seal") == ["seal.md"]
    for lock in locks:
        assert lock.read_text(encoding="utf-8") == "left\n"
        lock.unlink()
    wiki.catch_up()
    assert staged(walrus) == set()
    assert_all_is_well(wiki)


@pytest.mark.parametrize("name", IN_THE_WAY)
def test_a_lock_of_the_branch_leaves_what_is_written_for_the_next_command(
    name: str, wiki: Wiki, walrus: Path, mw: Shell
) -> None:
    run_git(walrus, *AT_ONCE)
    lock = walrus / ".git" / name
    lock.touch()
    before, head = theirs(walrus), wiki.vault.history.head()
    answer = mw("remember", "A narwhal", "--vault", str(walrus))
    assert answer.code == 7
    assert str(lock) in answer.err
    assert "do not repeat this: the next command commits it" in answer.err
    assert (theirs(walrus), wiki.vault.history.head()) == (before, head)
    assert found(wiki, "narwhal") == ["global/notes/a-narwhal.md"]
    answer = mw("recall", "narwhal", "--vault", str(walrus))
    assert (answer.code, "not committed" in answer.err) == (0, True)
    lock.unlink()
    assert_agrees(wiki)
    assert run_git(walrus, "rev-list", "--count", "HEAD", "--", "global/notes/a-narwhal.md") == "1"


def test_an_index_locked_through_many_writes_is_brought_along_afterwards_and_keeps_what_was_staged(
    wiki: Wiki, walrus: Path
) -> None:
    (walrus / "mine.txt").write_text("mine\n", encoding="utf-8")
    run_git(walrus, "add", "mine.txt")
    lock = walrus / ".git" / "index.lock"
    lock.touch()
    paths = [wiki.remember(wish(name)).path for name in ("narwhal", "orca")]
    wiki.move(paths[0], "moved.md")
    (walrus / WALRUS).unlink()
    wiki.catch_up()
    lock.unlink()
    assert_agrees(wiki)
    assert staged(walrus) == {"mine.txt"}


def test_what_changes_while_git_has_the_index_locked_waits_to_be_committed_but_is_found(
    wiki: Wiki, walrus: Path, mw: Shell
) -> None:
    lock, head = walrus / ".git" / "index.lock", wiki.vault.history.head()
    lock.touch()
    save(walrus, seal="A seal.\n")
    answer = mw("recall", "seal", "--vault", str(walrus))
    assert "A seal." in answer.out
    assert f"git is at work here ({lock})" in answer.err
    assert wiki.vault.history.head() == head
    os.utime(lock, (0, 0))
    assert wiki.catch_up().pages == ("seal.md",)
    lock.unlink()
    assert_agrees(wiki)


def test_a_checkout_under_way_is_not_committed_half_done(
    either: Wiki, walrus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is held up at a file between two pages, by a filter that waits until it may go on."""
    commit(walrus, walrus="On side.\n", zebra="On side.\n")
    (walrus / "x.slow").write_text("slow\n", encoding="utf-8")
    (walrus / ".git" / "info" / "attributes").write_text("*.slow filter=slow\n", encoding="utf-8")
    commit(walrus)
    run_git(walrus, "branch", "side")
    run_git(walrus, "reset", "-q", "--hard", "HEAD~2")
    assert found(either, "walrus") == [WALRUS]
    until(lambda: is_brought_along(either))
    os.mkfifo(walrus.parent / "go")
    run_git(walrus, "config", "filter.slow.smudge", "read go < ../go; cat")
    main = run_git(walrus, "rev-parse", "main")
    with subprocess.Popen(["git", "switch", "-q", "side"], cwd=walrus) as switching:
        try:
            until(lambda: seen_on_disk(walrus) == b"On side.\n")
            with monkeypatch.context() as patch:
                patch.setattr("memory_wiki.vault.quiet.PATIENCE", 0.1)
                assert "git is at work here" in either.catch_up().left
                with pytest.raises(VaultBusy, match="git is at work here"):
                    either.edit(WALRUS, (Append("Ours."),))
        finally:
            (walrus.parent / "go").write_text("go\n", encoding="utf-8")
    assert switching.returncode == 0
    assert_agrees(either)
    assert run_git(walrus, "rev-parse", "main") == main
    assert run_git(walrus, "log", "-1", "--format=%s", "side") == "by hand"


def seen_on_disk(walrus: Path) -> bytes:
    """Nothing for the moment in which git puts another file in its place."""
    try:
        return (walrus / WALRUS).read_bytes()
    except FileNotFoundError:
        return b""


HOLD = """
import sys
from pathlib import Path
from memory_wiki.config import Config
from memory_wiki.vault.vault import Vault
with Vault(Path(sys.argv[1]), Config()).locked():
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_our_lock_held_by_a_live_process_is_waited_for_and_of_a_dead_one_is_nothing(
    wiki: Wiki, walrus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_wiki.wiki.opened.PATIENCE", 0.1)
    monkeypatch.setattr("memory_wiki.index.index.PATIENCE", 0.1)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(walrus)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"locked\n"
        save(walrus, seal="A seal.\n")
        assert "another process has been writing" in wiki.catch_up().left
        assert found(wiki, "walrus") == [WALRUS]
        with pytest.raises(VaultBusy, match="try again when it is done"), wiki.vault.locked(0.1):
            pass
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate()
    assert (walrus / ".memory-wiki" / "lock").exists()
    assert_all_is_well(wiki)


def test_a_lock_file_that_someone_deletes_is_made_again(wiki: Wiki, walrus: Path) -> None:
    (walrus / ".memory-wiki" / "lock").unlink(missing_ok=True)
    assert_all_is_well(wiki)


def test_a_program_that_commits_between_our_look_and_our_commit_keeps_its_commit(wiki: Wiki, walrus: Path) -> None:
    wiki.catch_up()
    theirs_ = commit(walrus, seal="A seal.\n")
    wiki.remember(wish("narwhal"))
    assert run_git(walrus, "merge-base", "--is-ancestor", theirs_, "HEAD") == ""
    assert_agrees(wiki)


def test_a_refusal_of_any_kind_leaves_no_half_made_file(wiki: Wiki, walrus: Path) -> None:
    run_git(walrus, *AT_ONCE)
    (walrus / ".git" / "refs" / "heads" / "main.lock").touch()
    before = on_disk(walrus)
    with pytest.raises(MemoryWikiError):
        wiki.remember(wish("narwhal"))
    assert on_disk(walrus).keys() - before.keys() == {"global/notes/narwhal.md"}
    assert not list((walrus / ".memory-wiki" / "tmp").iterdir())
