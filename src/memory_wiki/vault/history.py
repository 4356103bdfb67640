"""The pages' history: everything that this project asks of git. Holds no pages, and changes nothing."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path

from memory_wiki.errors import BadRevision, GitFailed
from memory_wiki.page.path import PagePath, Version
from memory_wiki.page.text import encoded
from memory_wiki.vault.begun import Begun
from memory_wiki.vault.porcelain import (
    LOG_FORMAT,
    Commit,
    Status,
    Touch,
    parse_log,
    parse_raw,
    parse_status,
    parse_tree,
)
from memory_wiki.vault.repository import Repository
from memory_wiki.vault.stream import Person

ANY_PAGE = "page.md"  # stands for all where git's rules are asked about
UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "rebase-merge": "a rebase",
    "rebase-apply/applying": "a `git am`",
    "rebase-apply": "a rebase",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
}
SERIES = "sequencer/todo"
"""Commits still to be picked or reverted, where nothing else tells: after a commit of the person's own amid them."""
STATUS = ("status", "--porcelain=v2", "--branch", "--no-ahead-behind", "--no-renames", "-z", "--ignore-submodules=all")
WITH_NEW, WITHOUT_NEW = "--untracked-files=all", "--untracked-files=no"
RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative", "--no-ext-diff", "--no-color")


def brought_by(path: PagePath) -> str:
    """What brings a page that a sparse checkout leaves out."""
    folder = path.rpartition("/")[0]
    return f"this sparse checkout leaves it out: `git sparse-checkout add {folder or path}` brings it"


class History:
    """The git history of the pages below one folder; all paths in and out are relative to that folder."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._git = repository.run
        self._below = repository.below
        self._prefix = repository.prefix
        self.top = repository.top
        self._begun: Begun | None = None

    @staticmethod
    def open(folder: Path) -> "History":
        """Raises `VaultNotFound` where no repository holds `folder`."""
        return History(Repository(folder))

    def close(self) -> None:
        if self._begun is not None:
            self._begun.stop()
            self._begun = None
        self._repository.close()

    def begin_status(self) -> None:
        """Has git begin with what the next `status` of the whole folder asks, for who asks as soon as it can."""
        self._begun = self._repository.begin_below("--no-optional-locks", *STATUS, WITH_NEW)

    def status(self, paths: Sequence[PagePath] = ()) -> Status:
        """HEAD, branch, and every path below the folder that differs from HEAD, ignored files apart; or just these."""
        if self._begun is not None and not paths:
            begun, self._begun = self._begun, None
            return self._told(begun.answer())
        return self._told(self._below("--no-optional-locks", *STATUS, WITH_NEW, paths=paths))

    def status_of_known(self, paths: Sequence[PagePath]) -> Status:
        """The same of paths that HEAD has: git then need not look for new ones, which is half its cost."""
        return self._told(self._below("--no-optional-locks", *STATUS, WITHOUT_NEW, paths=paths))

    def _told(self, out: bytes) -> Status:
        found = parse_status(out)
        changed, unmerged = (tuple(self._repository.ours(paths)) for paths in (found.changed, found.unmerged))
        return Status(found.head, found.branch, changed, unmerged)

    def files(self) -> Iterator[str]:
        """Every file below the folder that git has, or would take, whatever has become of it."""
        out = self._below("ls-files", "--cached", "--others", "--exclude-standard", "-z", "--full-name")
        return self._repository.ours(dict.fromkeys(path for path in os.fsdecode(out).split("\0") if path))

    def is_ignored(self, path: str = ANY_PAGE) -> bool:
        """Whether the repository's ignore rules keep a page out; by default any page."""
        return bool(self._git("check-ignore", "-z", "--stdin", stdin=self._named(path), fail_as=""))

    def attributes(self) -> dict[str, str]:
        """What git's attributes ask to be done to pages between disk and history, of what would change their bytes."""
        asked = ("text", "filter", "ident", "working-tree-encoding")
        out = self._git("check-attr", "-z", "--stdin", *asked, stdin=self._named(ANY_PAGE), fail_as="")
        fields = os.fsdecode(out).split("\0")
        found = dict(zip(fields[1::3], fields[2::3], strict=False))
        return {name: value for name, value in found.items() if value not in {"unset", "unspecified"}}

    def left_out(self, paths: Sequence[PagePath]) -> frozenset[PagePath]:
        """Those that a sparse checkout leaves out of the folder; asks git only in a repository that has one."""
        if not paths or not self._repository.is_sparse:
            return frozenset()
        out = os.fsdecode(self._below("ls-files", "-t", "-z", "--full-name", paths=paths))
        skipped = (line.removeprefix("S ") for line in out.split("\0") if line.startswith("S "))
        return frozenset(paths) & {PagePath(path) for path in self._repository.ours(skipped)}

    def under_way(self) -> str:
        """What keeps us from committing: "a merge", "a rebase" …; "" for nothing."""
        folder = self._repository.git_folder
        if what := next((what for name, what in UNDER_WAY.items() if (folder / name).exists()), ""):
            return what
        try:
            return "a revert" if (folder / SERIES).read_bytes().startswith(b"revert") else "a cherry-pick"
        except OSError:
            return ""

    def where(self) -> tuple[str, str]:
        """The branch ("" for none) and the commit at HEAD ("" before the first)."""
        return self._repository.where()

    def head(self) -> str:
        """The commit at HEAD, "" before the first."""
        return self.where()[1]

    def tip(self, branch: str) -> str:
        """The branch's last commit, "" before the first."""
        return self._commit_at(f"refs/heads/{branch}")

    @property
    def is_sha1(self) -> bool:
        """Whether objects have the names that `version_of` gives."""
        return self._repository.object_format == "sha1"

    @cached_property
    def person(self) -> Person:
        """Whom git's own settings name as author; asked once."""
        ident = self._git("var", "GIT_AUTHOR_IDENT", fail_as="").decode("utf-8", "replace")
        name, _, rest = ident.partition(" <")
        if not rest:
            login = os.environ.get("USER") or os.environ.get("USERNAME") or "someone"
            return Person(login, f"{login}@localhost")
        return Person(name, rest.partition(">")[0])

    def versions(self, commit: str, paths: Sequence[PagePath] = ()) -> dict[PagePath, Version]:
        """Path and blob of every file in that commit, or at least of those asked for."""
        if not commit:
            return {}
        out = self._below("ls-tree", "-r", "-z", "--full-name", commit, paths=paths)
        return {PagePath(path.removeprefix(self._prefix)): blob for path, blob in parse_tree(out)}

    def between(self, old: str, new: str) -> dict[PagePath, Touch] | None:
        """What differs between two commits; None where `old` is not to be found here any more."""
        if old == new:
            return {}
        if not old or not new:
            return None
        try:
            out = self._below("diff", *RAW, old, new)  # `diff-tree` reads all of git's index first
        except GitFailed:
            return None
        return {PagePath(touch.path): touch for touch in self._relative(parse_raw(out))}

    def read(self, version: Version) -> bytes:
        """The bytes of a blob; raises `GitFailed` where a partial clone does not have it."""
        try:
            return self._git("cat-file", "blob", version)
        except GitFailed as error:
            if not self._repository.is_partial:
                raise
            advice = f"this partial clone does not have that text; `git cat-file -p {version}` there fetches it"
            raise GitFailed("cat-file", f"{error.said.strip()}; {advice}") from None

    def log(self, *revisions: str, paths: Sequence[PagePath] = (), limit: int | None = None) -> Iterator[Commit]:
        """Commits that touched the folder, newest first, each with what it did to the files below it.

        A merge shows only what is as in none of its parents.
        """
        if not revisions and not self.head():
            return
        count = [f"--max-count={limit}"] if limit is not None else []
        raw = ["-c", "--raw", "--no-abbrev", "--no-renames", "--root"]
        args = ["-z", "--date=raw", f"--format={LOG_FORMAT}", *raw, *count, "--end-of-options", *revisions]
        for commit in parse_log(self._below("log", *args, paths=paths)):
            yield replace(commit, touched=tuple(self._relative(commit.touched)))

    def since(self, old: str, new: str) -> Iterator[Commit]:
        """The commits up to `new` that `old` does not have; all of them where `old` is not to be found any more."""
        try:
            yield from self.log(f"{old}..{new}" if old else new)
        except GitFailed:
            yield from self.log(new)

    def renamed_from(self, commit: str, path: PagePath) -> PagePath | None:
        """Where git's likeness of texts says that a page new in this commit came from."""
        args = [
            "-r",
            "-z",
            "-M",
            "-m",
            "--first-parent",
            "--diff-filter=R",
            "--name-status",
            "--no-commit-id",
        ]
        try:
            out = os.fsdecode(self._below("diff-tree", *args, commit))
        except GitFailed:
            return None  # a partial clone does not have the texts
        fields = iter(out.split("\0"))
        for _, old, new in zip(fields, fields, fields, strict=False):
            if new == self._prefix + path:
                return PagePath(old.removeprefix(self._prefix))
        return None

    def touched_in(self, commit: str) -> tuple[Touch, ...]:
        """What one commit did below the folder, against its first parent."""
        out = self._below(
            "diff-tree", "-r", "-z", "--root", "-m", "--first-parent", "--no-renames", "--no-commit-id", commit
        )
        return tuple(self._relative(parse_raw(out)))

    def resolve(self, revision: str) -> str:
        """The full id of the commit that a revision names; raises `BadRevision`."""
        if not revision.strip() or revision.startswith(("-", "^")) or not revision.isprintable():
            raise BadRevision(revision, "that is no revision")
        if not (found := self._commit_at(f"{revision}^{{commit}}")):
            raise BadRevision(revision, "git knows no such commit")
        return found

    def at(self, when: datetime) -> str:
        """The last commit of HEAD's history made at or before an instant; raises `BadRevision`."""
        seconds = int(when.timestamp())
        out = b""
        if seconds > 0:  # git takes others for the present
            out = self._git(
                "rev-list", "--max-count=1", f"--min-age={seconds}", "--first-parent", "HEAD", "--", fail_as=""
            )
        if not out.strip():
            raise BadRevision(f"{when:%Y-%m-%d %H:%M}", "the vault's history begins later")
        return out.decode().strip()

    def remotes(self) -> dict[str, str]:
        """Name and URL of each remote."""
        out = self._git("config", "--null", "--get-regexp", r"^remote\..*\.url$", fail_as="")
        pairs = (item.partition("\n") for item in os.fsdecode(out).split("\0") if item)
        return {key.removeprefix("remote.").removesuffix(".url"): url for key, _, url in pairs}

    def main_folder(self) -> Path:
        """The folder of the repository's main worktree."""
        common = self._repository.common_folder
        return common.parent if common.name == ".git" else self.top

    def _commit_at(self, revision: str) -> str:
        """The id that a revision leads to, "" for none; some versions of git print the options before it."""
        out = self._git("rev-parse", "--quiet", "--verify", "--end-of-options", revision, fail_as="")
        return out.decode().split()[-1] if out.strip() else ""

    def _named(self, path: str) -> bytes:
        """A path as git's commands read it from standard input."""
        return encoded(f"{self._prefix}{path}\0")

    def _relative(self, touches: Iterable[Touch]) -> Iterator[Touch]:
        return (
            Touch(touch.path.removeprefix(self._prefix), touch.before, touch.after)
            for touch in touches
            if touch.path.startswith(self._prefix)
        )
