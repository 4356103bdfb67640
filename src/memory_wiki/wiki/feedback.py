"""What readers say of a page: kept as evidence for its strength; wrong and stale ask for its review as well."""

import json
from datetime import datetime
from pathlib import Path

from memory_wiki.errors import BadInput
from memory_wiki.page.change import Actor
from memory_wiki.page.edit import Edit, SetKey
from memory_wiki.page.page import Page
from memory_wiki.vault.own import append_line

VERDICTS = ("useful", "wrong", "stale")
REVIEW = "review"
"""The property that says why a page asks for review; `edit PAGE --set status=active --unset review` ends it."""


def note_use(own_folder: Path, page: Page, verdict: str, actor: Actor, now: datetime) -> None:
    """Evidence for how strong the page is: a line in the log of that day. Raises `BadInput` for another verdict."""
    if verdict not in VERDICTS:
        raise BadInput(f"{verdict!r} is no verdict; say useful, wrong or stale")
    use = {
        "at": now.isoformat(timespec="seconds"),
        "page": page.path,
        "version": page.version,
        "verdict": verdict,
        "by": actor.name,
        "agent": actor.agent,
    }
    append_line(own_folder / "uses", f"{now.date().isoformat()}.jsonl", json.dumps(use))


def review_of(verdict: str, note: str, actor: Actor, now: datetime) -> tuple[Edit, ...]:
    """What marks a page as one that asks for review."""
    why = " ".join(note.split())
    said = f"{verdict}: {why}" if why else verdict
    return (SetKey("status", "disputed"), SetKey(REVIEW, f"{said} ({actor.byline}, {now.date().isoformat()})"))
