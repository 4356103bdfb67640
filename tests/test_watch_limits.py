"""What a watch can't hear of, and what a watch must leave alone: afterwards all is as if somebody had looked."""

import ctypes
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import git
import pytest
from watchdog.observers.inotify_c import InotifyFD

from kit import PATIENCE, run_git, until
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.recall.recall import Question
from memory_wiki.vault import watch
from memory_wiki.wiki import Wiki
from proof import assert_agrees, at_head, on_disk, staged, versions
from watching import watcher

QUEUE = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text(encoding="ascii"))
MILLISECOND = 1_000_000


@pytest.fixture
def said(tmp_path: Path) -> Path:
    return tmp_path / "said"


@pytest.fixture
def watching(root: Path, looks_often: None) -> Iterator[Wiki]:  # noqa: ARG001 - before it is opened
    with Wiki.open(root, root) as wiki:
        yield wiki


def save(root: Path, name: str, text: str) -> PagePath:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return PagePath(name)


def is_committed(root: Path) -> bool:
    return at_head(root) == versions(on_disk(root))


def commits(root: Path) -> int:
    return int(run_git(root, "rev-list", "--count", "HEAD"))


def test_more_events_than_the_system_keeps_lose_no_change(root: Path, wiki: Wiki, said: Path) -> None:
    """Takes a second: tens of thousands of files are touched while the watcher is stopped."""
    save(root, "old/page.md", "old\n")
    with watcher(root, said) as command:
        until(lambda: is_committed(root))
        command.process.send_signal(signal.SIGSTOP)
        files = [root / save(root, name, "text\n") for name in ("a.md", "b.md")]
        for number in range(QUEUE + 1000):
            os.utime(files[number % 2])
        save(root, "new/deep/page.md", "in a folder of which no event came\n")
        (root / "old").rename(root / "renamed")
        command.process.send_signal(signal.SIGCONT)
        until(lambda: is_committed(root))
        save(root, "new/deep/page.md", "changed in that folder\n")
        save(root, "renamed/page.md", "changed in that one\n")
        until(lambda: is_committed(root))
        assert command.end(signal.SIGINT) == 0
    assert "Traceback" not in command.text
    assert_agrees(wiki)


@pytest.mark.parametrize(("number", "what"), [(errno.ENOSPC, "watch"), (errno.EMFILE, "instance")])
def test_where_the_system_allows_no_more_watches_it_says_what_to_do_and_looks_by_itself(
    number: int, what: str, root: Path, watching: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library's errors are raised for it: to lower the true limits is to lower them for the whole machine."""

    def refuse(*_: object) -> None:
        raise OSError(number, f"inotify {what} limit reached")

    monkeypatch.setattr(InotifyFD, "add_callback", refuse)
    assert f"`sudo sysctl fs.inotify.max_user_{what}" in watching.watch()
    save(root, "page.md", "about a walrus\n")
    until(lambda: is_committed(root))
    save(root, "page.md", "about a narwhal\n")
    until(lambda: is_committed(root))
    assert watching.recall(Question("narwhal")).hits


def test_a_folder_too_many_turns_a_watch_into_looking_and_no_change_is_lost(
    root: Path, watching: Wiki, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert watching.watch() == ""
    add = InotifyFD.add_callback

    def refuse_new(self: InotifyFD, path: bytes, *args: object) -> int:
        if b"/new" in path:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return add(self, path, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(InotifyFD, "add_callback", refuse_new)
    save(root, "new/page.md", "about a walrus\n")
    until(lambda: is_committed(root))
    assert "max_user_watches" in watching.watch()
    assert [record.message for record in caplog.records if "max_user_watches" in record.message] != []
    save(root, "new/page.md", "about a narwhal\n")
    until(lambda: is_committed(root))


def test_a_network_disk_is_looked_at_every_now_and_then(
    root: Path, watching: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = root.stat().st_dev
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"36 35 {os.major(device)}:{os.minor(device)} / /mnt rw - nfs4 server:/x rw\n", encoding="ascii")
    monkeypatch.setattr(watch, "MOUNTS", mounts)
    assert "(nfs4) that tells nothing of changes made elsewhere" in watching.watch()
    save(root, "page.md", "about a walrus\n")
    until(lambda: is_committed(root))


def test_where_settings_say_so_nothing_is_committed_and_all_is_found(root: Path, wiki: Wiki) -> None:
    (root / "memory-wiki.toml").write_text("commit_outside_edits = false\n", encoding="utf-8")
    before = commits(root)
    with Wiki.open(root, root) as watching:
        watching.watch()
        for text in ("about a walrus\n", "about a narwhal\n"):
            path = save(root, "page.md", text)
            until(lambda: wiki.index.words.have().get(path) == version_of((root / path).read_bytes()))  # noqa: B023
        assert watching.recall(Question("narwhal")).hits
    assert commits(root) == before
    assert staged(root) == set()


def test_amid_a_merge_nothing_is_committed_which_is_said_once_and_afterwards_all_is(
    root: Path, wiki: Wiki, said: Path
) -> None:
    """Takes seconds: how often the command looks by itself."""
    for branch, text in {"side": "theirs\n", "main": "ours\n"}.items():
        run_git(root, "switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        save(root, "page.md", text)
        run_git(root, "add", "page.md")
        run_git(root, "commit", "--quiet", f"--message={branch}")
    with watcher(root, said) as command:
        with pytest.raises(git.GitCommandError):
            run_git(root, "merge", "side")
        head = commits(root)
        run_git(root, "checkout", "--ours", "page.md")
        run_git(root, "add", "page.md")
        for number in range(3):
            path = save(root, f"meanwhile {number}.md", "about a walrus\n")
            until(lambda: path in wiki.index.words.have())  # noqa: B023
        until(lambda: "a merge is under way" in command.text)
        assert commits(root) == head
        run_git(root, "commit", "--quiet", "--message=merged")  # changes no page, so no event comes of it
        until(lambda: is_committed(root))
        assert command.end(signal.SIGTERM) == 0
    assert command.text.count("a merge is under way") == 1
    assert_agrees(wiki)


def test_a_vault_that_goes_away_is_said_to_be_gone_and_taken_up_again_when_it_is_back(
    root: Path, wiki: Wiki, said: Path
) -> None:
    away = root.with_name("away")
    with watcher(root, said) as command:
        until(lambda: is_committed(root))
        root.rename(away)
        until(lambda: str(root) in command.text.partition("until Ctrl-C")[2])
        save(away, "page.md", "written while it was away\n")
        away.rename(root)
        until(lambda: is_committed(root))
        root.rename(away)
        assert command.end(signal.SIGINT) == 0
    assert "Traceback" not in command.text
    away.rename(root)
    assert_agrees(wiki)


def test_while_nothing_changes_a_watch_takes_no_time(root: Path, said: Path) -> None:
    """Takes seconds, in which nothing happens: that is the claim."""
    save(root, "page.md", "text\n")
    with watcher(root, said) as command:
        until(lambda: is_committed(root))
        tasks = Path(f"/proc/{command.process.pid}/task")

        def taken() -> int:
            """Nanoseconds of all its threads: https://docs.kernel.org/scheduler/sched-stats.html"""
            return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks.iterdir())

        def is_quiet() -> bool:
            before = taken()
            Event().wait(0.5)
            return taken() - before < MILLISECOND

        until(is_quiet)
        before = taken()
        Event().wait(2)
        assert taken() - before <= 20 * MILLISECOND


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_watch_ends_whichever_of_its_threads_the_system_hands_the_signal(
    ends: signal.Signals, root: Path, said: Path
) -> None:
    """Takes a second: Python starts."""
    with watcher(root, said) as command:
        number = command.process.pid
        others = {int(task.name) for task in Path(f"/proc/{number}/task").iterdir()} - {number}
        assert ctypes.CDLL(None).tgkill(number, max(others), ends) == 0
        assert command.process.wait(PATIENCE) == 0


def test_a_watch_whose_reader_has_gone_ends_quietly_once_all_is_committed(root: Path) -> None:
    """Takes a second: Python starts. As `memory-wiki watch | head -1` ends, like other commands."""
    command = [sys.executable, "-m", "memory_wiki", "watch", "--vault", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert "watching " in process.stderr.readline()
        process.stdout.close()
        save(root, "page.md", "text\n")
        try:
            assert process.wait(PATIENCE) == 141
        finally:
            process.kill()
        assert process.stderr.read() == ""
    assert is_committed(root)
