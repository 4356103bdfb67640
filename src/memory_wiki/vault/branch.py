"""The branch that we commit to, by `git fast-import`: neither the person's index nor their hooks take part.

One process a group of commits, and each group is a small pack of its own: see the decision page on group commit.
"""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from memory_wiki.errors import GitFailed, VaultBusy
from memory_wiki.vault.begun import Begun
from memory_wiki.vault.repository import Repository
from memory_wiki.vault.stream import OPENING, NewCommit, ending, piece

log = logging.getLogger(__name__)

# Objects and the branch are on the disk before a commit is acknowledged, and a group's objects are one file:
# https://git-scm.com/docs/git-config#Documentation/git-config.txt-corefsync and #…-fastimportunpackLimit
DURABLE = ("-c", "core.fsync=objects,reference", "-c", "core.fsyncMethod=fsync", "-c", "fastimport.unpackLimit=1")
TRIES, PAUSE = 10, 0.02  # to commit on a branch that another program moves or locks, with seconds between


class Importing:
    """A group of commits on their way to a branch. Use it in a `with`: what is not `done` by its end never was.

    Git is started at once, and takes in each commit while its caller makes the next.
    """

    def __init__(self, repository: Repository, branch: str) -> None:
        self._repository = repository
        self._branch = branch
        self._parent = ""
        self._commits: list[NewCommit] = []
        self._git = self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._commits:
            self._git.stop()
            return
        with suppress(GitFailed):  # so told, it takes back what it has begun; it would also do so at its input's end,
            self._git.answer(OPENING + ending(0))  # but a process that was forked meanwhile may hold that open

    def after(self, parent: str) -> None:
        """The commit that the first one comes after, "" for none."""
        self._parent = parent

    def add(self, commit: NewCommit) -> None:
        if not self._commits:
            self._git.feed(OPENING)
        self._commits.append(commit)
        self._git.feed(self._piece(len(self._commits)))

    def done(self, begins: Callable[[str], None]) -> list[str]:
        """Puts the commits on the branch, durably: after `parent`, or whatever another program puts there meanwhile.

        `begins` is told before each try what they come after. Gives the id of the commit before them, and theirs.
        Raises `VaultBusy` where another program does not let go of the branch, `GitFailed` for what fails twice, as a
        `git gc --prune=now` takes away a pack that is half-written; with nothing moved.
        """
        tries = TRIES
        while True:
            begins(self._parent)
            try:
                return [self._parent, *self._ids()]
            except (VaultBusy, GitFailed) as error:
                tries -= 1 if isinstance(error, VaultBusy) else TRIES // 2
                if tries <= 0:
                    raise
            time.sleep(PAUSE)
            self._begin_again()

    def _begin(self) -> Begun:
        return self._repository.begin(*DURABLE, "fast-import", "--quiet", "--date-format=raw")

    def _begin_again(self) -> None:
        tip = self._repository.run("rev-parse", "--quiet", "--verify", f"refs/heads/{self._branch}", fail_as="")
        self._parent = tip.decode().strip()
        self._git = self._begin()
        self._git.feed(OPENING)
        for mark in range(1, len(self._commits) + 1):
            self._git.feed(self._piece(mark))

    def _piece(self, mark: int) -> bytes:
        return piece(self._branch, mark, self._parent, self._commits[mark - 1], self._repository.prefix)

    def _ids(self) -> list[str]:
        try:
            out = self._git.answer(ending(len(self._commits)))
        except GitFailed as error:
            if "Not updating" in error.said:
                raise VaultBusy(f"the branch {self._branch} moved while we wrote to it; try again") from None
            if "cannot lock ref" in error.said:
                raise VaultBusy(f"another program has {self._branch} locked: {error}") from None
            raise
        ids = out.decode().split()
        log.info("committed %d to %s, now at %s", len(ids), self._branch, ids[-1])
        return ids
