"""`memory-wiki watch` as a process of its own, as a person starts it."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from kit import PATIENCE, until


@dataclass
class Watcher:
    """What it has said so far, on both streams, can be read at any time."""

    process: subprocess.Popen[bytes]
    said: Path

    @property
    def text(self) -> str:
        return self.said.read_text(encoding="utf-8")

    def end(self, number: signal.Signals) -> int:
        """Its exit code, once it has ended."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def watcher(root: Path, said: Path) -> Iterator[Watcher]:
    """Watches the vault from the beginning of the `with`; what it says goes to the file `said`."""
    command = [sys.executable, "-m", "memory_wiki", "watch", "--vault", str(root)]
    with said.open("wb") as out, subprocess.Popen(command, stdout=out, stderr=out) as process:
        try:
            begun = Watcher(process, said)
            until(lambda: "watching " in begun.text)
            yield begun
        finally:
            process.kill()
