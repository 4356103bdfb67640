"""Which vault and which project a person means by where they stand. Reads folders and git's settings."""

from dataclasses import dataclass
from pathlib import Path

from memory_wiki.config import FILE, load
from memory_wiki.errors import MemoryWikiError, VaultNotFound
from memory_wiki.page.remote import normal_remote
from memory_wiki.vault.history import History
from memory_wiki.vault.vault import Vault

INSIDE = ("memory_wiki", "memory-wiki", "memory", "docs/memory")
"""Where a code repository keeps its vault, if it has one."""


def open_vault(root: Path) -> Vault:
    """Raises `VaultNotFound` for a folder that is no vault, `VaultTooNew`, `BadConfig`."""
    if not (root / FILE).is_file():
        raise VaultNotFound(root)
    root = root.resolve()
    return Vault(root, load(root))


@dataclass(frozen=True, slots=True)
class Checkout:
    """A code base: its folder's name, and where it is shared, as `host/owner/name`."""

    name: str
    remotes: tuple[str, ...]


def find_vault(here: Path) -> Path | None:
    """The vault one stands in, or the one that the code repository one stands in holds; None for neither."""
    for folder in (here, *here.parents):
        is_repository = (folder / ".git").exists()
        for place in (folder, *(folder / name for name in INSIDE if is_repository)):
            if (place / FILE).is_file():
                return place
    return None


def checkout(here: Path) -> Checkout | None:
    """The code base one stands in: a repository, whichever worktree, else a plain folder; None at home and at `/`."""
    try:
        history = History.open(here)
    except MemoryWikiError:
        if here in {Path.home(), Path(here.anchor)}:
            return None
        return Checkout(here.name, ())
    try:
        remotes = history.remotes()
        first = ["origin"] if "origin" in remotes else []
        names = [*first, *sorted(remotes.keys() - {"origin"})]
        found = dict.fromkeys(remote for name in names if (remote := normal_remote(remotes[name])))
        return Checkout(history.main_folder().name, tuple(found))
    finally:
        history.close()
