"""Plans done to the folder, each wholly or not at all, whatever becomes of the others. Knows no git."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from memory_wiki.errors import Conflict, MemoryWikiError, NotCommitted, PageExists, PageNotFound
from memory_wiki.page.change import Change, Create, Move, Replace
from memory_wiki.page.path import PagePath, Version, version_of
from memory_wiki.vault import files

SYNCED_AT_ONCE = 4  # files; more gain nothing on the disks measured (0.29 ms a file alone, 0.14 with four)
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


def write(root: Path, tmp: Path, plans: Sequence[Sequence[Change]]) -> list[Outcome]:
    """Does plans one after another; every byte is on the disk for good when this returns.

    A plan is refused with `PageExists`, `PageNotFound`, `Conflict`, `BadPath` or `Broken` where nothing came of it,
    with `NotCommitted` where something did. New text is staged before the folder is looked at, as that takes a while;
    a plan's first change comes last, so that its page is there only when all the others are.
    """
    try:
        staged = _stage_each(root, tmp, plans)
        outcomes = [_do(root, tmp, *pair) for pair in zip(plans, staged, strict=True)]
        return _synced(root, plans, outcomes)
    finally:
        with suppress(OSError):
            files.clear(tmp)


def _stage_each(root: Path, tmp: Path, plans: Sequence[Sequence[Change]]) -> list[list[Path] | MemoryWikiError]:
    """The staged files of each plan, or why they can't be."""
    try:
        tmp.mkdir(exist_ok=True)
        files.clear(tmp)
    except OSError as error:
        return [files.broken(error, root)] * len(plans)

    def stage(changes: Sequence[Change]) -> list[Path] | MemoryWikiError:
        try:
            return [files.stage(tmp, os.urandom(8).hex(), change.data) for change in changes]
        except MemoryWikiError as error:
            return error

    if len(plans) < SYNCED_AT_ONCE:
        return [stage(changes) for changes in plans]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(SYNCED_AT_ONCE) as pool:
        return list(pool.map(stage, plans))


def _do(root: Path, tmp: Path, changes: Sequence[Change], staged: list[Path] | MemoryWikiError) -> Outcome:
    if isinstance(staged, MemoryWikiError):
        return staged
    try:
        _check(root, changes)
        _publish_each(root, tmp, changes, staged)
    except MemoryWikiError as error:
        return error
    return None


def _publish_each(root: Path, tmp: Path, changes: Sequence[Change], staged: Sequence[Path]) -> None:
    """Puts pages in place; where one has moved on meanwhile, the ones before it get their old bytes back."""
    done: list[tuple[Change, bytes | None]] = []
    try:
        for change, file in reversed(list(zip(changes, staged, strict=True))):
            done.append((change, None if isinstance(change, Create) else bytes_on_disk(root, change.path)))
            _publish(root, change, file)
    except OSError as error:
        raise NotCommitted([change.path for change, _ in done], files.said(error)) from None
    except MemoryWikiError:
        for change, before in reversed(done):
            _undo(root, tmp, change, before)
        raise


def _synced(root: Path, plans: Sequence[Sequence[Change]], outcomes: list[Outcome]) -> list[Outcome]:
    """The names of what was done are on the disk for good, each folder synced once."""
    done = [changes for changes, outcome in zip(plans, outcomes, strict=True) if outcome is None]
    try:
        files.sync(root, (folder for changes in done for change in changes for folder in _folders(change)))
    except OSError as error:
        failed = NotCommitted([change.path for changes in done for change in changes], files.said(error))
        return [outcome or failed for outcome in outcomes]
    return outcomes


def _undo(root: Path, tmp: Path, change: Change, before: bytes | None) -> None:
    """Takes back a change, unless the page has been changed again since."""
    with suppress(OSError, MemoryWikiError):
        if bytes_on_disk(root, change.path) != change.data:
            return
        if before is None:
            (root / change.path).unlink()
        else:
            files.replace(root, change.path, files.stage(tmp, os.urandom(8).hex(), before))


def _check(root: Path, changes: Sequence[Change]) -> None:
    made: set[PagePath] = set()
    for change in changes:
        target = change.to if isinstance(change, Move) else change.path
        if len(changes) > 1:  # of one alone, whoever puts it in place finds that out before it does
            files.place_of(root, target)
        if not isinstance(change, Replace) and (target in made or _is_taken(root, change, target)):
            raise PageExists(target)
        if not isinstance(change, Create):
            _check_version(root, change)
        made.add(target)


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


def _publish(root: Path, change: Change, staged: Path) -> None:
    match change:
        case Create():
            files.create(root, change.path, staged)
        case Replace():
            _check_version(root, change)
            files.replace(root, change.path, staged)
        case Move():
            _check_version(root, change)
            # New text under the old name, then the new name: at no instant are there two pages of one id, or none.
            files.replace(root, change.path, staged)
            files.move(root, change.path, change.to)


def _folders(change: Change) -> list[str]:
    paths = [change.path, change.to] if isinstance(change, Move) else [change.path]
    return [path.rpartition("/")[0] for path in paths]
