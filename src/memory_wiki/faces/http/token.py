"""The token of a vault's server: made once, kept where only its owner reads it."""

import hashlib
import os
import secrets
from pathlib import Path

from platformdirs import user_data_path

from memory_wiki.errors import Broken

VARIABLE = "MEMORY_WIKI_TOKEN"
DIGITS = 16  # of a digest of the vault's path
BYTES = 32


def token_file(root: Path) -> Path:
    """Not in the vault, which a stranger may have made, with a token of theirs in it."""
    name = hashlib.sha256(str(root.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:DIGITS]
    return user_data_path("memory-wiki", appauthor=False) / "tokens" / name


def token_of(root: Path) -> str:
    """What the environment says, else what the file says, which is made where there is none. Raises `Broken`."""
    if given := os.environ.get(VARIABLE, "").strip():
        return given
    file = token_file(root)
    try:
        _make(file)
        found = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise Broken(f"the token in {file} can't be read: {error}; delete it, and `serve` makes another") from None
    if not found:
        raise Broken(f"{file} holds no token; delete it, and `serve` makes another")
    return found


def _make(file: Path) -> None:
    """Whole or not at all, and never over one that is there: two servers may begin at once."""
    if file.exists():
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = file.with_name(f"{file.name}.{os.getpid()}.tmp")
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as made:  # noqa: PTH123
        made.write(secrets.token_urlsafe(BYTES) + "\n")
    try:
        os.link(aside, file)
    except FileExistsError:
        pass
    finally:
        aside.unlink()
