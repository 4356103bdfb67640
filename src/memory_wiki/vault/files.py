"""Files on disk: read without following a link out of the vault, and written whole and durable or not at all.

Never reads git, never decides. A reader of the folder sees the old bytes or the new ones, never half a page.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from memory_wiki.errors import BadPath, Broken, PageExists, PageNotFound
from memory_wiki.page.path import PagePath
from memory_wiki.vault.lease import nobody_writing

AHEAD = 16  # files handed to the disk before the first is waited for, which takes a third of the time
SHARE = 16  # files that a thread hands to the disk before it waits for each of them
MANY, WAITING = 64, 2  # files, and threads that wait for the disk from then on: for fewer they cost more than they save


class Places:
    """Where pages are or will be on the disk.

    A folder found to be the vault's own is not looked at again while it is the same; so this is kept for a group only.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._own: dict[str, tuple[int, int]] = {}

    def of(self, path: PagePath) -> Path:
        """Raises `BadPath` where a link leads elsewhere."""
        self._has_folder(path)
        target = f"{self.root}/{path}"
        if os.path.islink(target):  # noqa: PTH114
            raise BadPath(path, "it is a symbolic link; pages are ordinary files")
        return Path(target)

    def with_folder(self, path: PagePath) -> Path:
        """For a page that is not there, nor anything else: its folder is made where that is missing."""
        if not self._has_folder(path):
            self._make((self.root / path).parent)
            self._has_folder(path)
        return self.root / path

    def _has_folder(self, path: PagePath) -> bool:
        """Whether its folder is there and no link; raises `BadPath` for one that is not the vault's own."""
        top, folder = str(self.root), path.rpartition("/")[0]
        here = _identity(f"{top}/{folder}")
        if here is not None and here == self._own.get(folder):
            return True
        above = folder
        while above:
            if os.path.lexists(f"{top}/{above}/.git"):
                raise BadPath(path, "it is in a repository of its own")
            above = above.rpartition("/")[0]
        inside, real = os.path.realpath(f"{top}/{folder}"), _real(top)
        if inside != real and not inside.startswith(real.rstrip(os.sep) + os.sep):
            raise BadPath(path, "a symbolic link leads out of the vault")
        if here is not None:
            self._own[folder] = here
        return here is not None

    def _make(self, folder: Path) -> None:
        missing = [f for f in (folder, *folder.parents) if f.is_relative_to(self.root) and not f.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise broken(error, folder) from None
        for made in missing:
            sync(made.parent)


def _identity(folder: str) -> tuple[int, int] | None:
    """Of the folder itself, which no link in its place has; None where there is none."""
    try:
        found = os.lstat(folder)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def read(root: Path, path: PagePath) -> bytes:
    """The page's bytes; raises `PageNotFound`, or `BadPath` where a link is in the way."""
    with _opened(root, path) as file:
        return file.read()


def read_settled(root: Path, path: PagePath) -> bytes:
    """The same, but raises `VaultBusy` while another program has the page open for writing, where the system tells."""
    with _opened(root, path) as file, nobody_writing(file.fileno(), path):
        return file.read()


def _opened(root: Path, path: PagePath) -> BinaryIO:
    try:
        descriptor = os.open(Places(root).of(path), os.O_RDONLY | _NO_FOLLOW | _NO_WAIT)
    except (FileNotFoundError, NotADirectoryError):
        raise PageNotFound(path) from None
    except OSError as error:
        raise broken(error, path) from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadPath(path, "it is no ordinary file")
    return os.fdopen(descriptor, "rb")


def exists(root: Path, path: PagePath) -> bool:
    """Whether anything at all has this name, a broken link included."""
    return os.path.lexists(f"{root}/{path}")


def is_same(root: Path, path: PagePath, other: PagePath) -> bool:
    """Whether two names lead to one file, as those that differ by case do on a disk that ignores it."""
    try:
        return (root / path).samefile(root / other)
    except OSError:
        return False


def is_executable(root: Path, path: PagePath) -> bool:
    try:
        return bool(os.lstat(f"{root}/{path}").st_mode & stat.S_IXUSR)
    except OSError:
        return False


def walk(root: Path) -> Iterator[str]:
    """Every file below the folder, relative to it, and every linked folder, which is not entered; nothing hidden."""
    for folder, names, found in os.walk(root):
        names[:] = [name for name in names if not name.startswith(".")]
        found += [name for name in names if Path(folder, name).is_symlink()]
        yield from (os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in found)  # noqa: PTH118 - bytes that are no Unicode


def why_no_page(root: Path, path: str) -> str:
    """What keeps a file that is named like a page from being one."""
    if (root / path).is_symlink():
        return "it is a symbolic link, which is not followed; put what it leads to here instead"
    if not (root / path).is_file():
        return "it is no ordinary file"
    try:
        path.encode()
    except UnicodeEncodeError:
        return "its name is no valid UTF-8; rename it"
    return "git ignores it, or it is in a repository of its own; see `git check-ignore -v`"


def stage_each(tmp: Path, texts: Sequence[bytes]) -> Generator[Path | Broken, None, None]:
    """Each text in a new file of the folder `tmp`, on the disk for good once it is given; or why it can't be.

    A full disk shows here, before a page changed.
    """
    if len(texts) < MANY:
        yield from _staged(tmp, texts)
        return
    from concurrent.futures import ThreadPoolExecutor

    shares = [texts[start : start + SHARE] for start in range(0, len(texts), SHARE)]
    with ThreadPoolExecutor(WAITING) as pool:
        for share in pool.map(lambda share: [*_staged(tmp, share)], shares):
            yield from share


def _staged(tmp: Path, texts: Sequence[bytes]) -> Generator[Path | Broken, None, None]:
    begun: deque[_Begun] = deque()
    try:
        for data in texts:
            begun.append(_Begun(tmp / os.urandom(8).hex()))
            begun[-1].write(data)
            if len(begun) > AHEAD:
                yield begun.popleft().done()
        while begun:
            yield begun.popleft().done()
    finally:
        for one in begun:
            one.close()


class _Begun:
    """A file on its way to the disk; what goes wrong is told when it is done."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1
        self._error: OSError | None = None

    def write(self, data: bytes) -> None:
        left = memoryview(data)
        try:
            self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
            while left:
                left = left[os.write(self._descriptor, left) :]
            if hasattr(os, "posix_fadvise"):  # Linux then begins to write; the others do so when it is synced
                with suppress(OSError):
                    os.posix_fadvise(self._descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        except OSError as error:
            self._error = error

    def done(self) -> Path | Broken:
        try:
            if self._error is None:
                os.fsync(self._descriptor)
        except OSError as error:
            self._error = error
        finally:
            self.close()
        return self._path if self._error is None else broken(self._error, self._path)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def create(places: Places, path: PagePath, staged: Path) -> None:
    """The staged file becomes a page that was not there; raises `PageExists`."""
    target = places.with_folder(path)
    try:
        os.link(staged, target)  # unlike a rename, a link never takes another file's place
    except FileExistsError:
        raise PageExists(path) from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise broken(error, path) from None
        if exists(places.root, path):
            raise PageExists(path) from None
        staged.rename(target)
        return
    staged.unlink()


def replace(places: Places, path: PagePath, staged: Path) -> None:
    """The staged file takes the page's place, keeping its permissions."""
    target = places.of(path)
    try:
        staged.chmod(stat.S_IMODE(target.stat().st_mode))
        staged.replace(target)
    except OSError as error:
        raise broken(error, path) from None


def move(places: Places, path: PagePath, to: PagePath) -> None:
    """The page gets another name; raises `PageExists`."""
    source, target = places.of(path), places.of(to)
    if exists(places.root, to) and not is_same(places.root, path, to):
        raise PageExists(to)
    places.with_folder(to)
    try:
        source.rename(target)
    except OSError as error:
        raise broken(error, path) from None


def clear(tmp: Path) -> None:
    """Empties the folder of staged files; whoever holds the lock may, as nobody else is writing."""
    for left in tmp.iterdir():
        left.unlink(missing_ok=True)


_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EMLINK}  # what exFAT and some network disks say to a hard link
_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)  # Windows has neither
_BINARY: int = getattr(os, "O_BINARY", 0)  # which only Windows has
_NO_WAIT: int = getattr(os, "O_NONBLOCK", 0)  # a pipe named like a page must not hang us


@lru_cache(maxsize=16)
def _real(top: str) -> str:
    """The vault's own place, which does not change while it is open: asked for with each page."""
    return os.path.realpath(top)


def sync(folder: Path) -> None:
    """The names in the folder are on the disk for good."""
    with suppress(PermissionError):  # Windows can't open a folder, and needs no such sync
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def broken(error: OSError, path: PagePath | Path) -> Broken:
    """What the system said of a file, as an error of ours."""
    return Broken(f"{path}: {said(error)}; mend that and try again")


def said(error: OSError) -> str:
    return error.strerror or str(error)
