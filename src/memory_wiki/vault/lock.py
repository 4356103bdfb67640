"""One writer at a time, over all processes. The only file that imports filelock."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memory_wiki.errors import Broken, VaultBusy

if TYPE_CHECKING:
    import filelock

POLL_SECONDS = 0.002  # between two tries for a lock that another process has


class FileLock:
    """A file that one holder at a time locks; threads may share it. Whoever only reads never opens it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._opened: filelock.BaseFileLock | None = None
        self._mutex = threading.Lock()

    @property
    def is_locked(self) -> bool:
        """Whether this thread holds it."""
        return self._opened is not None and self._opened.is_locked

    def opened(self) -> "filelock.BaseFileLock":
        import filelock

        with self._mutex:
            if self._opened is None:
                self._opened = filelock.FileLock(self.file)
            return self._opened


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
        lock.opened().release()


def _is_taken(lock: FileLock) -> bool:
    """Tries once; raises `Broken` where the file can't be had."""
    vault = lock.file.parent.parent
    if not vault.is_dir():  # filelock would make it anew, and who brings it back would find its place taken
        raise Broken(f"{vault} is gone; bring it back, or open it where it is now")
    try:
        lock.opened().acquire(timeout=0)
    except TimeoutError:  # filelock's own is one
        return False
    except OSError as error:
        raise Broken(f"{lock.file} can't be written to: {error.strerror}; mend that and try again") from None
    return True
