"""A plan's changes done to the folder: all checked before the first is done. Knows no git."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from memory_wiki.errors import Conflict, MemoryWikiError, NotCommitted, PageExists, PageNotFound
from memory_wiki.page.change import Change, Create, Move, Replace
from memory_wiki.page.path import PagePath, Version, version_of
from memory_wiki.vault import files


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


def write(root: Path, tmp: Path, changes: Sequence[Change]) -> None:
    """Does all changes; every byte is on the disk for good when this returns.

    Raises `PageExists`, `PageNotFound`, `Conflict`, `BadPath`, `Broken` with none done, `NotCommitted` with some.
    New text is staged before the folder is checked, as that takes a while; a plan's first change comes last, so
    that its page is there only when all the others are.
    """
    try:
        staged = _stage(root, tmp, changes)
        _check(root, changes)
        _publish_each(root, tmp, changes, staged)
    finally:
        with suppress(OSError):
            files.clear(tmp)


def _stage(root: Path, tmp: Path, changes: Sequence[Change]) -> list[Path]:
    try:
        tmp.mkdir(exist_ok=True)
        files.clear(tmp)
        return [files.stage(tmp, secrets.token_hex(8), change.data) for change in changes]
    except OSError as error:
        raise files.broken(error, root) from None


def _publish_each(root: Path, tmp: Path, changes: Sequence[Change], staged: Sequence[Path]) -> None:
    """Puts pages in place; where one has moved on meanwhile, the ones before it get their old bytes back."""
    done: list[tuple[Change, bytes | None]] = []
    try:
        for change, file in reversed(list(zip(changes, staged, strict=True))):
            done.append((change, None if isinstance(change, Create) else bytes_on_disk(root, change.path)))
            _publish(root, change, file)
        files.sync(root, (parent for change in changes for parent in _folders(change)))
    except OSError as error:
        raise NotCommitted([change.path for change, _ in done], files.said(error)) from None
    except MemoryWikiError:
        for change, before in reversed(done):
            _undo(root, tmp, change, before)
        raise


def _undo(root: Path, tmp: Path, change: Change, before: bytes | None) -> None:
    """Takes back a change, unless the page has been changed again since."""
    with suppress(OSError, MemoryWikiError):
        if bytes_on_disk(root, change.path) != change.data:
            return
        if before is None:
            (root / change.path).unlink()
        else:
            files.replace(root, change.path, files.stage(tmp, secrets.token_hex(8), before))


def _check(root: Path, changes: Sequence[Change]) -> None:
    made: set[PagePath] = set()
    for change in changes:
        target = change.to if isinstance(change, Move) else change.path
        files.place_of(root, target)
        if not isinstance(change, Replace) and (target in made or _is_taken(root, change, target)):
            raise PageExists(target)
        if not isinstance(change, Create):
            _check_version(root, change)
        made.add(target)


def contents(changes: Sequence[Change]) -> dict[PagePath, bytes | None]:
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
