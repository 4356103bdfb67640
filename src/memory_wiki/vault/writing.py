"""Plans done to the folder, each wholly or not at all, whatever becomes of the others. Knows no git."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

from memory_wiki.errors import Broken, Conflict, MemoryWikiError, NotCommitted, PageExists, PageNotFound
from memory_wiki.page.change import Change, Create, Move, Replace
from memory_wiki.page.path import PagePath, Version, version_of
from memory_wiki.vault import files

Outcome = MemoryWikiError | None
"""Why a plan was not done; None where it is."""


def version_on_disk(root: Path, path: PagePath) -> Version | None:
    """None for a page that is not there."""
    data = bytes_on_disk(root, path)
    return None if data is None else version_of(data)


def bytes_on_disk(root: Path, path: PagePath) -> bytes | None:
    """None for a page that is not there."""
    try:
        return files.read(root, path)
    except PageNotFound:
        return None


def settled_version(root: Path, path: PagePath) -> Version | None:
    """As `version_on_disk`, but raises `VaultBusy` while another program is writing the page."""
    data = settled_bytes(root, path)
    return None if data is None else version_of(data)


def settled_bytes(root: Path, path: PagePath) -> bytes | None:
    """As `bytes_on_disk`, but raises `VaultBusy` while another program is writing the page."""
    try:
        return files.read_settled(root, path)
    except PageNotFound:
        return None


def write(root: Path, tmp: Path, plans: Sequence[Sequence[Change]], told: Callable[[int], None]) -> list[Outcome]:
    """Does plans one after another; every byte is on the disk for good when this returns.

    `told` hears of each plan whose pages are in place, by its number from 0, while the others are still to come. Where
    Ctrl-C or a mistake of ours ends it, what was put in place is taken back.

    A plan is refused with `PageExists`, `PageNotFound`, `Conflict`, `BadPath` or `Broken` where nothing came of it,
    with `NotCommitted` where something did. A plan's new text is staged before its pages are looked at, as that takes
    a while; its first change comes last, so that its page is there only when all the others are.
    """
    try:
        return _Writing(root, tmp).do(plans, told)
    finally:
        with suppress(OSError):
            files.clear(tmp)


class _Writing:
    def __init__(self, root: Path, tmp: Path) -> None:
        self._root = root
        self._tmp = tmp
        self._places = files.Places(root)
        self._done: list[tuple[Change, bytes | None]] = []
        """What was put in place, and the bytes that were there before."""

    def do(self, plans: Sequence[Sequence[Change]], told: Callable[[int], None]) -> list[Outcome]:
        try:
            self._tmp.mkdir(exist_ok=True)
            files.clear(self._tmp)
        except OSError as error:
            return [files.broken(error, self._root)] * len(plans)
        with closing(files.stage_each(self._tmp, [change.data for changes in plans for change in changes])) as staged:
            outcomes: list[Outcome] = []
            try:
                for number, changes in enumerate(plans):
                    outcomes.append(self._do(changes, [*islice(staged, len(changes))]))
                    if outcomes[-1] is None:
                        told(number)
                return self._synced(plans, outcomes)
            except BaseException:
                self._undo(self._done)
                raise

    def _do(self, changes: Sequence[Change], staged: Sequence[Path | Broken]) -> Outcome:
        try:
            new = [_staged(file) for file in staged]
            if not _is_lone_create(changes):  # which takes the place of nothing: the system sees to that
                self._check(changes)
            self._publish_each(changes, new)
        except MemoryWikiError as error:
            return error
        return None

    def _check(self, changes: Sequence[Change]) -> None:
        made: set[PagePath] = set()
        for change in changes:
            target = change.to if isinstance(change, Move) else change.path
            self._places.of(target)
            if not isinstance(change, Replace) and (target in made or _is_taken(self._root, change, target)):
                raise PageExists(target)
            if not isinstance(change, Create):
                _check_version(self._root, change)
            made.add(target)

    def _publish_each(self, changes: Sequence[Change], staged: Sequence[Path]) -> None:
        """Puts pages in place; where one has moved on meanwhile, the ones before it get their old bytes back."""
        first = len(self._done)
        try:
            for change, file in reversed(list(zip(changes, staged, strict=True))):
                before = None if isinstance(change, Create) else bytes_on_disk(self._root, change.path)
                self._done.append((change, before))
                self._publish(change, file)
        except OSError as error:
            raise NotCommitted([change.path for change, _ in self._done[first:]], files.said(error)) from None
        except MemoryWikiError:
            if isinstance(self._done[-1][0], Create):
                self._done.pop()  # what is there is not ours, be it the same
            self._undo(self._done[first:])
            del self._done[first:]
            raise

    def _publish(self, change: Change, staged: Path) -> None:
        match change:
            case Create():
                files.create(self._places, change.path, staged)
            case Replace():
                _check_version(self._root, change)
                files.replace(self._places, change.path, staged)
            case Move():
                _check_version(self._root, change)
                # New text under the old name, then the new name: at no instant are there two of one id, or none.
                files.replace(self._places, change.path, staged)
                files.move(self._places, change.path, change.to)

    def _undo(self, done: Sequence[tuple[Change, bytes | None]]) -> None:
        """Takes back changes, the last one first, but for pages that have been changed again since."""
        for change, before in reversed(done):
            with suppress(OSError, MemoryWikiError):
                if isinstance(change, Move) and bytes_on_disk(self._root, change.to) == change.data:
                    files.move(self._places, change.to, change.path)
                if bytes_on_disk(self._root, change.path) != change.data:
                    continue
                if before is None:
                    (self._root / change.path).unlink()
                else:
                    files.replace(self._places, change.path, self._stage(before))

    def _stage(self, data: bytes) -> Path:
        (file,) = files.stage_each(self._tmp, [data])
        return _staged(file)

    def _synced(self, plans: Sequence[Sequence[Change]], outcomes: list[Outcome]) -> list[Outcome]:
        """The names of what was done are on the disk for good, each folder synced once."""
        done = [changes for changes, outcome in zip(plans, outcomes, strict=True) if outcome is None]
        try:
            for folder in sorted({folder for changes in done for change in changes for folder in _folders(change)}):
                files.sync(self._root / folder)
        except OSError as error:
            failed = NotCommitted([change.path for changes in done for change in changes], files.said(error))
            return [outcome or failed for outcome in outcomes]
        return outcomes


def _is_lone_create(changes: Sequence[Change]) -> bool:
    return len(changes) == 1 and isinstance(changes[0], Create)


def _staged(file: Path | Broken) -> Path:
    if isinstance(file, Broken):
        raise file
    return file


def contents(changes: Iterable[Change]) -> dict[PagePath, bytes | None]:
    """Each path's bytes once the changes are done, None where it is gone."""
    found: dict[PagePath, bytes | None] = {}
    for change in changes:
        if isinstance(change, Move):
            found[change.path] = None
            found[change.to] = change.data
        else:
            found[change.path] = change.data
    return found


def versions(data: Mapping[PagePath, bytes | None]) -> dict[PagePath, Version | None]:
    return {path: None if content is None else version_of(content) for path, content in data.items()}


def _is_taken(root: Path, change: Change, target: PagePath) -> bool:
    is_respelt = isinstance(change, Move) and files.is_same(root, change.path, target)
    return files.exists(root, target) and not is_respelt


def _check_version(root: Path, change: Replace | Move) -> None:
    found = version_on_disk(root, change.path)
    if found is None:
        raise PageNotFound(change.path)
    if found != change.expected:
        raise Conflict(change.path, wanted=change.expected, found=found)


def _folders(change: Change) -> list[str]:
    paths = [change.path, change.to] if isinstance(change, Move) else [change.path]
    return [path.rpartition("/")[0] for path in paths]
