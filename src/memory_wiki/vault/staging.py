"""The person's git index, brought along with what we commit, so that their next commit does not take it back.

An entry is only touched while it holds what HEAD held: whatever else they have staged stays staged. What is to be
brought along is noted before the commit, so that neither a crash nor an index locked by another program leaves it
behind: the next command does what is noted.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from memory_wiki.page.path import PagePath, Version, version_of
from memory_wiki.vault.files import broken
from memory_wiki.vault.history import History

INTENDED = version_of(b"")  # what `git add -N` puts in the index for a file that is still to be added
_BLOB = re.compile(r"[0-9a-f]{40}")
Entries = Mapping[PagePath, Version | None]


def note(file: Path, before: Entries) -> None:
    """Notes paths about to be committed, with the version that HEAD has of them now; raises `Broken` for a bad disk."""
    try:
        file.write_text(json.dumps({**before, **_noted(file)}), encoding="utf-8")
    except OSError as error:
        raise broken(error, file) from None


def bring_along(history: History, file: Path) -> None:
    """Sets noted entries to what HEAD has by now, where they still are as they were noted."""
    noted = _noted(file)
    staged = history.staged(list(noted)) if noted else {}
    ours = [path for path, version in noted.items() if staged.get(path) in {version, version or INTENDED}]
    if history.stage(ours):
        with suppress(OSError):  # noted for longer than need be, which does no harm
            file.unlink()


def _noted(file: Path) -> dict[PagePath, Version | None]:
    try:
        found: dict[PagePath, Version | None] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {path: version for path, version in found.items() if _is_entry(path, version)}


def _is_entry(path: str, version: object) -> bool:
    """Whether this may be ours: a clone may bring such a file, and no path of it may lead out of the vault."""
    is_inside = path.isprintable() and path != "" and path[0] != "/" and ".." not in path.split("/")
    return is_inside and (version is None or (isinstance(version, str) and _BLOB.fullmatch(version) is not None))
