"""What a command finds around it: where one stands, which vault that means, and on whose behalf it writes."""

import os
from pathlib import Path

from memory_wiki.page.change import Actor
from memory_wiki.vault.locate import find_vault


def here() -> Path:
    """Where one stands; at the root, if that directory was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path("/")


def locate(option: Path | None) -> Path:
    """`--vault`, else MEMORY_WIKI_VAULT, else the vault one stands in, else the user's own."""
    if named := option or os.environ.get("MEMORY_WIKI_VAULT"):
        return Path(named).expanduser()
    return find_vault(here()) or own_vault()


def own_vault() -> Path:
    from platformdirs import user_data_path

    return user_data_path("memory-wiki", appauthor=False) / "vault"


def is_own_to_be_made(root: Path) -> bool:
    """Whether it is the user's own vault that is meant, and there is none yet."""
    return root == own_vault() and not (root / "memory-wiki.toml").exists()


def actor() -> Actor | None:
    """Who writes, where an agent's launcher says so; None for the person that git names."""
    found = Actor(*(os.environ.get(f"MEMORY_WIKI_{what}", "") for what in ("ACTOR", "AGENT", "SESSION")))
    return found if found != Actor("") else None
