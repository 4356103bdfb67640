"""The person's git index, brought along with what we commit, so that their next commit does not take it back.

An entry is only touched while it holds what HEAD held: whatever else they have staged stays staged. Where the
index is locked by another program, the entries are noted, and brought along by the next command that can.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault.history import History

Entries = Mapping[PagePath, Version | None]


def bring_along(history: History, note: Path, before: Entries) -> None:
    """Sets the entries of these paths to what is on disk, where they still are as `before`; as well as noted ones."""
    noted = _noted(note)
    wanted = {**noted, **before}
    staged = history.staged(list(wanted))
    if not history.stage(path for path, version in wanted.items() if staged.get(path) == version):
        note.write_text(json.dumps(wanted), encoding="utf-8")
    elif noted:
        note.unlink()


def _noted(note: Path) -> dict[PagePath, Version | None]:
    try:
        found: dict[PagePath, Version | None] = json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found
