"""The vault: one folder of pages whose every change is a commit. Lock, compare-and-write, apply.

Never asks the index; of a page it reads the title alone, for the log. Effects go page, commit, the person's git index.
Bytes that are not in history yet are committed before anything of ours takes their place. A write looks only at the
pages that it touches; what else has changed is for whoever reads.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from itertools import count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from memory_wiki.config import Config
from memory_wiki.errors import Broken, MemoryWikiError, NotCommitted, PageExists, Refused, VaultBusy
from memory_wiki.page.change import Actor, Create, Plan
from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault import files
from memory_wiki.vault.branch import Importing
from memory_wiki.vault.bringing import Bringing
from memory_wiki.vault.history import History, brought_by
from memory_wiki.vault.job import Applied, Job, Kept, New, Taken, new_path, plans, unless
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.vault.look import Looking, Seen, by_now, is_shareable, unresolved
from memory_wiki.vault.outside import describe
from memory_wiki.vault.own import OwnFolder
from memory_wiki.vault.quiet import Stamp, at_rest, check, is_since, quiet
from memory_wiki.vault.repository import Repository
from memory_wiki.vault.stream import NewCommit
from memory_wiki.vault.tidy import PACKS, tidy
from memory_wiki.vault.together import Together
from memory_wiki.vault.writing import settled_version, versions, write

if TYPE_CHECKING:
    from memory_wiki.vault.watch import Watch

LOCK_SECONDS = 30.0  # a batch of thousands of pages holds the lock for some seconds
PATIENCE = 5.0  # seconds that a reader waits to index what changed, before it answers from what is indexed


class Vault:
    """The pages below `root`, with their history."""

    def __init__(self, root: Path, config: Config) -> None:
        """Raises `VaultNotFound` where no repository holds `root`, `Refused` where its own folder is a trap."""
        self.root = root
        self.config = config
        self._repository = Repository(root)
        self.history = History(self._repository)
        if not self.history.is_sha1:
            raise Refused(f"the repository of {root} names objects by SHA-256, which is not supported; use a SHA-1 one")
        self._own = OwnFolder(root)
        self.own_folder, self.read_only = self._own.path, self._own.read_only
        self._lock = FileLock(self.own_folder / "lock")
        self.bringing = Bringing(self._repository, self.own_folder, self.locked)
        self._looking = Looking(root, self.history)
        self._watch: Watch | None = None
        self._writes = count(1)
        self._together = Together(self.write_each)

    def close(self) -> None:
        self.bringing.close()
        if self._watch is not None:
            self._watch.close()
        self.history.close()
        self._own.close()

    def watch(self, told: Callable[[], None] = lambda: None) -> "Watch":
        """Begins to watch the folder, so that a look need not ask git of every page; `told` is called at each event."""
        from memory_wiki.vault.watch import Watch

        if self._watch is None:
            self._watch = Watch(self.root, self.own_folder, told)
            self._looking.trust(self._watch)
            self.bringing.use_thread()
        return self._watch

    @contextmanager
    def locked(self, seconds: float = LOCK_SECONDS) -> Iterator[None]:
        """Nobody else writes meanwhile, in any process; raises `VaultBusy` after so many seconds. May be nested."""
        with acquired(self._lock, seconds, f"another process has been writing to {self.root}"):
            yield

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

    def is_left_out(self, path: PagePath) -> bool:
        """Whether a page of HEAD is not in the folder because a sparse checkout leaves it out."""
        return bool(self.history.left_out([path]))

    def look(self) -> Seen:
        """What is on disk now."""
        self._own.mend()
        return self._looking.look()

    def pages(self, seen: Seen) -> dict[PagePath, Version]:
        """Every page and its version, as seen: linear in pages, for rebuilding and for proof."""
        committed = {path: v for path, v in self.history.versions(seen.head).items() if is_shareable(path)}
        return {path: version for path, version in {**committed, **seen.differs}.items() if version}

    def why_not_commit(self, branch: str) -> str:
        """What keeps us from committing to this branch, and what to do; "" for nothing."""
        if self.read_only:
            return self.read_only
        if what := self.history.under_way():
            return f"{what} is under way in this repository; finish or abort it, then try again"
        if not branch:
            return "HEAD is on no branch; `git switch` to one, then try again"
        return self._why_never()

    def quiet(self) -> Stamp:
        """What `keep_outside` takes, from before the look; raises `VaultBusy` while git is at work."""
        return quiet(self._repository.git_folder, lambda: self.bringing.left)

    def at_rest(self) -> Stamp | None:
        """The same without waiting; None while git is at work."""
        return at_rest(self._repository.git_folder, lambda: self.bringing.left)

    def is_as(self, seen: Seen, since: Stamp) -> bool:
        """Whether neither git nor another process of ours has done anything `since`, which is before the look."""
        return is_since(self._repository.git_folder, since) and self.history.where() == (seen.branch, seen.head)

    def _why_never(self) -> str:
        if hidden := {"filter", "working-tree-encoding"} & self.attributes.keys():
            return f"git's attributes ask for a {hidden.pop()} on pages, which our commits would pass by; exempt *.md"
        return ""

    def keep_outside(self, seen: Seen, now: datetime, since: Stamp | None = None) -> Kept:
        """Commits as the person what other hands changed, just as it is on disk by now. The caller holds the lock, and
        sees to it afterwards that git's index is brought along.

        A page that another program is writing is left for later. Raises `VaultBusy` where git was at work `since`.
        """
        before = seen.was
        data, same = by_now(self.root, seen)
        if since is not None:
            check(self._repository.git_folder, since)
        if not data:  # pages came and went while we looked
            unmerged = {path: version for path, version in seen.differs.items() if path in seen.unmerged}
            return Kept("", {}, replace(seen, differs=unmerged))

        def text_of(path: PagePath) -> bytes:
            text = data[path]
            return self.history.read(before[path]) if text is None else text

        new = New(describe(versions(data), before, text_of), data, versions(data), now)
        with Importing(self._repository, seen.branch) as importing:
            importing.after(seen.head)
            importing.add(self._commit_of(new))
            head = self._done(importing, [new])[-1]
        left = {path: version for path, version in seen.differs.items() if path not in data and path not in same}
        return Kept(head, new.versions, replace(seen, head=head, differs=left))

    def apply(self, plan: Plan, actor: Actor, now: datetime) -> Applied:
        """Does the plan as one commit; raises `Conflict`, `PageExists` or `PageNotFound` with nothing changed."""
        return self.write(Job(lambda _taken: plan, actor, now))

    def write(self, job: Job) -> Applied:
        """The same for a plan still to be made; what other threads write at once shares the cost."""
        done = self._together.ask(job)
        self.bringing.after_a_write()
        if self._watch is None and next(self._writes) % PACKS == 0:
            self._tidy()
        return done

    def write_each(self, jobs: Sequence[Job]) -> list[Applied | MemoryWikiError]:
        """Does plans one after another, a commit each; all that are done are durable before this returns.

        One that can't be done is given as the error that says why, and does not stop the others.
        """
        with self.locked():
            name, head = self.history.where()
            if self.read_only:
                raise Broken(self.read_only)
            if reason := self._why_never():
                raise Refused(reason)
            if reason := self.why_not_commit(name):
                raise VaultBusy(reason)
            _ = self.history.person  # asked of git once, and not while pages are put in place
            with Importing(self._repository, name) as importing:
                taken: Taken = {}
                made = [job.made(taken) for job in jobs]
                head, refused = self._keep_what_is_there(made, Seen(head, name, {}), jobs[0].at)
                refused |= self._left_out(made)
                importing.after(head)
                return self._write_each(jobs, [unless(plan, refused) for plan in made], importing)

    def _write_each(
        self, jobs: Sequence[Job], made: Sequence[Plan | MemoryWikiError], importing: Importing
    ) -> list[Applied | MemoryWikiError]:
        tried = [(plan, job) for plan, job in zip(made, jobs, strict=True) if isinstance(plan, Plan)]
        news: dict[int, New] = {}

        def is_in_place(number: int) -> None:
            news[number] = New.of(*tried[number])
            importing.add(self._commit_of(news[number]))

        failures = write(self.root, self.own_folder / "tmp", [plan.changes for plan, _ in tried], is_in_place)
        done = [(plan, news[number]) for number, (plan, _) in enumerate(tried) if failures[number] is None]
        rest = iter(failures)
        found = [(next(rest) or plan) if isinstance(plan, Plan) else plan for plan in made]
        outcomes: Iterator[Applied | MemoryWikiError]
        try:
            ids = self._done(importing, [new for _, new in done]) if done else [""]
            outcomes = (
                Applied(plan, parent, id_, new.versions)
                for (plan, new), (parent, id_) in zip(done, pairwise(ids), strict=True)
            )
        except (Broken, VaultBusy) as error:
            reason = str(error)
            outcomes = (NotCommitted(list(new.data), reason) for _, new in done)
        return [next(outcomes) if isinstance(plan, Plan) else plan for plan in found]

    def _keep_what_is_there(
        self, made: Sequence[Plan | MemoryWikiError], seen: Seen, now: datetime
    ) -> tuple[str, dict[PagePath, MemoryWikiError]]:
        """Commits outside edits of pages that are to be changed; gives HEAD, and pages that are not to be touched."""
        changes = [change for plan in plans(made) for change in plan.changes]
        paths = list(dict.fromkeys(change.path for change in changes if not isinstance(change, Create)))
        head = self.history.versions(seen.head, paths) if paths else {}
        busy: dict[PagePath, MemoryWikiError] = {}
        differs: dict[PagePath, Version | None] = {}
        for path in paths:
            try:
                version = settled_version(self.root, path)
            except VaultBusy as error:
                busy[path] = error
                continue
            except MemoryWikiError:
                continue  # the plan that is for this page will meet that too
            if version and version != head.get(path):
                differs[path] = version
        if differs:
            busy |= self._not_to_commit(list(differs))
            differs = {path: version for path, version in differs.items() if path not in busy}
        if not differs:
            return seen.head, busy
        was = {path: head[path] for path in differs if path in head}
        return self.keep_outside(replace(seen, differs=differs, was=was), now).seen.head, busy

    def _not_to_commit(self, paths: Sequence[PagePath]) -> dict[PagePath, VaultBusy]:
        """Of pages that other hands changed, those that are not to be committed as they are."""
        try:
            self.quiet()
        except VaultBusy as error:
            return dict.fromkeys(paths, error)
        return {PagePath(p): VaultBusy(unresolved(PagePath(p))) for p in self.history.status(paths).unmerged}

    def _left_out(self, made: Iterable[Plan | MemoryWikiError]) -> dict[PagePath, MemoryWikiError]:
        """Paths for new pages that HEAD has pages on, which are not in the folder."""
        new = [path for plan in plans(made) for change in plan.changes if (path := new_path(change))]
        return {path: PageExists(path, brought_by(path)) for path in self.history.left_out(new)}

    def _commit_of(self, new: New) -> NewCommit:
        scripts = frozenset(path for path in new.data if files.is_executable(self.root, path))
        return NewCommit(self.history.person, new.at, new.text, new.data, scripts)

    def _done(self, importing: Importing, news: Sequence[New]) -> list[str]:
        """The commits that were added are on the branch; gives the id of the one before them, and theirs."""
        written = {path: version for new in news for path, version in new.versions.items()}
        ids = importing.done(lambda parent: self.bringing.note(parent, written))
        self._looking.committed(ids[0], ids[-1], written)
        return ids

    def settle(self) -> None:
        """What follows a write, and nobody needs to wait for: git's index is brought along, small packs are tidied."""
        with suppress(VaultBusy):  # another thread or process is at it, and goes on until nothing is left
            self.bringing.settle()
        self._tidy()

    def _tidy(self) -> None:
        if not self.read_only:
            tidy(self._repository, self.own_folder)
