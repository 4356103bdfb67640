"""The index, kept equal to the pages: what it holds and what is on disk are two sets; `follow` closes the difference.

Derived: the folder may be deleted at any moment. It remembers one thing of its own, the commit it last agreed
with and the pages that were not of that commit, so that the difference is asked of git and not of every page.
"""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from memory_wiki.index.prepare import Job, prepare
from memory_wiki.index.records import Prepared
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault.porcelain import Commit
from memory_wiki.vault.vault import Seen, Vault, is_shareable

log = logging.getLogger(__name__)

Progress = Callable[[int, int], None]
"""Told how many pages of how many are done."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Pages to index anew at a version, and pages to forget."""

    come: dict[PagePath, Version]
    gone: frozenset[PagePath]

    def __bool__(self) -> bool:
        return bool(self.come or self.gone)


@dataclass(frozen=True, slots=True)
class _Marker:
    """The commit that the index agrees with, but for `loose` pages, whose indexed version is of no commit."""

    head: str = ""
    loose: tuple[PagePath, ...] = ()

    @staticmethod
    def load(text: str) -> "_Marker":
        """A marker that is missing, or not ours, agrees with no commit: everything is compared."""
        try:
            found = json.loads(text)
            return _Marker(found["head"], tuple(PagePath(path) for path in found["loose"]))
        except (ValueError, TypeError, KeyError):
            return _Marker()

    def dump(self) -> str:
        return json.dumps({"head": self.head, "loose": sorted(self.loose)})


class Index:
    """The word index of one vault."""

    def __init__(self, vault: Vault, now: Callable[[], datetime]) -> None:
        self._vault = vault
        self._now = now
        self.folder = vault.own_folder / "index" / "words"
        self.words = Words.open(self.folder)

    def close(self) -> None:
        self.words.close()

    def follow(self, seen: Seen, progress: Progress | None = None) -> Difference:
        """Brings the index to what `seen` says is on disk; gives what it had to change."""
        if not self._is_behind(seen):
            return Difference({}, frozenset())
        is_fresh = self._vault.is_locked
        with self._vault.locked():
            if not is_fresh:
                seen = self._vault.look()  # another process may have written while we waited
            difference = self._difference(seen)
            loose = {path for path, version in seen.differs.items() if version}
            pages = self._prepared(difference.come, seen, loose)
            if progress is not None:
                pages = _told(pages, len(difference.come), progress)
            self.words.update(difference.gone, pages, lambda: _Marker(seen.head, tuple(sorted(loose))).dump())
        log.info("indexed %d pages, forgot %d", len(difference.come), len(difference.gone))
        return difference

    def rebuild(self, progress: Progress | None = None) -> Difference:
        """Deletes the index and follows."""
        with self._vault.locked():
            self.words.close()
            try:
                Words.delete(self.folder)
            finally:
                self.words = Words.open(self.folder)
            return self.follow(self._vault.look(), progress)

    def disagreement(self, seen: Seen) -> Difference:
        """The proof: every page on disk against everything the index holds. Linear in pages."""
        return _subtract(self._vault.pages(seen), self.words.have())

    def _is_behind(self, seen: Seen) -> bool:
        marker = _Marker.load(self.words.marker)
        loose = tuple(sorted(path for path, version in seen.differs.items() if version))
        return marker != _Marker(seen.head, loose) or bool(self._difference(seen))

    def _difference(self, seen: Seen) -> Difference:
        """Pages that git says may differ from what was indexed; all of them where git can't tell."""
        marker = _Marker.load(self.words.marker)
        touched = self._vault.history.between(marker.head, seen.head) if marker.head else None
        if touched is None:
            return self.disagreement(seen)
        maybe = [path for path in {*touched, *marker.loose, *seen.differs} if is_shareable(path)]
        if not maybe:
            return Difference({}, frozenset())
        loose = [path for path in marker.loose if path not in touched]
        committed = self._vault.history.versions(seen.head, loose) if loose else {}
        now = {**committed, **{path: touch.after for path, touch in touched.items()}, **seen.differs}
        want = {path: version for path in maybe if (version := now.get(path))}
        have = {path: entry.version for path in maybe if (entry := self.words.page(path))}
        difference = _subtract(want, have)
        settled = set(marker.loose) - seen.differs.keys()  # committed since: author and date are now the commit's
        again = {path: want[path] for path in settled if path in want}
        return Difference({**difference.come, **again}, difference.gone)

    def _prepared(self, come: dict[PagePath, Version], seen: Seen, loose: set[PagePath]) -> Iterator[Prepared]:
        """What to index, read from disk; what is not there as seen becomes `loose`, for another look."""
        origin = self._origins(come, seen)
        missing = set(come)
        for page in prepare(self._vault.root, [Job(path, *origin(path)) for path in come]):
            missing.discard(page.path)
            if page.version != come[page.path]:
                loose.add(page.path)
            yield page
        loose.update(missing)

    def _origins(self, come: Iterable[PagePath], seen: Seen) -> Callable[[PagePath], tuple[str, datetime]]:
        """Who last changed a page, and when: from the commits since the index last agreed, the person for the rest."""
        committed = {path for path in come if path not in seen.differs}
        found: dict[PagePath, tuple[str, datetime]] = {}
        history = self._vault.history
        news = history.since(_Marker.load(self.words.marker).head, seen.head) if committed else ()
        _attribute(news, found)
        if older := committed - found.keys():  # git went back to these: their last change is no news
            _attribute(history.log(seen.head, paths=list(older)), found)
        return lambda path: found.get(path) or (f"{history.person.name} <{history.person.email}>", self._now())


def _attribute(commits: Iterable[Commit], found: dict[PagePath, tuple[str, datetime]]) -> None:
    """Adds who last changed which page, and when; commits come newest first."""
    for commit in commits:
        for touch in commit.touched:
            found.setdefault(PagePath(touch.path), (f"{commit.author} <{commit.email}>", commit.at))


def _subtract(want: dict[PagePath, Version], have: dict[PagePath, Version]) -> Difference:
    come = {path: version for path, version in want.items() if have.get(path) != version}
    return Difference(come, frozenset(have.keys() - want.keys()))


def _told(pages: Iterable[Prepared], total: int, progress: Progress) -> Iterator[Prepared]:
    for done, page in enumerate(pages, 1):
        yield page
        progress(done, total)
