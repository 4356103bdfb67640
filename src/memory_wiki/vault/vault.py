"""The vault: one folder of pages whose every change is a commit. Lock, compare-and-write, apply.

Never asks the index; of a page it reads the title alone, for the log. Effects go page, commit, the person's git index.
Bytes that are not in history yet are committed before anything of ours takes their place.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from filelock import FileLock, Timeout

from memory_wiki.config import Config
from memory_wiki.errors import BadPath, Broken, NotCommitted, Refused, VaultBusy
from memory_wiki.page.change import Actor, Change, Create, Plan, message
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, Version, is_page
from memory_wiki.vault import files
from memory_wiki.vault.history import History
from memory_wiki.vault.outside import describe
from memory_wiki.vault.own import own_folder
from memory_wiki.vault.staging import bring_along, note
from memory_wiki.vault.stream import NewCommit
from memory_wiki.vault.writing import bytes_on_disk, contents, version_on_disk, versions, write

Contents = Mapping[PagePath, bytes | None]

LOCK_SECONDS = 30.0  # a batch of thousands of pages holds the lock for some seconds
PATIENCE = 5.0  # seconds that a reader waits to index what changed, before it answers from what is indexed
TRIES = 5  # to commit on a branch that another program keeps moving


@dataclass(frozen=True, slots=True)
class Seen:
    """The folder as it is: the commit at HEAD, and each page on disk that differs from it (None: gone).

    A page that can't be read is not gone: `unreadable` has it, with the reason, and everything else leaves it be.
    """

    head: str
    branch: str
    differs: Mapping[PagePath, Version | None]
    unreadable: Mapping[PagePath, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Applied:
    """A plan done: its commit, and the version of each page it wrote (None: no longer there)."""

    commit: str
    versions: Mapping[PagePath, Version | None]
    seen: Seen
    """The folder as it is once this and its companions are done."""

    @property
    def present(self) -> tuple[PagePath, ...]:
        """The pages that are there now."""
        return tuple(path for path, version in self.versions.items() if version)


class Vault:
    """The pages below `root`, with their history."""

    def __init__(self, root: Path, config: Config) -> None:
        """Raises `VaultNotFound` where no repository holds `root`, `Refused` where its own folder is a trap."""
        self.root = root
        self.config = config
        self.history = History(root)
        if not self.history.is_sha1:
            raise Refused(f"the repository of {root} names objects by SHA-256, which is not supported; use a SHA-1 one")
        self.own_folder = own_folder(root)
        self._unstaged = self.own_folder / "unstaged.json"
        self._lock = FileLock(self.own_folder / "lock")

    def close(self) -> None:
        self.history.close()

    @contextmanager
    def locked(self, seconds: float = LOCK_SECONDS) -> Iterator[None]:
        """Nobody else writes meanwhile, in any process; raises `VaultBusy` after so many seconds. May be nested."""
        try:
            self._lock.acquire(timeout=seconds)
        except Timeout:
            raise VaultBusy(
                f"another process has been writing to {self.root} for {seconds:.0f} s; try again when it is done"
            ) from None
        except OSError as error:
            raise Broken(f"{self.own_folder} can't be written to: {error.strerror}; mend that and try again") from None
        try:
            yield
        finally:
            self._lock.release()

    @cached_property
    def attributes(self) -> dict[str, str]:
        """What git's attributes ask to be done to a page's bytes; nothing, in a vault as `init` makes it."""
        return self.history.attributes()

    @property
    def is_locked(self) -> bool:
        """Whether this thread holds the lock."""
        return self._lock.is_locked

    def read(self, path: PagePath) -> bytes:
        """The page's bytes on disk; raises `PageNotFound`."""
        return files.read(self.root, path)

    def is_ignored(self, path: PagePath) -> bool:
        """Whether git's ignore rules keep a page out of the vault."""
        return self.history.is_ignored(path)

    def is_folder(self, path: str) -> bool:
        return os.path.isdir(self.root / path)  # noqa: PTH112 - Path.is_dir raises for a name that is too long

    def exists(self, path: PagePath) -> bool:
        """Whether anything at all has this name."""
        return files.exists(self.root, path)

    def catch_index_up(self) -> None:
        """Brings git's index along for what could not be while another program had it locked."""
        if self._unstaged.exists():
            with self.locked(PATIENCE):
                bring_along(self.history, self._unstaged)

    def look(self) -> Seen:
        """What is on disk now. One `git status`; reads only the files that git says differ."""
        status = self.history.status_refreshed() if self.is_locked else self.history.status()
        pages = [PagePath(path) for path in status.changed if is_shareable(path)]
        before = self.history.versions(status.head, pages) if pages else {}
        now: dict[PagePath, Version | None] = {}
        unreadable: dict[PagePath, str] = {}
        for path in pages:
            if path not in before and (self.root / path).is_symlink():
                continue  # no page, and never was one here
            try:
                now[path] = version_on_disk(self.root, path)
            except (BadPath, Broken) as error:
                unreadable[path] = str(error)
        differs = {path: version for path, version in now.items() if version != before.get(path)}
        return Seen(status.head, status.branch, differs, unreadable)

    def pages(self, seen: Seen) -> dict[PagePath, Version]:
        """Every page and its version, as seen: linear in pages, for rebuilding and for proof."""
        committed = {path: v for path, v in self.history.versions(seen.head).items() if is_shareable(path)}
        now = {**committed, **seen.differs}
        return {path: version for path, version in now.items() if version}

    def hashed(self) -> dict[PagePath, Version]:
        """Every page and its version by its bytes alone, without git's word that it is unchanged. Reads every page."""
        found: dict[PagePath, Version] = {}
        for path in filter(is_shareable, self.history.files()):
            with suppress(BadPath, Broken):
                if version := version_on_disk(self.root, PagePath(path)):
                    found[PagePath(path)] = version
        return found

    def strangers(self) -> Iterator[tuple[str, str]]:
        """Files that look like pages and may be none, each with why that is; walks the whole folder."""
        for path in files.walk(self.root):
            if is_page(path) or (self.root / path).is_dir():
                yield path, files.why_no_page(self.root, path)

    def why_not_commit(self, seen: Seen) -> str:
        """What keeps us from committing, and what to do; "" for nothing."""
        if what := self.history.under_way():
            return f"{what} is under way in this repository; finish or abort it, then try again"
        if not seen.branch:
            return "HEAD is on no branch; `git switch` to one, then try again"
        return self._why_never()

    def _why_never(self) -> str:
        if hidden := {"filter", "working-tree-encoding"} & self.attributes.keys():
            return f"git's attributes ask for a {hidden.pop()} on pages, which our commits would pass by; exempt *.md"
        return ""

    def keep_outside(self, seen: Seen, now: datetime) -> Applied:
        """Commits as the person what other hands changed, just as it is on disk by now. The caller holds the lock."""
        before = self.history.versions(seen.head, list(seen.differs))
        data: dict[PagePath, bytes | None] = {}
        for path in seen.differs:
            with suppress(BadPath):  # it has become a link just now
                text = bytes_on_disk(self.root, path)
                if text is not None or path in before:
                    data[path] = text
        if not data:  # pages came and went while we looked
            return Applied("", {}, replace(seen, differs={}))

        def title(path: PagePath) -> str:
            text = data[path]
            return parse(path, self.history.read(before[path]) if text is None else text).title

        return self._commit(seen, [(describe(versions(data), before, title), data)], before, now)[0]

    def apply(self, plan: Plan, actor: Actor, now: datetime) -> Applied:
        """Does the plan as one commit; raises `Conflict`, `PageExists` or `PageNotFound` with nothing changed."""
        return self.apply_each([plan], actor, now)[0]

    def apply_each(self, plans: Sequence[Plan], actor: Actor, now: datetime) -> list[Applied]:
        """Does plans one after another, a commit each; all are durable before this returns."""
        changes = [change for plan in plans for change in plan.changes]
        if not changes:
            return []
        with self.locked():
            seen = self.look()
            if reason := self._why_never():
                raise Refused(reason)
            if reason := self.why_not_commit(seen):
                raise VaultBusy(reason)
            seen = self._keep_what_is_there(changes, seen, now)
            write(self.root, self.own_folder / "tmp", changes)
            commits = [(message(plan, actor), contents(plan.changes)) for plan in plans]
            try:
                before = self.history.versions(seen.head, list(contents(changes)))
                return self._commit(seen, commits, before, now)
            except (Broken, VaultBusy) as error:
                raise NotCommitted(list(contents(changes)), str(error)) from None

    def _keep_what_is_there(self, changes: Sequence[Change], seen: Seen, now: datetime) -> Seen:
        """Commits outside edits: all of them, or, where the person wants none committed, those in our way."""
        every = self.config.commit_outside_edits
        paths = contents(changes)
        keep = {path: version for path, version in seen.differs.items() if every or path in paths}
        keep |= self._unseen([change.path for change in changes if not isinstance(change, Create)], seen)
        if not keep:
            return seen
        done = self.keep_outside(replace(seen, differs=keep), now)
        return replace(done.seen, differs={path: v for path, v in seen.differs.items() if path not in keep})

    def _unseen(self, paths: Sequence[PagePath], seen: Seen) -> dict[PagePath, Version | None]:
        """Of these pages, those that git was told not to look at, and that differ from HEAD all the same."""
        head = self.history.versions(seen.head, paths) if paths else {}
        now = {path: version_on_disk(self.root, path) for path in paths}
        return {path: version for path, version in now.items() if version and version != head.get(path)}

    def _commit(
        self, seen: Seen, commits: Sequence[tuple[str, Contents]], before: Mapping[PagePath, Version], now: datetime
    ) -> list[Applied]:
        """Commits what is on disk already; the person's index comes along where it holds what HEAD had `before`."""
        paths = {path for _, data in commits for path in data}
        note(self._unstaged, {path: before.get(path) for path in paths})
        author = self.history.person
        new = [NewCommit(author, now, text, data, self._executable(data)) for text, data in commits]
        ids = self._commit_on_top(seen, new)
        bring_along(self.history, self._unstaged)
        after = replace(seen, head=ids[-1], differs={p: v for p, v in seen.differs.items() if p not in paths})
        return [Applied(commit, versions(data), after) for commit, (_, data) in zip(ids, commits, strict=True)]

    def _commit_on_top(self, seen: Seen, new: Sequence[NewCommit]) -> list[str]:
        head = seen.head
        for _ in range(TRIES):
            try:
                return self.history.commit(seen.branch, head, new)
            except VaultBusy:
                head = self.history.tip(seen.branch)  # another program committed meanwhile: ours goes on top of that
        raise VaultBusy(f"another program keeps committing to {seen.branch}; try again when it is done")

    def _executable(self, data: Contents) -> frozenset[PagePath]:
        return frozenset(path for path in data if files.is_executable(self.root, path))


def is_shareable(path: str) -> bool:
    """Whether a file git lists is a page: named like one, in valid Unicode, on a name every system can hold."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return is_page(path)
