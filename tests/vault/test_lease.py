"""Pages that another program has open for writing, and programs that want to write while we read."""

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

import pytest

from kit import run_git, until
from memory_wiki.errors import VaultBusy
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath
from memory_wiki.recall.recall import Question
from memory_wiki.vault.lease import nobody_writing
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, at_head, versions

PAGE = PagePath("page.md")
OPENS = """
import sys
print("opening", flush=True)
file = open(sys.argv[1], sys.argv[2])
print("open", flush=True)
file.write("half a wal")
file.flush()
sys.stdin.readline()
file.write("rus\\n")
"""


@contextmanager
def program(file: Path, mode: str) -> Iterator[tuple[IO[str], IO[str]]]:
    """Another program that opens the file, writes half, and the other half once a line is sent; to and from it."""
    command = [sys.executable, "-c", OPENS, str(file), mode]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == "opening\n"
        yield child.stdin, child.stdout
    assert child.returncode == 0


@pytest.fixture
def page(wiki: Wiki) -> Path:
    file = wiki.vault.root / PAGE
    file.write_text("A seal\n", encoding="utf-8")
    wiki.catch_up()
    return file


@pytest.mark.parametrize("mode", ["w", "a", "r+"])
def test_a_page_that_another_program_is_writing_is_left_alone_and_others_are_not(
    mode: str, wiki: Wiki, page: Path
) -> None:
    root, before = wiki.vault.root, at_head(wiki.vault.root)
    with program(page, mode) as (to, said):
        assert said.readline() == "open\n"
        until(lambda: "half" in page.read_text(encoding="utf-8"))
        (root / "other.md").write_text("A narwhal\n", encoding="utf-8")
        assert wiki.recall(Question("narwhal")).hits
        assert not wiki.recall(Question("half")).hits
        with pytest.raises(VaultBusy, match=r"page\.md is being written by another program"):
            wiki.edit(PAGE, (Append("More."),))
        done = wiki.remember(Wish(Memory("A page of ours", title="Ours"), ""))
        assert at_head(root).keys() == {*before, "other.md", done.path}
        assert at_head(root)[PAGE] == before[PAGE]
        assert PAGE in wiki.catch_up().seen.unreadable
        to.write("go on\n")
    assert wiki.recall(Question("half a walrus")).hits[0].path == PAGE
    assert_agrees(wiki)
    assert at_head(root)[PAGE] == versions({PAGE: page.read_bytes()})[PAGE]
    assert len(run_git(root, "log", "--format=%H", "--", PAGE).splitlines()) == len(["A seal", "half a walrus"])


def test_who_wants_to_write_while_we_read_waits_for_us_and_neither_is_harmed(page: Path) -> None:
    """The system tells us of it by a signal, which by default does nothing."""
    assert signal.getsignal(signal.SIGURG) == signal.SIG_DFL
    with ExitStack() as stack, page.open("rb") as file:
        with nobody_writing(file.fileno(), PAGE):
            to, said = stack.enter_context(program(page, "a"))
            inode = f":{page.stat().st_ino} "
            until(lambda: any("BREAKING" in line and inode in line for line in _locks()))
            assert not select.select([said], [], [], 0)[0]
            assert file.read() == b"A seal\n"
        assert said.readline() == "open\n"
        to.write("go on\n")
    assert page.read_text(encoding="utf-8") == "A seal\nhalf a walrus\n"


def _locks() -> list[str]:
    """Locks and leases of the whole system: https://man7.org/linux/man-pages/man5/proc_locks.5.html"""
    return Path("/proc/locks").read_text(encoding="ascii").splitlines()


def test_a_page_read_by_several_at_once_is_leased_to_each(page: Path) -> None:
    first, second = (os.open(page, os.O_RDONLY) for _ in range(2))
    try:
        with nobody_writing(first, PAGE), nobody_writing(second, PAGE):
            assert os.read(second, 100) == b"A seal\n"
    finally:
        os.close(first)
        os.close(second)
