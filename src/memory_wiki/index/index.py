"""The index, kept equal to the pages: what it holds and what is on disk are two sets; `follow` closes the difference.

Derived: the folder may be deleted at any moment. It remembers one thing of its own, the commit it last agreed
with and the pages that were not of that commit, so that the difference is asked of git and not of every page.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory_wiki.errors import IndexBroken
from memory_wiki.index.kept import Prepared
from memory_wiki.index.marker import Marker
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault.census import hashed
from memory_wiki.vault.job import Applied
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.vault.look import Seen, is_shareable
from memory_wiki.vault.own import Stamp, stamp_of
from memory_wiki.vault.porcelain import Commit, Touch
from memory_wiki.vault.vault import LOCK_SECONDS, PATIENCE, Vault
from memory_wiki.vault.writing import contents

if TYPE_CHECKING:
    from memory_wiki.index.children import Children

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Told how many pages of how many are done."""

ANEW = Version("")  # what a page that is to be indexed anew counts as, whatever version was


def silent(_done: int, _total: int) -> None:
    """Progress that nobody follows."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Pages to index anew at a version, and pages to forget."""

    come: dict[PagePath, Version]
    gone: frozenset[PagePath]

    def __bool__(self) -> bool:
        return bool(self.come or self.gone)


@dataclass(frozen=True, slots=True)
class Differing:
    """A page that is not the same everywhere: its version on disk, at HEAD and in the index, None for none."""

    path: PagePath
    file: Version | None
    head: Version | None
    index: Version | None


@dataclass(frozen=True, slots=True)
class Proof:
    """How many pages were compared, those that differ, and those that are as indexed but not committed yet."""

    pages: int
    differing: tuple[Differing, ...]
    uncommitted: tuple[PagePath, ...] = ()


class Index:
    """The word index of one vault."""

    def __init__(self, vault: Vault, now: Callable[[], datetime]) -> None:
        self._vault = vault
        self._now = now
        self.folder = vault.own_folder / "index" / "words"
        self._lock = FileLock(vault.own_folder / "index.lock")
        self.words = self._open()

    def _open(self) -> Words:
        try:
            return Words.existing(self.folder)
        except IndexBroken:
            with self._locked(LOCK_SECONDS):  # another process may be building it just now
                return Words.open(self.folder)

    def close(self) -> None:
        self.words.close()

    @property
    def stamp(self) -> Stamp:
        """Changes when somebody changes what is indexed, or deletes it."""
        return stamp_of(self.folder / "meta.json")

    @property
    def is_whole(self) -> bool:
        """Whether it holds every page of a commit: not while somebody makes it anew, a step at a time."""
        return bool(Marker.load(self.words.marker).head)

    @contextmanager
    def _locked(self, seconds: float) -> Iterator[None]:
        """Nobody else changes the index meanwhile. Not the vault's lock: pages may be written as others are indexed."""
        with acquired(self._lock, seconds, "another process has been indexing"):
            yield

    def follow(self, seen: Seen, told: Progress = silent) -> Difference:
        """Brings the index to what `seen` says is on disk; gives what it had to change."""
        marker = self._mended_marker()
        difference = self._difference(seen)
        if not difference and Marker.load(marker) == self._marker(seen):
            return difference
        with self._locked(PATIENCE):
            if self.words.marker != marker:  # another process has followed while we waited
                seen = self._vault.look()
                difference = self._difference(seen)
            return self._follow(seen, difference, told)

    def _mended_marker(self) -> str:
        """That of the index, which is begun anew if it can't be read."""
        try:
            return self.words.marker
        except IndexBroken:
            with self._locked(PATIENCE):
                Words.open(self.folder).close()
            return self.words.marker

    def advance(self, told: Progress = silent) -> Difference:
        """Brings the index to what is committed, without a look at the folder: what it does not know of stays so."""
        with self._locked(PATIENCE):
            marker = Marker.load(self.words.marker)
            name, head = self._vault.history.where()
            touched = self._vault.history.between(marker.head, head) if marker.head else None
            if not touched:
                return Difference({}, frozenset())
            loose = [path for path in marker.loose if path not in touched]
            have = {path: entry.version if (entry := self.words.page(path)) else None for path in loose}
            seen = Seen(head, name, have)
            return self._follow(seen, self._difference(seen, touched), told)

    def take(self, applied: Sequence[tuple[Applied, datetime]], children: "Children") -> None:
        """Takes in pages just written, with when: one commit after another, and without reading them again.

        Where others have written in between, it does as `advance`.
        """
        with self._locked(LOCK_SECONDS):
            marker = Marker.load(self.words.marker)
            heads = [marker.head, *(done.commit for done, _ in applied)]
            if marker.language != self._vault.config.language or heads[:-1] != [done.parent for done, _ in applied]:
                self.advance()
                return
            from memory_wiki.index.prepare import Job, prepare_by

            author, language = self._vault.history.person.signature, marker.language
            jobs = [
                Job(path, author, at.replace(microsecond=0), language, data)
                for done, at in applied
                for path, data in contents(done.plan.changes).items()
                if data is not None
            ]
            after = replace(marker, head=heads[-1], loose=marker.loose - {job.path for job in jobs})
            so_far = replace(after, head="").dump()
            self.words.update((), prepare_by(children, self._vault.root, jobs), after.dump, so_far)

    def _follow(self, seen: Seen, difference: Difference, told: Progress) -> Difference:
        """Whoever takes up a follow that was stopped compares every page: what is done by then is of no commit."""
        before, marker = self.words.marker, self._marker(seen)
        was = Marker.load(before)
        so_far = Marker("", was.loose | marker.loose, was.language if before else marker.language)
        pages, after = self._coming(seen, difference, told)
        self.words.update(difference.gone, pages, after, so_far.dump())
        log.info("indexed %d pages, forgot %d", len(difference.come), len(difference.gone))
        return difference

    def _coming(
        self, seen: Seen, difference: Difference, told: Progress
    ) -> tuple[Iterator[Prepared], Callable[[], str]]:
        """What to take in, and the marker to ask for once it is through."""
        marker = self._marker(seen)
        loose = set(marker.loose)
        pages = _told(self._prepared(difference.come, seen, loose), len(difference.come), told)
        return pages, lambda: replace(marker, loose=frozenset(loose)).dump()

    def rebuild(self, told: Progress = silent) -> Difference:
        """Takes every page in anew. Who reads meanwhile finds the old index, unless that is broken and deleted."""
        with self._locked(LOCK_SECONDS):
            seen = self._vault.look()
            every = _subtract(self._vault.pages(seen), {}, seen)
            try:
                self.words.renew(*self._coming(seen, every, told))
                self.words.count()
            except IndexBroken:
                Words.delete(self.folder)
                return self.follow(seen, told)
            return every

    def prove(self, seen: Seen) -> Proof:
        """Every page's version by its bytes on disk, at HEAD, and in the index. Linear in pages, and reads them all."""
        files, have = hashed(self._vault.root, self._vault.history), self.words.have()
        head = {path: v for path, v in self._vault.history.versions(seen.head).items() if is_shareable(path)}
        paths = sorted({*files, *head, *have})
        every = (Differing(path, files.get(path), head.get(path), have.get(path)) for path in paths)
        rows = [row for row in every if not row.file == row.head == row.index]
        loose = tuple(row.path for row in rows if row.file == row.index and row.path in seen.differs)
        return Proof(len(paths), tuple(row for row in rows if row.path not in loose), loose)

    def _marker(self, seen: Seen) -> Marker:
        """What the index will agree with once it has followed."""
        loose = seen.differs.keys() | seen.unreadable.keys()
        return Marker(seen.head, frozenset(loose), self._vault.config.language)

    def _difference(self, seen: Seen, touched: Mapping[PagePath, Touch] | None = None) -> Difference:
        """Pages that git says may differ from what was indexed; all of them where git can't tell.

        A page that can't be read stays as it was indexed, to be looked at again.
        """
        marker = Marker.load(self.words.marker)
        if marker.language != self._vault.config.language:
            return _subtract(self._vault.pages(seen), dict.fromkeys(self.words.have(), ANEW), seen)
        if touched is None and marker.head:
            touched = self._vault.history.between(marker.head, seen.head)
        settled = marker.loose - seen.differs.keys()  # committed since: author and date are now the commit's
        if touched is None:
            return _subtract(self._vault.pages(seen), _anew(self.words.have(), settled), seen)
        maybe = [path for path in {*touched, *marker.loose, *seen.differs} if is_shareable(path)]
        loose = [path for path in marker.loose if path not in touched]
        committed = self._vault.history.versions(seen.head, loose) if loose else {}
        now = {**committed, **{path: touch.after for path, touch in touched.items()}, **seen.differs}
        want = {path: version for path in maybe if (version := now.get(path))}
        have = {path: entry.version for path in maybe if (entry := self.words.page(path))}
        return _subtract(want, _anew(have, settled), seen)

    def _prepared(self, come: dict[PagePath, Version], seen: Seen, loose: set[PagePath]) -> Iterator[Prepared]:
        """What to index, read from disk; what is not there as seen becomes `loose`, for another look."""
        from memory_wiki.index.prepare import Job, prepare

        origin = self._origins(come, seen)
        missing = set(come)
        language = self._vault.config.language
        for page in prepare(self._vault.root, [Job(path, *origin(path), language) for path in come]):
            missing.discard(page.path)
            if page.version != come[page.path]:
                loose.add(page.path)
            yield page
        loose.update(missing)
        if missing:
            log.warning(
                "%d pages could not be read, %s among them; what is indexed of them stays", len(missing), min(missing)
            )

    def _origins(self, come: Iterable[PagePath], seen: Seen) -> Callable[[PagePath], tuple[str, datetime]]:
        """Who last changed a page, and when: from the commits since the index last agreed, the person for the rest."""
        committed = {path for path in come if path not in seen.differs}
        found: dict[PagePath, tuple[str, datetime]] = {}
        history = self._vault.history
        news = history.since(Marker.load(self.words.marker).head, seen.head) if committed else ()
        _attribute(news, found)
        if older := committed - found.keys():  # git went back to these: their last change is no news
            _attribute(history.log(seen.head, paths=list(older)), found)
        return lambda path: found.get(path) or (history.person.signature, self._now())


def _attribute(commits: Iterable[Commit], found: dict[PagePath, tuple[str, datetime]]) -> None:
    """Adds who last changed which page, and when; commits come newest first."""
    for commit in commits:
        for touch in commit.touched:
            found.setdefault(PagePath(touch.path), (f"{commit.author} <{commit.email}>", commit.at))


def _anew(have: Mapping[PagePath, Version], paths: Collection[PagePath]) -> dict[PagePath, Version]:
    return {path: ANEW if path in paths else version for path, version in have.items()}


def _subtract(want: dict[PagePath, Version], have: dict[PagePath, Version], seen: Seen) -> Difference:
    come = {path: version for path, version in want.items() if have.get(path) != version}
    gone = have.keys() - want.keys() - seen.unreadable.keys()
    return Difference({path: v for path, v in come.items() if path not in seen.unreadable}, frozenset(gone))


def _told(pages: Iterable[Prepared], total: int, progress: Progress) -> Iterator[Prepared]:
    for done, page in enumerate(pages, 1):
        yield page
        progress(done, total)
