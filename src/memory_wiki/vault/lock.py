"""One writer at a time, over all processes. The only file that imports filelock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from memory_wiki.errors import Broken, VaultBusy

POLL_SECONDS = 0.002  # between two tries for a lock that another process has

__all__ = ["FileLock", "acquired"]


@contextmanager
def acquired(lock: FileLock, seconds: float, whose: str) -> Iterator[None]:
    """The lock is ours; raises `VaultBusy` with what `whose` says after so many seconds. May be nested."""
    vault = Path(lock.lock_file).parent.parent
    if not vault.is_dir():  # filelock would make it anew, and who brings it back would find its place taken
        raise Broken(f"{vault} is gone; bring it back, or open it where it is now")
    try:
        lock.acquire(timeout=seconds, poll_interval=POLL_SECONDS)
    except Timeout:
        raise VaultBusy(f"{whose} for {seconds:.0f} s; try again when it is done") from None
    except OSError as error:
        raise Broken(f"{lock.lock_file} can't be written to: {error.strerror}; mend that and try again") from None
    try:
        yield
    finally:
        lock.release()
