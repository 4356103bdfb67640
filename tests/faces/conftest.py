"""Commands run as a person runs them: through `main`, with words in and bytes out, but in this process."""

import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from kit import START, Clock
from memory_wiki.faces import desk
from memory_wiki.faces.cli import main
from memory_wiki.wiki.chance import Chance


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left: its exit code, the bytes of standard output, the text of standard error."""

    code: int
    stdout: bytes
    err: str

    @property
    def out(self) -> str:
        return self.stdout.decode()


class Shell:
    """Runs `memory-wiki` in this process, a minute after the command before, with ids that count up."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self._now = START
        clock = Clock()
        monkeypatch.setattr(desk, "chance", Chance(lambda: self._now, clock.new_id, clock.new_fact_id))

    def __call__(self, *args: str, stdin: bytes = b"") -> Ran:
        self._now += timedelta(minutes=1)
        out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["memory-wiki", *args])
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = _exit_code(main)
            gc.unfreeze()  # this process goes on, unlike a command's own
            gc.enable()
        return Ran(code, _bytes(out), _bytes(err).decode())


def _exit_code(run: Callable[[], None]) -> int:
    """What the interpreter would make of it, `sys.exit("message")` included."""
    try:
        run()
    except SystemExit as left:
        if isinstance(left.code, str):
            sys.stderr.write(f"{left.code}\n")
            return 1
        return int(left.code or 0)
    return 0


def _bytes(stream: TextIOWrapper) -> bytes:
    written = stream.buffer
    assert isinstance(written, BytesIO)
    return written.getvalue()


@pytest.fixture(autouse=True)
def _at_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test stands in an empty home, so that none finds a vault where the developer happens to stand."""
    monkeypatch.chdir(home)
    monkeypatch.setenv("TMPDIR", str(home))


@pytest.fixture
def mw(monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command, where it is always UTC."""
    time.tzset()
    return Shell(monkeypatch)


@pytest.fixture
def vault(mw: Shell, home: Path) -> Path:
    """A vault in the home one stands in, not in it."""
    mw("init", "notes")
    return home / "notes"
