"""A command at a real terminal: a pseudo-terminal, with someone typing."""

import os
import pty
import select
import subprocess
import sys
import time
from termios import tcsetwinsize
from types import TracebackType
from typing import Self

SECONDS = 20.0  # for a busy machine; what is waited for comes in well under one


class Terminal:
    """`memory-wiki` in a process and session of its own; `shown` is all that it wrote, colours and all."""

    def __init__(self, *args: str) -> None:
        self._ours, theirs = pty.openpty()
        tcsetwinsize(theirs, (24, 100))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "memory_wiki", *args],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)

    def wait_for(self, text: str) -> None:
        """Until it has shown this."""
        while text not in self.shown:
            assert self._read(), f"it ended, and never showed {text!r}: {self.shown!r}"

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def code(self) -> int:
        """The exit code, once it ends."""
        while self._read():
            pass
        return self._process.wait(SECONDS)

    def _read(self) -> bool:
        """Takes in what it wrote; False at the end."""
        started = time.monotonic()
        while not select.select([self._ours], [], [], 0.1)[0]:
            assert time.monotonic() - started < SECONDS, f"nothing more came after {self.shown!r}"
        try:
            written = os.read(self._ours, 65536)
        except OSError:  # as Linux says that nobody has the other end open
            return False
        self.shown += written.decode()
        return bool(written)
