"""The versions a page has had, under whatever names. Reads history, writes nothing.

A page is followed over a move by its text, by git's likeness of texts, and by its id; where another page
took its name later, the two are kept apart by their ids.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_wiki.errors import VersionNotFound
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault.history import History
from memory_wiki.vault.porcelain import Commit, Touch

LEAST_PREFIX = 4  # hexadecimal digits, as git itself asks for


@dataclass(frozen=True, slots=True)
class Past:
    """One commit in a page's life: the version it left at `path`, None where the page went away."""

    commit: Commit
    path: PagePath
    version: Version | None


def versions_of(history: History, path: PagePath) -> Iterator[Past]:
    """The page's life, newest first, back to where its text first appeared."""
    start = history.head()
    while start:
        follow: tuple[str, PagePath] | None = None
        last: Past | None = None
        for commit in history.log(start, paths=[path]):
            touch = next(touch for touch in commit.touched if touch.path == path)
            if touch.after is None and last is not None and _is_another(history, path, touch.before, last.version):
                return  # an older page that had this name before ours
            last = Past(commit, path, touch.after)
            yield last
            if touch.before is None and (source := _source(history, commit, touch)):
                follow = (f"{commit.id}^", source)
                break
        if follow is None:
            return
        start, path = follow


def at_revision(history: History, past: list[Past], revision: str) -> Past:
    """The version that a prefix of a blob or commit id, or any other commit, names; raises `VersionNotFound`."""
    if len(revision) >= LEAST_PREFIX:
        for entry in past:
            if entry.version and entry.version.startswith(revision.lower()):
                return entry
    commit = history.resolve(revision, "commit")
    return at_commit(history, past, commit)


def at_commit(history: History, past: list[Past], commit: str) -> Past:
    """The page as it was when `commit` was HEAD; raises `VersionNotFound` where it was not there then."""
    for path in dict.fromkeys(entry.path for entry in past):
        if version := history.versions(commit, [path]).get(path):
            wrote = next((entry for entry in past if (entry.path, entry.version) == (path, version)), past[-1])
            return Past(wrote.commit, path, version)
    raise VersionNotFound(past[0].path if past else "this page", commit[:12])


@dataclass(frozen=True, slots=True)
class Gone:
    """A page that went from its path, its last version there, and another path that has the same text now."""

    path: PagePath
    version: Version
    now_at: PagePath | None


def deleted(history: History, paths: Sequence[PagePath] = ()) -> Iterator[Gone]:
    """Pages that went away at some time and are not at their path now, the latest first; of all, or of these paths."""
    now = history.versions(history.head())
    by_version = {version: path for path, version in now.items()}
    for commit in history.log(paths=paths):
        for touch in commit.touched:
            if touch.after is None and touch.before and touch.path not in now:
                yield Gone(PagePath(touch.path), touch.before, by_version.get(touch.before))


def _is_another(history: History, path: PagePath, older: Version | None, newer: Version | None) -> bool:
    """Whether two versions under one name are different pages: both have an id, and not the same one."""
    ids = {_id(history, path, older), _id(history, path, newer)} - {""}
    return len(ids) > 1


def _id(history: History, path: PagePath, version: Version | None) -> str:
    return parse(path, history.read(version)).id if version else ""


def _source(history: History, commit: Commit, new: Touch) -> PagePath | None:
    """Which page that went away in this commit goes on under the new name."""
    gone = {touch.path: touch.before for touch in history.touched_in(commit.id) if touch.after is None and touch.before}
    for path, version in gone.items():
        if version == new.after:
            return PagePath(path)
    if not gone:
        return None
    own = _id(history, PagePath(new.path), new.after)
    for path, version in gone.items() if own else ():
        if _id(history, PagePath(path), version) == own:
            return PagePath(path)
    return history.renamed_from(commit.id, PagePath(new.path))
