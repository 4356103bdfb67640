"""Which project a directory belongs to in this vault, and the page that says so."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memory_wiki.errors import PageNotFound
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import project_of, project_page, slug_for
from memory_wiki.page.remote import remotes_of
from memory_wiki.vault.locate import Checkout, checkout
from memory_wiki.vault.vault import Vault

if TYPE_CHECKING:
    from memory_wiki.page.frontmatter import Value


AT_FIRST = "What is known of the project {}."
"""What a project's page says until somebody says more."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The project of a directory, "" for none, and the code base that it holds."""

    slug: str
    code: Checkout | None


def standing_at(here: Path, vault: Vault, words: Words) -> Standing:
    """The project one stands in; none inside the vault but outside its projects, and at home.

    By git remote first, so that a second clone, a worktree or another machine meets the same project; by the
    folder's name where there is no remote.
    """
    if here.is_relative_to(vault.root):
        return Standing(project_of(PagePath(f"{here.relative_to(vault.root).as_posix()}/-.md")), None)
    code = checkout(here)
    return Standing(_slug_of(code, vault, words) if code else "", code)


def new_project_page(slug: str, code: Checkout | None, id_: str, now: datetime, by: str) -> bytes:
    """The text of a project's page, which is how a checkout finds its project."""
    from memory_wiki.page.frontmatter import compose

    remotes = code.remotes if code else ()
    keys: list[tuple[str, Value]] = [
        ("title", slug),
        ("id", id_),
        ("type", "project"),
        ("created", now),
        ("by", by),
    ]
    if remotes:
        keys.append(("remotes", remotes))
    return compose(keys, f"{AT_FIRST.format(slug)}\n").encode()


def _slug_of(code: Checkout, vault: Vault, words: Words) -> str:
    """The project whose page names one of the code base's remotes, else a slug that is no other code base's."""
    for remote in code.remotes:
        for path in words.with_remote(remote):
            if slug := project_of(path):
                return slug
    if not code.remotes:
        return slug_for(code.name)
    parts = code.remotes[0].split("/")
    slug = slug_for(parts[-1])
    others = _remotes(project_page(slug), vault)
    return slug_for("-".join(parts[-2:])) if others and not others.intersection(code.remotes) else slug


def _remotes(path: PagePath, vault: Vault) -> frozenset[str]:
    """What a project's page names, which the index may not know of yet."""
    from memory_wiki.page.page import parse

    try:
        found = parse(path, vault.read(path)).values.get("remotes")
    except PageNotFound:
        return frozenset()
    return frozenset(remotes_of(found))
