"""The token of a vault's server: made once, kept where only its owner reads it."""

import os
import secrets
from pathlib import Path

from memory_wiki.errors import Broken

VARIABLE = "MEMORY_WIKI_TOKEN"
NAME = "token"
BYTES = 32


def token_file(own_folder: Path) -> Path:
    return own_folder / NAME


def token_of(own_folder: Path) -> str:
    """What the environment says, else what the file says, which is made where there is none. Raises `Broken`."""
    if given := os.environ.get(VARIABLE, "").strip():
        return given
    file = token_file(own_folder)
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
    aside = file.with_name(f"{NAME}.{os.getpid()}.tmp")
    with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as made:  # noqa: PTH123
        made.write(secrets.token_urlsafe(BYTES) + "\n")
    try:
        os.link(aside, file)
    except FileExistsError:
        pass
    finally:
        aside.unlink()
