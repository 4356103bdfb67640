"""The branch that we commit to, by `git fast-import`: neither the person's index nor their hooks take part.

One process a group of commits, and each group is a small pack of its own: see the decision page on group commit.
"""

import logging
import time
from collections.abc import Callable, Sequence

from memory_wiki.errors import GitFailed, VaultBusy
from memory_wiki.vault.repository import Repository
from memory_wiki.vault.stream import NewCommit, stream

log = logging.getLogger(__name__)

# Objects and the branch are on the disk before a commit is acknowledged, and a group's objects are one file:
# https://git-scm.com/docs/git-config#Documentation/git-config.txt-corefsync and #…-fastimportunpackLimit
DURABLE = ("-c", "core.fsync=objects,reference", "-c", "core.fsyncMethod=fsync", "-c", "fastimport.unpackLimit=1")
TRIES, PAUSE = 10, 0.02  # to commit on a branch that another program moves or locks, with seconds between


def commit_on_top(
    repository: Repository, name: str, parent: str, commits: Sequence[NewCommit], begins: Callable[[str], None]
) -> list[str]:
    """Puts durable commits on the branch of that name, after `parent` or whatever another program puts there meanwhile.

    `begins` is told before each try what they would come after. Gives the id of the commit before them, and theirs.
    Raises `VaultBusy` where another program does not let go of the branch, else `GitFailed`.
    """
    tries = TRIES
    while True:
        begins(parent)
        try:
            return [parent, *commit(repository, name, parent, commits)]
        except VaultBusy:
            tries -= 1
            if not tries:
                raise
            time.sleep(PAUSE)
            out = repository.run("rev-parse", "--quiet", "--verify", f"refs/heads/{name}", fail_as="")
            parent = out.decode().strip()


def commit(repository: Repository, branch: str, parent: str, commits: Sequence[NewCommit]) -> list[str]:
    """Puts durable commits on the branch, one after another; gives their ids.

    Raises `VaultBusy` where the branch is no longer at `parent`, or locked, with nothing moved, else `GitFailed`.
    """
    data = b"".join(stream(f"refs/heads/{branch}", parent, commits, repository.prefix))
    try:
        out = repository.run(*DURABLE, "fast-import", "--quiet", "--done", "--date-format=raw", stdin=data)
    except GitFailed as error:
        if "Not updating" in error.said:
            raise VaultBusy(f"the branch {branch} moved while we wrote to it; try again") from None
        if "cannot lock ref" in error.said:
            raise VaultBusy(f"another program has {branch} locked: {error}") from None
        raise
    ids = out.decode().split()
    log.info("committed %d to %s, now at %s", len(ids), branch, ids[-1])
    return ids
