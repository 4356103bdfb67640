"""The person's git index, brought along with what we commit, so that their next commit does not take it back.

An entry is only touched while it holds what HEAD held before a commit of ours: whatever else they have staged stays
staged. What is to be brought along is noted before the commit, a line each, so that neither a crash nor an index
locked by another program leaves it behind. Nobody waits for it: a group of commits is followed by one such step.
"""

import json
import logging
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from memory_wiki.errors import GitFailed
from memory_wiki.page.path import PagePath, Version, version_of
from memory_wiki.vault.files import broken
from memory_wiki.vault.porcelain import parse_entries
from memory_wiki.vault.repository import PATHS_COMPARED, Repository

log = logging.getLogger(__name__)

INTENDED = version_of(b"")  # what `git add -N` puts in the index for a file that is still to be added
UNMERGED = Version("unmerged")  # no version at all: the person is to choose one
EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"  # the tree without files, which stands for no commit
CLAIMED = "-claimed"  # after the name of notes that are being brought along
_COMMIT = re.compile(r"[0-9a-f]{40}")


def note(file: Path, parent: str, paths: Iterable[PagePath]) -> None:
    """Notes paths about to be committed after `parent`; raises `Broken` for a bad disk. The caller holds the lock."""
    line = "\n" + json.dumps({"parent": parent, "paths": list(paths)}) + "\n"  # apart from one that a full disk cut off
    try:
        with file.open("a", encoding="utf-8") as notes:
            notes.write(line)
    except OSError as error:
        raise broken(error, file) from None


def claim(file: Path) -> None:
    """Sets the notes so far apart, to be brought along. The caller holds the vault's lock, so that nobody notes."""
    claimed = file.with_name(file.name + CLAIMED)
    try:
        if claimed.exists():  # whoever claimed them did not come to an end
            text = file.read_text(encoding="utf-8", errors="replace")
            with claimed.open("a", encoding="utf-8") as notes:
                notes.write(text)
            file.unlink()
        else:
            file.rename(claimed)
    except FileNotFoundError:
        return
    except OSError as error:
        raise broken(error, file) from None


def is_anything_noted(file: Path) -> bool:
    return file.exists() or file.with_name(file.name + CLAIMED).exists()


def bring_along(repository: Repository, file: Path) -> list[PagePath] | None:
    """Sets claimed entries to what HEAD has by now, where they still hold what HEAD held before a commit of ours.

    Gives those; None where another program has the index locked: they stay claimed.
    """
    claimed = file.with_name(file.name + CLAIMED)
    held = _held(repository, _noted(claimed))
    staged = _staged(repository, list(held)) if held else {}
    ours = [path for path, versions in held.items() if staged.get(path) in versions]
    if not _stage(repository, ours):
        return None
    try:
        claimed.unlink(missing_ok=True)
    except OSError as error:
        raise broken(error, claimed) from None
    return ours


def refresh(repository: Repository, paths: list[PagePath]) -> None:
    """Has git look at the files of entries that were set by their ids, which say nothing of files.

    Without it, whoever asks for a `git status` reads each of these files anew, until one keeps what it has found.
    """
    few = paths if len(paths) <= PATHS_COMPARED else ()
    repository.below("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all", paths=few)


def _held(repository: Repository, noted: Iterable[tuple[str, PagePath]]) -> dict[PagePath, set[Version | None]]:
    """For each path, what HEAD has held; nothing and a file still to be added are the same. One process for all."""
    every = list(dict.fromkeys(noted))
    asked = [(parent, path) for parent, path in every if "\n" not in path]
    names = "".join(f"{parent or EMPTY}:{repository.prefix}{path}\n" for parent, path in asked)
    out = repository.run("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=os.fsencode(names))
    held: dict[PagePath, set[Version | None]] = {}
    for (_, path), line in zip(asked, out.decode("utf-8", "replace").split("\n"), strict=False):
        blob = Version(line[5:]) if line.startswith("blob ") else None
        held.setdefault(path, set()).update((blob, blob or INTENDED))
    for parent, path in every:  # of several lines, which git can't be asked of a line each
        if "\n" in path:
            entry = _entry(repository, parent or EMPTY, path)
            held.setdefault(path, set()).update((entry, entry or INTENDED))
    return held


def _entry(repository: Repository, commit: str, path: PagePath) -> Version | None:
    """The blob that a commit has at a path."""
    found = parse_entries(repository.below("ls-tree", "-r", "-z", "--full-name", commit, paths=[path]))
    return next((Version(entry.split(" ")[-1]) for entry in found.values()), None)


def _staged(repository: Repository, paths: list[PagePath]) -> dict[PagePath, Version]:
    out = repository.below("ls-files", "--stage", "-z", paths=paths)
    lines = (line.split("\t", 1) for line in os.fsdecode(out).split("\0") if line)
    entries = ((path.removeprefix(repository.prefix), meta.split(" ")) for meta, path in lines)
    return {PagePath(path): Version(blob) if stage == "0" else UNMERGED for path, (_, blob, stage) in entries}


def _stage(repository: Repository, paths: list[PagePath]) -> bool:
    """Sets the index to HEAD for just these paths; False where it is locked.

    By object ids, not from the files: those may be newer by now, and filters may change what is read of them.
    """
    if not paths:
        return True
    prefix = repository.prefix
    entries = parse_entries(repository.below("ls-tree", "-r", "-z", "--full-name", "HEAD", paths=paths))
    lines = (entries.get(prefix + path, "0 " + "0" * 40) + f"\t{prefix}{path}\0" for path in paths)
    try:
        repository.run("update-index", "--replace", "-z", "--index-info", stdin=os.fsencode("".join(lines)))
    except GitFailed as error:
        why = "another program has it locked" if "index.lock" in error.said else str(error)
        log.warning("git's index keeps its old entries for now: %s", why)
        return False
    return True


def _noted(file: Path) -> Iterator[tuple[str, PagePath]]:
    """Paths, each with the commit before its own. A clone may bring such a file: what can't be ours is left out."""
    with suppress(OSError):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            yield from _entries(line)


def _entries(line: str) -> Iterator[tuple[str, PagePath]]:
    try:
        entry = json.loads(line)
        parent, paths = entry["parent"], entry["paths"]
    except (ValueError, TypeError, KeyError):
        return
    if isinstance(parent, str) and isinstance(paths, list) and (parent == "" or _COMMIT.fullmatch(parent)):
        yield from ((parent, PagePath(path)) for path in paths if isinstance(path, str) and _is_inside(path))


def _is_inside(path: str) -> bool:
    """Whether it leads out of nothing."""
    return path != "" and path[0] != "/" and ".." not in path.split("/") and "\0" not in path
