"""One writer at a time, over all processes and threads."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_wiki.errors import Broken, VaultBusy

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

POLL_SECONDS = 0.002  # between two tries for a lock that another holder has


class FileLock:
    """A file that one thread of one process at a time locks, until it lets go or ends. Who only reads opens none.

    It may be taken more than once by the thread that has it. Its folder is made where that is missing, and none above:
    that would stand in the way of who brings back a vault that was moved.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._held = _Held()

    @property
    def is_locked(self) -> bool:
        """Whether this thread holds it."""
        return self._held.times > 0

    def take(self) -> bool:
        """Whether it is ours now; raises `OSError` where the file can't be had."""
        if not self._held.times:
            with suppress(FileExistsError):
                self.file.parent.mkdir()
            file = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _lock(file)
            except (BlockingIOError, PermissionError):  # another has it: flock says the first, Windows the second
                os.close(file)
                return False
            except BaseException:
                os.close(file)
                raise
            self._held.file = file
        self._held.times += 1
        return True

    def release(self) -> None:
        """Gives back what was taken last."""
        self._held.times -= 1
        if not self._held.times:
            _unlock(self._held.file)
            os.close(self._held.file)


class _Held(threading.local):
    """How often this thread has taken the lock, and the file that it has open for it."""

    times = 0
    file = -1


@contextmanager
def acquired(lock: FileLock, seconds: float, whose: str) -> Iterator[None]:
    """The lock is ours; raises `VaultBusy` with what `whose` says after so many seconds. May be nested."""
    end = time.monotonic() + seconds
    while not _is_taken(lock):
        if time.monotonic() > end:
            waited = f" for {seconds:.0f} s" if seconds else ""
            raise VaultBusy(f"{whose}{waited}; try again when it is done")
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        lock.release()


def _is_taken(lock: FileLock) -> bool:
    """Tries once; raises `Broken` where the file can't be had."""
    try:
        return lock.take()
    except FileNotFoundError:
        raise Broken(f"{lock.file.parent.parent} is gone; bring it back, or open it where it is now") from None
    except OSError as error:
        raise Broken(f"{lock.file} can't be written to: {error.strerror}; mend that and try again") from None


if sys.platform == "win32":

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _unlock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
