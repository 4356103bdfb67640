"""A page as it was: which version a person means, and what it said. Reads history only."""

from datetime import datetime
from itertools import dropwhile

from memory_wiki.errors import BadInput, BadRevision, VersionNotFound
from memory_wiki.page.page import Page, parse
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import is_archived
from memory_wiki.vault.past import Past, at_commit, at_revision, versions_of
from memory_wiki.vault.vault import Vault
from memory_wiki.wiki.answers import Diff
from memory_wiki.wiki.difference import unified
from memory_wiki.wiki.when import end_of


def past_at(vault: Vault, path: PagePath, revision: str, now: datetime) -> Past:
    """The page at a version, a commit, or a date; raises `BadRevision`, `VersionNotFound`.

    What git knows by that name goes before a date; `@{2026-11-30}` is always one.
    """
    entries = list(versions_of(vault.history, path))
    if not revision.startswith("@{"):
        try:
            return at_revision(vault.history, entries, revision)
        except BadRevision as error:
            when = _date(revision, now, error)
    else:
        when = end_of(revision, now)
    return at_commit(vault.history, entries, vault.history.at(when))


def _date(revision: str, now: datetime, no_revision: BadRevision) -> datetime:
    """The end of the day that is meant; raises `no_revision` where none is."""
    try:
        return end_of(revision, now)
    except BadInput:
        raise no_revision from None


def last_past(vault: Vault, path: PagePath) -> Past:
    """The page as it was last: of one that is gone, before it went; of one put away, before that."""
    had_text = [entry for entry in versions_of(vault.history, path) if entry.version]
    outside = [entry for entry in had_text if not is_archived(entry.path)]
    if not had_text:
        raise VersionNotFound(path, "any time")
    return outside[0] if outside else had_text[0]


def page_of(vault: Vault, past: Past) -> Page:
    """What the page said then; raises `VersionNotFound` where it was not there."""
    if past.version is None:
        raise VersionNotFound(past.path, past.commit.id[:12])
    return parse(past.path, vault.history.read(past.version))


def diff_of(vault: Vault, path: PagePath, between: tuple[str, str], now: datetime) -> Diff:
    """What changed between two revisions: "" for the one before, and for the page as it is or was last."""
    old, new = between
    if new:
        after = page_of(vault, past_at(vault, path, new, now))
    else:
        after = parse(path, vault.read(path)) if vault.exists(path) else page_of(vault, last_past(vault, path))
    before = page_of(vault, past_at(vault, path, old, now)) if old else _before(vault, path, after)
    return Diff(path, before.version if before else "", after.version, unified(before, after))


def _before(vault: Vault, path: PagePath, page: Page) -> Page | None:
    """The page as it was before it became so."""
    had_text = (entry for entry in versions_of(vault.history, path) if entry.version)
    older = dropwhile(lambda entry: entry.version != page.version, had_text)
    return next((page_of(vault, entry) for entry in older if entry.version != page.version), None)
