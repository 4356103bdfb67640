"""The one hook through which tests count what changes the disk, and let the n-th such effect fail.

Python itself announces most effects (https://docs.python.org/3/library/audit_events.html); `os.fsync` and tantivy's
commit, which it does not, are wrapped. A git command that only reads is no effect: to stop there leaves the disk as
stopping at the next effect does.
"""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import tantivy

from memory_wiki.index import words

ANNOUNCED = {"os.rename", "os.link", "os.symlink", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
READERS = {
    "cat-file",
    "config",
    "diff",
    "diff-tree",
    "log",
    "ls-files",
    "ls-tree",
    "rev-list",
    "rev-parse",
    "status",
    "var",
}


class PowerCut(BaseException):
    """Nothing more happens in this process. Not an `Exception`: whoever handles those is gone as well."""


class Effects:
    """What happens on the disk within a `with`, in order."""

    def __init__(self) -> None:
        self._happened: list[str] | None = None
        self._first_cut = self._only_failure = sys.maxsize

    @contextmanager
    def counted(self) -> Iterator[list[str]]:
        self._happened = []
        try:
            yield self._happened
        finally:
            self._happened = None
            self._first_cut = self._only_failure = sys.maxsize

    @contextmanager
    def cut(self, number: int) -> Iterator[None]:
        """Neither effect `number`, counted from one, nor any later one happens."""
        self._first_cut = number
        with self.counted(), pytest.raises(PowerCut):
            yield

    @contextmanager
    def failing(self, number: int) -> Iterator[None]:
        """Effect `number` finds the disk full; later ones don't."""
        self._only_failure = number
        with self.counted():
            yield

    def happen(self, what: str) -> None:
        if self._happened is None:
            return
        self._happened.append(what)
        if len(self._happened) >= self._first_cut:
            raise PowerCut(what)
        if len(self._happened) == self._only_failure:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def hear(self, event: str, args: tuple[object, ...]) -> None:
        if self._happened is None:
            return
        if event in ANNOUNCED:
            self.happen(f"{event} {args[0]}")
        elif event == "open" and _is_written(*args):
            self.happen(f"open {args[0]}")
        elif event == "subprocess.Popen" and (verb := _verb(args[1])) not in READERS:
            self.happen(f"git {verb}")


_EFFECTS = Effects()
sys.addaudithook(_EFFECTS.hear)  # for good, as Python takes no hook back: it hears nothing but what is counted


def watched(monkeypatch: pytest.MonkeyPatch) -> Effects:
    """The effects of this process, with those that Python does not announce."""
    fsync = os.fsync

    def announced(descriptor: int) -> None:
        _EFFECTS.happen("fsync")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", announced)
    monkeypatch.setattr(words, "Index", _Index)
    return _EFFECTS


def _is_written(path: object, _mode: object, flags: object) -> bool:
    """Whether a file is opened for writing; a pipe's number is no file."""
    return isinstance(path, str) and path != os.devnull and isinstance(flags, int) and bool(flags & WRITING)


def _verb(command: object) -> str:
    """Which of git's commands this is: the first word that is neither an option, nor the value of one, nor a place."""
    assert isinstance(command, list)
    return next(word for word in map(str, command[1:]) if not word.startswith(("-", "/")) and "=" not in word)


class _Wrapped:
    """A thing of tantivy's, whose classes take neither patches nor heirs."""

    def __init__(self, real: object) -> None:
        self._real = real

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


class _Index(_Wrapped):
    def __init__(self, schema: tantivy.Schema, path: str) -> None:
        real = tantivy.Index(schema, path=path)
        super().__init__(real)
        self._writer = real.writer

    def writer(self, heap_size: int, num_threads: int) -> "_Writer":
        return _Writer(self._writer(heap_size, num_threads=num_threads))


class _Writer(_Wrapped):
    def __init__(self, real: tantivy.IndexWriter) -> None:
        super().__init__(real)
        self._commit = real.commit

    def commit(self) -> None:
        _EFFECTS.happen("tantivy commit")
        self._commit()
