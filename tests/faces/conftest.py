"""Commands run as a person runs them: through `main`, with words in and bytes out, but in this process."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from memory_wiki.faces import desk
from memory_wiki.faces.cli import main
from conftest import Clock


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="Write the transcripts anew; review them as a diff.")


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
    """Runs `memory-wiki` in this process, with the test's clock and ids."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(desk, "chance", clock.chance)

    def __call__(self, *args: str, stdin: bytes = b"") -> Ran:
        out, err = (TextIOWrapper(BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "argv", ["memory-wiki", *args])
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = _exit_code(main)
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


@pytest.fixture
def mw(home: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The command, standing in an empty home where it is always UTC."""
    time.tzset()
    monkeypatch.chdir(home)
    return Shell(monkeypatch, clock)
