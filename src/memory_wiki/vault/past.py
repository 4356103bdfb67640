"""The versions a page has had, under whatever names. Reads history, writes nothing.

A page is followed over a move of ours by what the commit says; over one by hand by its text, by its id, and by
git's likeness of texts. Pages with different ids are never taken for one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory_wiki.errors import VersionNotFound
from memory_wiki.page.change import MOVED_FROM
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, Version, is_page
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
            touch = next((touch for touch in commit.touched if touch.path == path), None)
            if touch is None:
                continue  # a merge that took the page as one of its parents has it
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
    ours = {(entry.path, entry.version): entry for entry in past if entry.version}
    for path in dict.fromkeys(entry.path for entry in past):
        version = history.versions(commit, [path]).get(path)
        if version and (found := ours.get((path, version))):
            return found
    raise VersionNotFound(past[0].path if past else "this page", commit[:12])


@dataclass(frozen=True, slots=True)
class Gone:
    """A page that went from its path: its last version there, and where the same commit put it, if it did."""

    path: PagePath
    version: Version
    moved_to: PagePath | None


def deleted(history: History, paths: Sequence[PagePath] = ()) -> Iterator[Gone]:
    """Pages that went away at some time and are not at their path now, the latest first; of all, or of these paths."""
    now = history.versions(history.head())
    for commit in history.log(paths=paths):
        for touch in commit.touched:
            if touch.after is None and touch.before and touch.path not in now:
                yield Gone(PagePath(touch.path), touch.before, _moved_to(history, commit, touch))


def _moved_to(history: History, commit: Commit, gone: Touch) -> PagePath | None:
    """The page of this commit that goes on with a text which went from another path."""
    if commit.trailer(MOVED_FROM) == gone.path:
        return PagePath(commit.trailer("Page"))
    added = [t for t in history.touched_in(commit.id) if t.before is None and is_page(t.path)]
    if same := next((PagePath(touch.path) for touch in added if touch.after == gone.before), None):
        return same
    own = _id(history, PagePath(gone.path), gone.before) if added else ""
    return next((PagePath(t.path) for t in added if own and _id(history, PagePath(t.path), t.after) == own), None)


def _is_another(history: History, path: PagePath, older: Version | None, newer: Version | None) -> bool:
    """Whether two versions under one name are different pages: both have an id, and not the same one."""
    ids = {_id(history, path, older), _id(history, path, newer)} - {""}
    return len(ids) > 1


def _id(history: History, path: PagePath, version: Version | None) -> str:
    return parse(path, history.read(version)).id if version else ""


def _source(history: History, commit: Commit, new: Touch) -> PagePath | None:
    """Which page that went away in this commit goes on under the new name."""
    path = PagePath(new.path)
    if commit.trailer(MOVED_FROM) and commit.trailer("Page") == path:
        return PagePath(commit.trailer(MOVED_FROM))
    touched = history.touched_in(commit.id)
    gone = {PagePath(touch.path): touch.before for touch in touched if touch.after is None and touch.before}
    same = next((old for old, version in gone.items() if version == new.after), None)
    if same or not gone:
        return same
    own = _id(history, path, new.after)
    same = next((old for old, version in gone.items() if own and _id(history, old, version) == own), None)
    like = same or history.renamed_from(commit.id, path)
    return None if like is None or _is_another(history, path, gone.get(like), new.after) else like
