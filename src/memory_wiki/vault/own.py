"""`.memory-wiki/`, the vault's folder for what is derived and passing. It ignores itself, and only its owner reads it.

A clone may bring one along, so nothing in it is trusted to be what its name says: a link would let us write, or
delete, wherever a stranger wished.
"""

from pathlib import Path

from memory_wiki.errors import Broken, Refused

OWN = ".memory-wiki"
FOLDERS = ("", "cookies", "index", "index/words", "tmp")
FILES = (".gitignore", "index.lock", "lock", "staging.lock", "tidied", "unstaged.jsonl", "unstaged.jsonl-claimed")


def own_folder(root: Path) -> Path:
    """Makes the folder where it is missing; raises `Refused` where something else has one of its names."""
    try:
        return _own_folder(root / OWN)
    except OSError as error:
        raise Broken(
            f"{root / OWN} can't be used: {error.strerror}; this vault needs a folder that you may write to"
        ) from None


def _own_folder(folder: Path) -> Path:
    for place in (folder / name for name in FOLDERS):
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise Refused(f"{place} must be a folder of this vault, and is not: see what it was for, and delete it")
    for place in (folder / name for name in FILES):
        if place.is_symlink() or (place.exists() and not place.is_file()):
            raise Refused(f"{place} must be a file of this vault, and is not: see what it was for, and delete it")
    folder.mkdir(mode=0o700, exist_ok=True)
    if not (ignore := folder / ".gitignore").exists():
        ignore.write_text("*\n", encoding="utf-8")
    return folder
