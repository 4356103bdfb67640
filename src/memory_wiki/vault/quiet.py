"""Whether git is at work in the folder, so that what is there is not what anybody means it to be yet.

A checkout locks the index while it writes file after file, puts the new index in place, and moves HEAD a moment later.
So what was read while the index stayed as it was, with no lock beside it, and some time after it was last replaced, is
of one branch, and of the one that HEAD says.
"""

import time
from collections.abc import Callable
from pathlib import Path

from memory_wiki.errors import VaultBusy

Stamp = tuple[int, int]

PATIENCE = 1.0  # seconds that a reader waits for git, before it answers from what is there
AFTER = 0.25  # seconds between git's index of a branch and its word that HEAD is there: commonly it takes a hundredth
POLL = 0.002  # seconds
FORGOTTEN = 600.0  # seconds, after which a lock is of a git that was stopped


def quiet(git_folder: Path, ours: Callable[[], Stamp]) -> Stamp:
    """The index as it is while nobody is at work; waits a while for that, then raises `VaultBusy`.

    `ours` gives the index as we left it ourselves last, which nobody moves HEAD after.
    """
    end = time.monotonic() + PATIENCE
    while (found := at_rest(git_folder, ours)) is None:
        if time.monotonic() > end:
            raise VaultBusy(_why(git_folder))
        time.sleep(POLL)
    return found


def at_rest(git_folder: Path, ours: Callable[[], Stamp]) -> Stamp | None:
    """The same without waiting; None while somebody is at work."""
    found = stamp(git_folder)
    is_fresh = _age(git_folder / "index") < AFTER and found != ours()
    return None if is_fresh or _is_held(git_folder) else found


def is_since(git_folder: Path, since: Stamp) -> bool:
    """Whether nobody has been at work since."""
    return stamp(git_folder) == since and not _is_held(git_folder)


def check(git_folder: Path, since: Stamp) -> None:
    """Raises `VaultBusy` where git has been at work since."""
    if not is_since(git_folder, since):
        raise VaultBusy(_why(git_folder))


def stamp(git_folder: Path) -> Stamp:
    """Changes whenever the index is replaced."""
    try:
        found = (git_folder / "index").stat()
    except OSError:
        return 0, 0
    return found.st_ino, found.st_mtime_ns


def _why(git_folder: Path) -> str:
    lock = git_folder / "index.lock"
    return f"git is at work here ({lock}); try again when it is done, or delete that file if no git runs"


def _is_held(git_folder: Path) -> bool:
    return _age(git_folder / "index.lock") < FORGOTTEN


def _age(file: Path) -> float:
    """Seconds since it was written; of one that is not there, or of another time, long ago."""
    try:
        age = time.time() - file.stat().st_mtime
    except OSError:
        return FORGOTTEN
    return age if age > -AFTER else FORGOTTEN
