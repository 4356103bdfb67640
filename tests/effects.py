"""The one hook through which tests count what changes the disk, and cut the power at the n-th such effect.

Python itself announces most effects (https://docs.python.org/3/library/audit_events.html); `os.fsync` and tantivy's
commit, which it does not, are wrapped. A git command that only reads is no effect: stopping there leaves the disk
as stopping at the next effect does.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import tantivy

from memory_wiki.index import words

ANNOUNCED = {"os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
READING = {"cat-file", "config", "diff-tree", "log", "ls-files", "ls-tree", "rev-list", "rev-parse", "status", "var"}


class PowerCut(BaseException):
    """Nothing more happens in this process; no handler of ordinary errors takes it for one."""


class Effects:
    """What happened on the disk while counting, in order; from the n-th on, nothing happens any more."""

    def __init__(self) -> None:
        self.happened: list[str] = []
        self._is_counting = False
        self._last = 0

    @contextmanager
    def counted(self, last: int = sys.maxsize) -> Iterator[list[str]]:
        self.happened, self._last, self._is_counting = [], last, True
        try:
            yield self.happened
        finally:
            self._is_counting = False

    def happen(self, what: str) -> None:
        if not self._is_counting:
            return
        self.happened.append(what)
        if len(self.happened) >= self._last:
            raise PowerCut(what)

    def hear(self, event: str, args: tuple[object, ...]) -> None:
        if not self._is_counting:
            return
        if event in ANNOUNCED:
            self.happen(f"{event} {args[0]}")
        elif event == "open" and isinstance(args[0], str | os.PathLike) and isinstance(args[2], int):
            if args[2] & WRITES and str(args[0]) != os.devnull:
                self.happen(f"open {args[0]}")
        elif event == "subprocess.Popen" and (verb := _verb(args[1])) not in READING:
            self.happen(f"git {verb}")


_EFFECTS = Effects()
sys.addaudithook(_EFFECTS.hear)  # for good: Python takes no hook back, so this one listens only while counting


@pytest.fixture
def effects(monkeypatch: pytest.MonkeyPatch) -> Effects:
    fsync = os.fsync

    def counted_fsync(descriptor: int) -> None:
        _EFFECTS.happen("fsync")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", counted_fsync)
    monkeypatch.setattr(words, "Index", _Index)
    return _EFFECTS


def _verb(command: object) -> str:
    """Which of git's commands this is: the first word that is neither an option nor one's value."""
    assert isinstance(command, list | tuple)
    found = [str(word) for word in command[1:]]
    return next(word for word in found if not word.startswith("-") and "=" not in word)


class _Wrapped:
    """A thing of tantivy's, whose classes can be neither patched nor inherited from."""

    def __init__(self, real: object) -> None:
        self._real = real

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


class _Index(_Wrapped):
    def __init__(self, schema: tantivy.Schema, path: str) -> None:
        super().__init__(tantivy.Index(schema, path=path))

    def writer(self, heap_size: int, num_threads: int) -> "_Writer":
        return _Writer(self._real.writer(heap_size, num_threads=num_threads))


class _Writer(_Wrapped):
    def commit(self) -> None:
        _EFFECTS.happen("tantivy commit")
        self._real.commit()
