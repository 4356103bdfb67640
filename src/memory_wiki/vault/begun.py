"""A command of git's that goes on while we do something else."""

import os
import signal
import subprocess
from contextlib import suppress

from memory_wiki.errors import GitFailed


class Begun:
    """It is fed its input, and asked for its answer in the end."""

    def __init__(self, name: str, process: subprocess.Popen[bytes]) -> None:
        self._name = name
        self._process = process

    def feed(self, data: bytes) -> None:
        """Has it read so much of its input. Where it has died, `answer` says why."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.write(data)

    def answer(self, rest: bytes = b"") -> bytes:
        """What it says once it has read the `rest` of its input and is done; raises `GitFailed`."""
        out, err = self._said(rest)
        if self._process.returncode:
            raise GitFailed(self._name, os.fsdecode(err).strip() or ended(self._process.returncode))
        return out

    def stop(self) -> None:
        self._process.kill()
        self._said()

    def _said(self, rest: bytes = b"") -> tuple[bytes, bytes]:
        if (stdin := self._process.stdin) is not None and not stdin.closed:
            try:
                stdin.flush()
            except BrokenPipeError:  # it has died, and is to say why
                with suppress(BrokenPipeError):
                    stdin.close()
                self._process.stdin = None
        return self._process.communicate(rest if rest and self._process.stdin else None)


def ended(code: int) -> str:
    return f"it was ended by {signal.Signals(-code).name}" if -code in set(signal.Signals) else ""
