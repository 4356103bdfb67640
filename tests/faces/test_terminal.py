"""What needs a process of its own: prompts, colours, an editor, signals, and pipes that end early."""

import os
import re
import signal
import subprocess
import sys
from array import array
from fcntl import ioctl
from pathlib import Path
from termios import FIONREAD

import pytest

import memory_wiki
from faces.conftest import Shell
from faces.terminal import Terminal

OWN = ".local/share/memory-wiki/vault"


def python(*args: str, env: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **(env or {})},
    )


def test_the_package_runs_as_a_module_and_is_ours() -> None:
    said, _ = python("-c", "import memory_wiki; print(memory_wiki.__file__)").communicate()
    assert said.decode().strip().endswith("src/memory_wiki/__init__.py")
    said, _ = python("-m", "memory_wiki", "--version").communicate()
    assert said.decode() == f"memory-wiki {memory_wiki.__version__}\n"


# Questions


def test_the_first_memory_makes_ones_own_vault_after_a_yes(mw: Shell, home: Path) -> None:
    with Terminal("remember", "The first of all") as terminal:
        terminal.wait_for("Make your own at")
        terminal.type("\n")
        terminal.wait_for("Remembered")
        assert terminal.code() == 0
        assert "\x1b" not in terminal.shown  # as NO_COLOR is set for every test
    assert "The first of all" in mw("list", "--vault", str(home / OWN)).out


def test_the_first_memory_makes_nothing_after_a_no(home: Path) -> None:
    with Terminal("remember", "The first of all") as terminal:
        terminal.wait_for("Make your own at")
        terminal.type("n\n")
        terminal.wait_for("memory-wiki init")
        assert terminal.code() == 3
    assert not (home / OWN).exists()


# Colours and characters


def test_a_terminal_gets_colours_and_a_pipe_none(mw: Shell, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (vault / "page.md").write_text("# Heron \x1b[31m\r\n\r\nGrey.\r\n", encoding="utf-8", newline="")
    assert "\x1b" not in mw("list", "--vault", str(vault)).out
    monkeypatch.delenv("NO_COLOR")
    with Terminal("list", "--vault", str(vault)) as terminal:
        assert terminal.code() == 0
    assert set(re.findall(r"\x1b\[[^m]*m", terminal.shown)) == {"\x1b[2m", "\x1b[36m", "\x1b[0m"}
    with Terminal("read", "--vault", str(vault), "page.md") as terminal:
        assert terminal.code() == 0
    assert terminal.shown == "# Heron \ufffd[31m\r\n\r\nGrey.\r\n"


def test_an_output_that_knows_no_arrows_gets_question_marks(mw: Shell, vault: Path) -> None:
    mw("remember", "--vault", str(vault), "Größe")
    out, err = python(
        "-m", "memory_wiki", "recall", "--vault", str(vault), "Größe", env={"PYTHONIOENCODING": "ascii"}
    ).communicate()
    assert (b"? Gr??e" in out, err) == (True, b"")


# Editing in an editor


def editor(folder: Path, script: str) -> str:
    file = folder / "editor.sh"
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return str(file)


def test_an_edit_without_options_opens_the_editor_and_keeps_what_it_leaves(
    mw: Shell, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mw("remember", "--vault", str(vault), "Heron")
    monkeypatch.setenv("EDITOR", editor(vault.parent, "printf 'From the editor\\r\\n' >> \"$1\""))
    with Terminal("edit", "--vault", str(vault), "heron") as terminal:
        terminal.wait_for("Edited global/notes/heron.md")
        assert terminal.code() == 0
    assert (vault / "global/notes/heron.md").read_bytes().endswith(b"Heron\nFrom the editor\r\n")


def test_what_was_written_while_the_page_moved_on_is_kept_and_said_where(
    mw: Shell, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mw("remember", "--vault", str(vault), "Heron")
    page = vault / "global/notes/heron.md"
    monkeypatch.setenv("EDITOR", editor(vault.parent, f"echo mine >> \"$1\"; echo theirs >> '{page}'"))
    with Terminal("edit", "--vault", str(vault), "heron") as terminal:
        terminal.wait_for("moved on")
        assert terminal.code() == 4
    kept = re.search(r"what you wrote is kept in (\S+)", terminal.shown)
    assert kept
    assert Path(kept[1]).read_text(encoding="utf-8").endswith("Heron\nmine\n")
    assert page.read_text(encoding="utf-8").endswith("Heron\ntheirs\n")


def test_an_editor_that_fails_leaves_the_page_alone(mw: Shell, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mw("remember", "--vault", str(vault), "Heron")
    before = (vault / "global/notes/heron.md").read_bytes()
    monkeypatch.setenv("EDITOR", editor(vault.parent, 'echo half >> "$1"; exit 1'))
    with Terminal("edit", "--vault", str(vault), "heron") as terminal:
        terminal.wait_for("your editor failed")
        assert terminal.code() == 2
    assert "what you wrote is kept in" in terminal.shown
    assert (vault / "global/notes/heron.md").read_bytes() == before


# Signals and pipes


@pytest.mark.parametrize("args", [["--help"], ["read", "heron"]], ids=" ".join)
def test_a_reader_that_goes_away_is_met_with_silence(mw: Shell, vault: Path, args: list[str]) -> None:
    mw("remember", "--vault", str(vault), "Heron")
    ours, theirs = os.pipe()
    os.close(ours)
    options = [] if args == ["--help"] else ["--vault", str(vault)]
    done = subprocess.run(
        [sys.executable, "-m", "memory_wiki", *args, *options], stdout=theirs, stderr=subprocess.PIPE, check=False
    )
    os.close(theirs)
    assert done.stderr == b""
    assert done.returncode == (1 if args == ["--help"] else 141)  # of --help it is Typer that says so


def test_ctrl_c_at_a_question_exits_with_130(home: Path) -> None:
    with Terminal("remember", "The first of all") as terminal:
        terminal.wait_for("Make your own at")
        terminal.signal(signal.SIGINT)
        terminal.type("\n")  # had it come just before the question waited, Python would see it at the next key
        assert terminal.code() == 130
    assert "Traceback" not in terminal.shown
    assert not (home / OWN).exists()


def test_ctrl_c_amid_work_exits_with_130_and_no_traceback(vault: Path) -> None:
    process = python("-m", "memory_wiki", "remember", "--vault", str(vault), "-")
    assert process.stdin
    process.stdin.write(b"half a thought")
    process.stdin.flush()
    while _waiting(process.stdin.fileno()):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


def _waiting(pipe: int) -> int:
    """How many bytes nobody has read yet: at none, the command is in the middle of its work."""
    size = array("i", [0])
    ioctl(pipe, FIONREAD, size)
    return size[0]
