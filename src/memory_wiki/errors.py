"""The one tree of errors. A class has a stable code, an exit code, and its facts as attributes.

    MemoryWikiError                 error             1
    ├── BadInput                    bad-input         2   what was asked cannot be meant
    │   ├── BadPath                 bad-path              a path that leaves the vault, or is no page's
    │   ├── BadPage                 bad-page              text that cannot become a page
    │   │   └── BadMemory           bad-memory            one of several texts that were to become pages
    │   ├── BadRevision             bad-revision          no version, commit or date
    │   └── BadConfig               bad-config            a setting that cannot be meant
    ├── NotFound                    not-found         3
    │   ├── ModelNotFound           model-not-found       neither known, nor in that folder
    │   │   └── ModelOff            model-off             words alone are wanted
    │   ├── PageNotFound            page-not-found
    │   ├── ProjectNotFound         project-not-found
    │   ├── VersionNotFound         version-not-found
    │   └── VaultNotFound           vault-not-found
    ├── Clash                       clash             4   the page is not what the caller thought
    │   ├── Conflict                conflict              the page moved on since it was read
    │   ├── PageExists              page-exists
    │   └── Ambiguous               ambiguous             a name that several pages answer to
    ├── VaultBusy                   busy              5   a lock, a merge or a rebase is in the way
    ├── Refused                     refused           6   allowed by nobody: outside the fence
    │   └── VaultTooNew             vault-too-new
    └── Broken                      broken            7   git, the disk or the index failed
        ├── GitFailed               git-failed
        ├── NotCommitted            not-committed         written to the folder, not yet to history
        ├── IndexBroken             index-broken
        ├── ModelNotFetched         model-not-fetched     no network, no pip, or another file than the known one
        └── ModelBroken             model-broken          its files don't load, or give no vectors

Every message says what to do next. Faces map codes to their protocol; nothing else knows exit codes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar


class MemoryWikiError(Exception):
    """Anything this package raises on purpose."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __reduce__(self) -> tuple[object, ...]:
        """As pickle takes it: by what it says, as what it was made of differs from class to class."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class BadInput(MemoryWikiError):
    code = "bad-input"
    exit_code = 2


class BadPath(BadInput):
    code = "bad-path"

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path!r} can't be a page: {why}")
        self.path = path


class BadPage(BadInput):
    code = "bad-page"


class BadMemory(BadPage):
    """Which of several memories, counted from 0, and what is wrong with it; none of them was written."""

    code = "bad-memory"

    def __init__(self, number: int, error: BadInput) -> None:
        super().__init__(f"memory {number + 1}: {error}; nothing was written")
        self.number = number
        self.error = error


class BadRevision(BadInput):
    code = "bad-revision"

    def __init__(self, revision: str, why: str) -> None:
        super().__init__(
            f"{revision!r} names no version: {why}; give a version or commit from `memory-wiki log`,"
            " or a date as 2026-11-30"
        )
        self.revision = revision


class BadConfig(BadInput):
    code = "bad-config"


class NotFound(MemoryWikiError):
    code = "not-found"
    exit_code = 3


class PageNotFound(NotFound):
    code = "page-not-found"

    def __init__(self, name: str, hint: str = "`memory-wiki list` shows the pages there are") -> None:
        super().__init__(f"no page {name!r}; {hint}")
        self.name = name


class ProjectNotFound(NotFound):
    code = "project-not-found"

    def __init__(self, name: str, near: Sequence[str]) -> None:
        meant = f"did you mean {' or '.join(near)}?" if near else "`memory-wiki list --type project` shows them"
        super().__init__(f"no project {name!r}; {meant}")
        self.name = name
        self.near = tuple(near)


class VersionNotFound(NotFound):
    code = "version-not-found"

    def __init__(self, name: str, revision: str) -> None:
        super().__init__(f"{name!r} has no version at {revision!r}; `memory-wiki log` shows the ones it has")
        self.name = name
        self.revision = revision


class VaultNotFound(NotFound):
    code = "vault-not-found"

    def __init__(self, where: Path) -> None:
        super().__init__(f"{where} is no vault; `memory-wiki init {where}` makes one there")
        self.where = where


class ModelNotFound(NotFound):
    code = "model-not-found"


class ModelOff(ModelNotFound):
    code = "model-off"


class Clash(MemoryWikiError):
    code = "clash"
    exit_code = 4


class Conflict(Clash):
    """The page's version is not the expected one; both are blob ids, "" for a page that is not there."""

    code = "conflict"

    def __init__(self, path: str, *, wanted: str, found: str) -> None:
        super().__init__(
            f"{path} moved on: expected version {wanted[:12] or 'none'}, found {found[:12] or 'none'};"
            " read it again and repeat the change on what it says now"
        )
        self.path = path
        self.wanted = wanted
        self.found = found


class PageExists(Clash):
    code = "page-exists"

    def __init__(self, path: str, hint: str = "choose another name, or edit that page") -> None:
        super().__init__(f"{path} exists already; {hint}")
        self.path = path


class Ambiguous(Clash):
    code = "ambiguous"

    def __init__(self, name: str, paths: Sequence[str]) -> None:
        super().__init__(f"{name!r} may mean {', '.join(paths)}; give the path")
        self.name = name
        self.paths = tuple(paths)


class VaultBusy(MemoryWikiError):
    code = "busy"
    exit_code = 5


class Refused(MemoryWikiError):
    code = "refused"
    exit_code = 6


class VaultTooNew(Refused):
    code = "vault-too-new"

    def __init__(self, found: int, known: int) -> None:
        super().__init__(
            f"this vault has format {found}, and this program knows up to {known};"
            " `pip install --upgrade memory-wiki` brings a newer one"
        )
        self.found = found
        self.known = known


class Broken(MemoryWikiError):
    code = "broken"
    exit_code = 7


class GitFailed(Broken):
    code = "git-failed"

    def __init__(self, command: str, said: str) -> None:
        reason = " ".join(line.strip() for line in said.splitlines() if line.strip()) or "it gave no reason"
        super().__init__(f"`git {command}` failed: {reason}; mend that and try again")
        self.command = command
        self.said = said


class NotCommitted(Broken):
    code = "not-committed"

    def __init__(self, paths: Sequence[str], why: str) -> None:
        named = paths[0] if len(paths) == 1 else f"{len(paths)} pages"
        super().__init__(
            f"{named} written to the folder, but not committed yet: {why};"
            " do not repeat this: the next command commits it"
        )
        self.paths = tuple(paths)


class IndexBroken(Broken):
    code = "index-broken"


class ModelNotFetched(Broken):
    code = "model-not-fetched"

    def __init__(self, why: str) -> None:
        super().__init__(f"{why}; nothing was installed: mend that and try again, words find pages meanwhile")


class ModelBroken(Broken):
    code = "model-broken"

    def __init__(self, where: Path, why: str) -> None:
        reason = " ".join(why.split()) or "it gave no reason"
        super().__init__(f"the model {where} can't be used: {reason}; `memory-wiki model install` brings a sound one")
        self.where = where
