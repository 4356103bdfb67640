"""The many small packs that groups of commits leave, put together while nobody waits.

Git itself does it: `git repack --geometric` rewrites only the small ones, so that each object is rewritten but a few
times, and deletes nothing that any worktree, branch or reflog needs. Who has turned git's own tidying off
(`gc.auto=0`) is left alone.
"""

import time
from contextlib import suppress
from pathlib import Path

from memory_wiki.errors import GitFailed
from memory_wiki.vault.repository import Repository

PACKS = 20  # well below git's own limit of 50: https://git-scm.com/docs/git-gc#Documentation/git-gc.txt-gcautoPackLimit
PAUSE = 20.0  # seconds between two, so that processes that come one after another start it once
MANY = 100  # packs, from which on it is time at once: each takes two blocks of the disk, however small it is
STAMP = "tidied"
TIDY = ("repack", "-d", "--geometric=2", "--quiet")  # git older than 2.32 refuses, and packs stay for its own `gc`


def tidy(repository: Repository, own_folder: Path) -> None:
    """Has packs put together by a process that nobody waits for, where there are many; whatever comes of it."""
    folder, stamp = repository.common_folder / "objects" / "pack", own_folder / STAMP
    with suppress(OSError, GitFailed):
        packs = sum(1 for _ in folder.glob("*.pack"))
        if packs < PACKS or (packs < MANY and _is_recent(stamp)) or repository.is_busy_behind():
            return
        if repository.run("config", "--type=int", "--get", "gc.auto", fail_as="").strip() == b"0":
            return
        stamp.touch()
        repository.start_behind(*TIDY)


def _is_recent(stamp: Path) -> bool:
    try:
        return 0 <= time.time() - stamp.stat().st_mtime < PAUSE
    except FileNotFoundError:
        return False
