"""Making a vault: a new folder, a person's own, or one in a code repository. Writes no file that is there already."""

from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files as resources
from pathlib import Path

from memory_wiki.config import FILE, Config, load
from memory_wiki.errors import BadInput, Broken, VaultNotFound
from memory_wiki.page.change import Actor, Create, Plan
from memory_wiki.page.path import PagePath
from memory_wiki.vault.history import History
from memory_wiki.vault.repository import start
from memory_wiki.vault.vault import Vault

STARTER = {
    FILE: FILE,
    "gitattributes": ".gitattributes",
    "gitignore": ".gitignore",
    "memories.base": "memories.base",
    "decisions.base": "decisions.base",
    "recent.base": "recent.base",
    "archived.base": "archived.base",
}


@dataclass(frozen=True, slots=True)
class Made:
    """What `make` did: files it wrote, and files of those names that were there and stayed as they were."""

    root: Path
    is_own_repository: bool
    written: tuple[str, ...]
    kept: tuple[str, ...]


def make(root: Path, actor: Actor | None, now: datetime) -> Made:
    """Makes `root` a vault, or completes it; raises `BadInput` where that can't be, `VaultBusy` amid a merge."""
    if outer := next((folder for folder in root.parents if (folder / FILE).is_file()), None):
        raise BadInput(f"{root} lies in the vault {outer}, whose pages its own would be; choose a folder outside")
    _make_folder(root)
    history, is_own = _repository(root)
    is_ignored = history.is_ignored()
    history.close()
    if is_ignored:
        raise BadInput(
            f"the repository around {root} ignores its pages (.gitignore); drop that line, or choose another"
        )
    missing = {to: name for name, to in STARTER.items() if not (root / to).exists()}
    vault = Vault(root, load(root) if FILE not in missing else Config())
    starter = resources("memory_wiki.vault") / "starter"
    changes = tuple(Create(PagePath(to), (starter / name).read_bytes()) for to, name in missing.items())
    try:
        if changes:
            who = actor or Actor(vault.history.person.name)
            vault.apply(Plan("init", "memory-wiki vault", changes), who, now)
            vault.settle()
    finally:
        vault.close()
    return Made(root, is_own, tuple(missing), tuple(to for to in STARTER.values() if to not in missing))


def _make_folder(root: Path) -> None:
    try:
        root.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise BadInput(f"{root} is a file; give a folder, new or your own") from None
    except OSError as error:
        raise Broken(f"{root} can't be made: {error.strerror}; choose a folder you may write to") from None


def _repository(root: Path) -> tuple[History, bool]:
    """The repository around a folder, or a new one in it; and whether it is the folder's own."""
    if (root / "objects").is_dir() and (root / "HEAD").is_file():
        raise BadInput(f"{root} is a bare repository, which has no files of its own; clone it, and give the clone")
    try:
        history = History.open(root)
    except VaultNotFound:
        start(root)
        return History.open(root), True
    return history, history.top == root.resolve()
