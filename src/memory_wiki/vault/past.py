"""The versions a page has had, under whatever names. Reads history, writes nothing.

A page is followed over a move of ours by what the commit says; over one by hand by its text, by its id, and by
git's likeness of texts. Pages with different ids are never taken for one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory_wiki.errors import GitFailed, VersionNotFound
from memory_wiki.page.change import MOVED_FROM, one_line
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
    """The version that a prefix of a blob id names, the newest of several, else the one at any commit that git knows.

    Raises `BadRevision`, `VersionNotFound`.
    """
    if len(revision) >= LEAST_PREFIX:
        for entry in past:
            if entry.version and entry.version.startswith(revision.lower()):
                return entry
    return at_commit(history, past, history.resolve(revision))


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
    """A page that went from its path: its last version there, and the commit that took it away."""

    path: PagePath
    version: Version
    commit: Commit


def deleted(history: History, paths: Sequence[PagePath] = ()) -> Iterator[Gone]:
    """Pages that went away at some time and are not at their path now, the latest first; of all, or of these paths."""
    now = history.versions(history.head())
    for commit in history.log(paths=paths):
        for touch in commit.touched:
            if touch.after is None and touch.before and touch.path not in now and is_page(touch.path):
                yield Gone(PagePath(touch.path), touch.before, commit)


def moved_to(history: History, gone: Gone) -> PagePath | None:
    """Where the commit that took a page away put it, if it did."""
    touched = history.touched_in(gone.commit.id)
    added = {PagePath(t.path): t.after for t in touched if t.before is None and t.after and is_page(t.path)}
    if said := _said(gone.commit, [gone.path], added):
        return said[1]
    if same := next((path for path, version in added.items() if version == gone.version), None):
        return same
    own = _id(history, gone.path, gone.version) if added else ""
    return next((path for path, version in added.items() if own and _id(history, path, version) == own), None)


def _said(commit: Commit, old: Iterable[PagePath], new: Iterable[PagePath]) -> tuple[PagePath, PagePath] | None:
    """The move that a commit's trailers tell of, if it is one of what the commit did: trailers may be anybody's."""
    pairs = ((before, after) for before in old for after in new)
    told = (commit.trailer(MOVED_FROM), commit.trailer("Page"))
    return next((pair for pair in pairs if (one_line(pair[0]), one_line(pair[1])) == told), None)


def _is_another(history: History, path: PagePath, older: Version | None, newer: Version | None) -> bool:
    """Whether two versions under one name are different pages: both have an id, and not the same one."""
    ids = {_id(history, path, older), _id(history, path, newer)} - {""}
    return len(ids) > 1


def _id(history: History, path: PagePath, version: Version | None) -> str:
    try:
        return parse(path, history.read(version)).id if version else ""
    except GitFailed:  # a partial clone does not have the text
        return ""


def _source(history: History, commit: Commit, new: Touch) -> PagePath | None:
    """Which page that went away in this commit goes on under the new name."""
    path = PagePath(new.path)
    touched = history.touched_in(commit.id)
    gone = {PagePath(touch.path): touch.before for touch in touched if touch.after is None and touch.before}
    if said := _said(commit, gone, [path]):
        return said[0]
    same = next((old for old, version in gone.items() if version == new.after), None)
    if same or not gone:
        return same
    own = _id(history, path, new.after)
    same = next((old for old, version in gone.items() if own and _id(history, old, version) == own), None)
    like = same or history.renamed_from(commit.id, path)
    return None if like is None or _is_another(history, path, gone.get(like), new.after) else like
