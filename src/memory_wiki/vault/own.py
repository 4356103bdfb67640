"""`.memory-wiki/`, the vault's folder for what is derived and passing. It ignores itself, and only its owner reads it.

A clone may bring one along, so nothing in it is trusted to be what its name says: a link would let us write, or
delete, wherever a stranger wished. Where one may not write in the vault, a folder of this process's own stands in.
"""

import errno
import logging
import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from memory_wiki.errors import Broken, Refused

log = logging.getLogger(__name__)

OWN = ".memory-wiki"
FOLDERS = ("", "cookies", "index", "index/vectors", "index/words", "tmp", "uses")
FILES = (
    ".gitignore",
    "embedding.lock",
    "index.lock",
    "lock",
    "staging.lock",
    "tidied",
    "unstaged.jsonl",
    "unstaged.jsonl-claimed",
)
NOT_OURS = {errno.EACCES, errno.EPERM, errno.EROFS}  # what a folder answers that is only for reading

Stamp = tuple[int, int, int]
"""Which file it is, when it was written last, in nanoseconds, and how many bytes it has; zeros for none."""


def stamp_of(file: Path) -> Stamp:
    """Changes when somebody writes a file of what is derived, or deletes it."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_mtime_ns, found.st_size


class OwnFolder:
    """The folder, made where it is missing; raises `Refused` where something else has one of its names."""

    def __init__(self, root: Path) -> None:
        self._passing: TemporaryDirectory[str] | None = None
        self.path = root / OWN
        self.read_only = ""
        """Why nothing can be written in the vault, and what to do; "" where it can."""
        try:
            _make(self.path)
        except OSError as error:
            if error.errno not in NOT_OURS:
                raise Broken(
                    f"{self.path} can't be used: {error.strerror}; this vault needs a folder that you may write to"
                ) from None
            self._stand_in(f"{self.path} can't be written to: {error.strerror}")

    def _stand_in(self, why: str) -> None:
        self._passing = TemporaryDirectory(prefix="memory-wiki-", ignore_cleanup_errors=True)
        made = Path(self._passing.name)
        with suppress(OSError, shutil.Error):  # one that can't be read is made anew
            shutil.copytree(self.path / "index", made / "index", symlinks=True)
        self.path = made
        self.read_only = f"{why}; so this vault is only read: a write needs a folder that you may write to"
        log.warning("%s", self.read_only)

    def mend(self) -> None:
        """Makes it anew where somebody has deleted it, as one may at any moment; or what keeps it out of git."""
        if not self.read_only and not (self.path / ".gitignore").exists():
            with suppress(OSError):  # of a vault that is gone, whoever looks next will say so
                _make(self.path)

    def close(self) -> None:
        """Deletes it, where it stood in for the vault's own."""
        if self._passing is not None:
            self._passing.cleanup()


def append_line(folder: Path, name: str, line: str) -> None:
    """To a file of a folder of ours, both made where missing; in one write, so that lines of several do not mix.

    Raises `Refused` where a link has one of their names, `Broken` where the disk fails.
    """
    file = folder / name
    refuse_others([folder], [file])
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        opened = os.open(file, flags, 0o600)
        try:
            os.write(opened, line.encode("utf-8", "replace") + b"\n")
        finally:
            os.close(opened)
    except OSError as error:
        raise Broken(f"{file} can't be written: {error.strerror}; nothing was noted, so try again") from None


def refuse_others(folders: Iterable[Path], files: Iterable[Path]) -> None:
    """Raises `Refused` where something else, or a link, has the name of a folder or file of ours."""
    for place in folders:
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise Refused(f"{place} must be a folder of this vault, and is not: see what it was for, and delete it")
    for place in files:
        if place.is_symlink() or (place.exists() and not place.is_file()):
            raise Refused(f"{place} must be a file of this vault, and is not: see what it was for, and delete it")


def _make(folder: Path) -> None:
    refuse_others((folder / name for name in FOLDERS), (folder / name for name in FILES))
    folder.mkdir(mode=0o700, exist_ok=True)
    if not (ignore := folder / ".gitignore").exists():
        ignore.write_text("*\n", encoding="utf-8")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "one may not write there")
