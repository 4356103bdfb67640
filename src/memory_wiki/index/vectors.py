"""Vectors of passages: which passage lies how near a question. The only file that imports simsimd.

Derived, and kept by what a text says (its mark), not by where it stands: a page that is moved, reverted or indexed
anew embeds nothing. One folder holds the vectors of one model, so that those of two never meet. Two files only grow,
marks after vectors: whoever reads counts what both have, and what a crash left half is cut off by the next to write.

The search is exact. Of 100,000 vectors of 384 numbers it takes 3 ms, of 1,000,000 22 ms, on 2 cores: so there is no
approximate index, which would be slower to keep than this is to read.
"""

import errno
import logging
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import simsimd
from numpy.typing import NDArray

from memory_wiki.errors import IndexBroken
from memory_wiki.index.failing import failing_as
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.vault.own import Stamp, refuse_others, stamp_of

log = logging.getLogger(__name__)

Floats = NDArray[np.float32]
Marks = NDArray[np.int64]
FILES = ("marks", "rows", "marks.new", "rows.new")
MARK = 8  # bytes
LARGEST = 127  # of an int8
SPARE = 3  # times as many vectors as passages, above which those of no passage are dropped
LOCK_SECONDS = 30.0
PASSING = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}  # of the machine, and no fault of a file


@dataclass(frozen=True, slots=True)
class _Known:
    """What the files held at one moment: of each vector its mark and its row, and the order of the marks."""

    seen: tuple[int, int]
    marks: Marks
    order: NDArray[np.intp]
    in_order: Marks
    rows: NDArray[np.int8]

    @classmethod
    def of(cls, seen: tuple[int, int], marks: Marks, rows: NDArray[np.int8]) -> "_Known":
        order = np.argsort(marks, kind="stable")
        return cls(seen, marks, order, marks[order], rows)


class Vectors:
    """The vectors of one model, in a folder of their own; threads and processes may share it."""

    def __init__(self, folder: Path, dim: int) -> None:
        self.folder = folder
        self.dim = dim
        self._lock = FileLock(folder.with_suffix(".lock"))
        self._nothing = _Known.of((0, 0), np.empty(0, np.int64), np.empty((0, dim), np.int8))
        self._known = self._nothing

    def __len__(self) -> int:
        return len(self._now().marks)

    @property
    def stamp(self) -> Stamp:
        """Changes when somebody adds vectors, or deletes them."""
        return stamp_of(self._marks_file)

    @property
    def _marks_file(self) -> Path:
        return self.folder / "marks"

    @property
    def _rows_file(self) -> Path:
        return self.folder / "rows"

    def lacking(self, marks: Collection[int]) -> list[int]:
        """Those of `marks` that have no vector, each once."""
        asked = np.unique(np.fromiter(marks, np.int64, len(marks)))
        missing: list[int] = asked[~np.isin(asked, self._now().in_order)].tolist()
        return missing

    def add(self, marks: Sequence[int], vectors: Floats) -> None:
        """Keeps vectors, of any length but 0, by their marks; durable when it returns."""
        peaks = np.abs(vectors).max(axis=1, keepdims=True)
        rows = np.rint(vectors / np.maximum(peaks, np.finfo(np.float32).tiny) * LARGEST).astype(np.int8)
        with self._writing() as count:
            _append(self._rows_file, count * self.dim, rows.tobytes())
            _append(self._marks_file, count * MARK, np.asarray(marks, np.int64).tobytes())

    def nearness(self, question: Floats) -> "Nearness":
        """How near each passage lies to a question's vector."""
        known = self._now()
        if not len(known.marks):
            return Nearness(known, np.empty(0, np.float32))
        asked = np.rint(question / np.abs(question).max() * LARGEST).astype(np.int8)
        return Nearness(known, 1 - np.asarray(simsimd.cdist(asked[np.newaxis], known.rows, "cosine"), np.float32)[0])

    def prune(self, marks: Collection[int]) -> None:
        """Drops vectors of no passage, where they have become the most by far: a revert may want them again."""
        if len(self) <= SPARE * max(len(marks), 1_000):
            return
        with self._writing():
            known = self._now()
            wanted = np.isin(known.marks, np.fromiter(marks, np.int64, len(marks)))
            rows, kept = known.rows[wanted].tobytes(), known.marks[wanted].tobytes()
            log.info("dropped %d vectors of %d", len(wanted) - int(wanted.sum()), len(wanted))
            _replace(self._marks_file, b"")  # first, lest anybody read old marks beside new rows
            _replace(self._rows_file, rows)
            _replace(self._marks_file, kept)

    def mend(self) -> None:
        """Begins anew where what is there can't be read, and says so: it can all be made again."""
        try:
            with _reading():
                self._mapped()  # and not `_now`, to which what was read before may do
        except IndexBroken as error:
            cause = error.__cause__
            if isinstance(cause, OSError) and cause.errno in PASSING:
                raise
            refuse_others((self.folder.parent,), ())
            with self._failing_as("deleted"), TemporaryDirectory(dir=self.folder.parent) as away:
                self.folder.rename(Path(away) / self.folder.name)
            log.warning("the vectors could not be read, and are made anew: %s", cause)

    def _failing_as(self, done: str) -> AbstractContextManager[None]:
        advice = f"mend that and try again; {self.folder} may be deleted, and `memory-wiki embed` makes it anew"
        return failing_as(done, what="the vectors", advice=advice)

    @contextmanager
    def _writing(self) -> Iterator[int]:
        """How many vectors there are; nobody else adds any meanwhile."""
        files = (self._lock.file, *(self.folder / name for name in FILES))
        refuse_others((self.folder.parent, self.folder), files)
        with self._failing_as("written"):
            for place in (*reversed(self.folder.parents[:3]), self.folder):
                place.mkdir(exist_ok=True)  # but not the vault, which may have been moved away
        with acquired(self._lock, LOCK_SECONDS, "another process has been embedding"), self._failing_as("written"):
            yield self._count()

    def _count(self) -> int:
        return min(_size(self._marks_file) // MARK, _size(self._rows_file) // self.dim)

    def _now(self) -> _Known:
        """What there is, with what was added since; other processes add too."""
        with _reading():
            known = self._known if (_node(self._rows_file), self._count()) == self._known.seen else None
            while known is None:
                known = self._mapped()
        self._known = known
        return known

    def _mapped(self) -> _Known | None:
        """None where another process put others in the files' place just now: marks may be of other rows then."""
        try:
            with self._marks_file.open("rb") as marks, self._rows_file.open("rb") as rows:
                of_marks, of_rows = os.fstat(marks.fileno()), os.fstat(rows.fileno())
                count = min(of_marks.st_size // MARK, of_rows.st_size // self.dim)
                if _node(self._marks_file) != of_marks.st_ino:
                    return None
                if not count:
                    return self._nothing
                mapped = np.memmap(rows, np.int8, "r", shape=(count, self.dim))
                return _Known.of((of_rows.st_ino, count), np.fromfile(marks, np.int64, count), mapped)
        except FileNotFoundError:
            return self._nothing


class Nearness:
    """Of each passage the cosine of its vector and a question's."""

    def __init__(self, known: _Known, cosines: Floats) -> None:
        self._known = known
        self._cosines = cosines

    def __len__(self) -> int:
        return len(self._cosines)

    def nearest(self, count: int) -> list[int]:
        """The marks of the `count` nearest passages, in no order."""
        if count >= len(self):
            every: list[int] = self._known.marks.tolist()
            return every
        best: list[int] = self._known.marks[np.argpartition(-self._cosines, count)[:count]].tolist()
        return best

    def nearest_among(self, marks: Collection[int], count: int) -> list[int]:
        """The same, of those of `marks` that have a vector."""
        if not len(self):
            return []
        asked = np.unique(np.fromiter(marks, np.int64, len(marks)))
        cosines, found = self._found(asked)
        asked, cosines = asked[found], cosines[found]
        best: list[int] = (asked if count >= len(asked) else asked[np.argpartition(-cosines, count)[:count]]).tolist()
        return best

    def of(self, marks: Sequence[int]) -> list[float | None]:
        """The cosines of some, None for those without a vector."""
        if not len(self):
            return [None] * len(marks)
        cosines, found = self._found(np.asarray(marks, np.int64))
        return [float(cosine) if is_there else None for cosine, is_there in zip(cosines, found, strict=True)]

    def _found(self, asked: Marks) -> tuple[Floats, NDArray[np.bool_]]:
        """Cosines, and which of them are of what was asked for."""
        places = np.minimum(np.searchsorted(self._known.in_order, asked), len(self) - 1)
        return self._cosines[self._known.order[places]], self._known.in_order[places] == asked


def _reading() -> AbstractContextManager[None]:
    return failing_as("read", what="the vectors", advice="`memory-wiki embed` makes them anew")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _node(path: Path) -> int:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def _append(path: Path, at: int, data: bytes) -> None:
    """Writes at byte `at`, over whatever was left half there; durable."""
    with path.open("r+b" if path.exists() else "xb") as file:
        file.truncate(at)
        file.seek(at)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _replace(path: Path, data: bytes) -> None:
    new = path.with_suffix(".new")
    new.write_bytes(data)
    new.replace(path)
