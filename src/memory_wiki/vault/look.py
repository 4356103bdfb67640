"""What is on disk now, compared with HEAD. Reads git and files, and writes neither.

Without a watch each look is one `git status`. With one, a look asks only of pages that an event, a move of HEAD or
the look before left in doubt; whatever the watch can't vouch for is looked at as without it.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from memory_wiki.errors import BadPath, Broken, VaultBusy
from memory_wiki.page.path import PagePath, Version, is_page, version_of
from memory_wiki.vault.history import History
from memory_wiki.vault.porcelain import Status
from memory_wiki.vault.repository import PATHS_COMPARED
from memory_wiki.vault.writing import settled_bytes, settled_version

if TYPE_CHECKING:
    from memory_wiki.vault.watch import Watch

REMEMBERED = 20_000  # versions of our own commits kept in mind, so that the events of our writes cost no process


@dataclass(frozen=True, slots=True)
class Seen:
    """The folder as it is: the commit at HEAD, and each page on disk that differs from it (None: gone).

    A page that can't be read, or that another program is writing, is not gone: `unreadable` has it, with the reason,
    and everything else leaves it be.
    """

    head: str
    branch: str
    differs: Mapping[PagePath, Version | None]
    was: Mapping[PagePath, Version] = field(default_factory=dict)
    """What HEAD has of those that differ."""
    unreadable: Mapping[PagePath, str] = field(default_factory=dict)
    unmerged: frozenset[PagePath] = frozenset()
    """Pages with a conflict that the person has to resolve: what is on disk of them is not for history."""

    @property
    def to_commit(self) -> list[PagePath]:
        return [path for path in self.differs if path not in self.unmerged]

    @property
    def conflict(self) -> str:
        """What is not to be committed as it is, and what to do; "" for nothing."""
        return "; ".join(unresolved(path) for path in sorted(self.unmerged & self.differs.keys()))


def unresolved(path: PagePath) -> str:
    return f"{path} has an unresolved conflict; mend the page, `git add` it, then try again"


def by_now(root: Path, seen: Seen) -> tuple[dict[PagePath, bytes | None], set[PagePath]]:
    """What is to be committed of what was seen, as it is on disk by now (None: gone), and what is as HEAD has it again.

    A page that has become a link just now, or that another program is writing, is in neither.
    """
    data: dict[PagePath, bytes | None] = {}
    same: set[PagePath] = set()
    for path in seen.to_commit:
        with suppress(BadPath, VaultBusy):
            text = settled_bytes(root, path)
            if (None if text is None else version_of(text)) == seen.was.get(path):
                same.add(path)
            else:
                data[path] = text
    return data, same


class Looking:
    """Looks at one folder; threads may share it."""

    def __init__(self, root: Path, history: History) -> None:
        self._root = root
        self._history = history
        self._watch: Watch | None = None
        self._mutex = Lock()
        self._last: Seen | None = None
        self._doubtful: set[PagePath] = set()
        self._ours: dict[PagePath, Version | None] = {}  # what the last seen HEAD has, as far as we made it

    def trust(self, watch: "Watch | None") -> None:
        """From now on looks rely on what the watch tells, or on nothing."""
        with self._mutex:
            self._watch, self._last = watch, None

    def look(self) -> Seen:
        """What is on disk now."""
        if self._watch is None:
            return self._look_at_all()
        with self._mutex:
            events = self._watch.changed()
            last, self._last = self._last, None  # should this fail, the next one looks at everything
            seen = None
            if last is not None and events is not None:
                self._doubtful |= events
                seen = self._look_again(last)
            if seen is None:
                self._ours = {}
                seen = self._look_at_all()
            self._doubtful.clear()
            self._last = seen
            return seen

    def committed(self, parent: str, head: str, versions: Mapping[PagePath, Version | None]) -> None:
        """We have just committed this on top of `parent`; what is on disk of it, a look will tell."""
        with self._mutex:
            if self._last is not None and self._last.head == parent:
                self._ours = {**(self._ours if len(self._ours) < REMEMBERED else {}), **versions}
                self._last = replace(self._last, head=head)
                self._doubtful |= versions.keys()

    def _look_at_all(self) -> Seen:
        status = self._history.status()
        pages = list(shareable(status.changed))
        return self._seen(status, self._history.versions(status.head, pages) if pages else {})

    def _look_again(self, last: Seen) -> Seen | None:
        """What was seen last, but for pages in doubt: of the others no event has come, and HEAD has them as it had.

        None where that can't be told, or costs more than to look at everything.
        """
        branch, head = self._history.where()
        touched = self._history.between(last.head, head)
        if touched is None:
            return None
        if head != last.head:
            self._ours = {}
        doubtful = {*self._doubtful, *touched, *last.unreadable, *last.unmerged}
        unclear = [path for path in shareable(doubtful) if not self._is_as_committed(path)]
        if len(unclear) > PATHS_COMPARED:
            return None
        before = self._history.versions(head, unclear) if head and unclear else {}
        ask = self._history.status_of_known if len(before) == len(unclear) else self._history.status
        found = self._seen(ask(unclear), before) if unclear else Seen(head, branch, {})
        if (found.branch, found.head) != (branch, head):  # another program has committed just now
            return None
        differs = {path: version for path, version in last.differs.items() if path not in doubtful}
        was = {path: last.was[path] for path in differs if path in last.was}
        return replace(found, differs={**differs, **found.differs}, was={**was, **found.was})

    def _is_as_committed(self, path: PagePath) -> bool:
        if path not in self._ours:
            return False
        try:
            return settled_version(self._root, path) == self._ours[path]
        except (BadPath, Broken, VaultBusy):
            return False

    def _seen(self, status: Status, before: Mapping[PagePath, Version]) -> Seen:
        """Reads only the files that git says differ; `before` is what HEAD has of them."""
        now: dict[PagePath, Version | None] = {}
        unreadable: dict[PagePath, str] = {}
        for path in shareable(status.changed):
            if path not in before and (self._root / path).is_symlink():
                continue  # no page, and never was one here
            try:
                now[path] = settled_version(self._root, path)
            except (BadPath, Broken, VaultBusy) as error:
                unreadable[path] = str(error)
        differs = {path: version for path, version in now.items() if version != before.get(path)}
        was = {path: before[path] for path in differs if path in before}
        return Seen(status.head, status.branch, differs, was, unreadable, frozenset(shareable(status.unmerged)))


def shareable(paths: Iterable[str]) -> Iterator[PagePath]:
    """Those of the files git lists that are pages."""
    return (PagePath(path) for path in paths if is_shareable(path))


def is_shareable(path: str) -> bool:
    """Whether a file git lists is a page: named like one, in valid Unicode, on a name every system can hold."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return is_page(path)
