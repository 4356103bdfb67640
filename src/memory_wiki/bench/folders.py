"""A person's vault, copied to be asked: its pages and nothing else, so that nothing of it is touched or followed."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

BESIDE = frozenset({".gitignore", "memory-wiki.toml"})  # which pages there are, and what they are taken for


def pages_in(root: Path) -> Iterator[str]:
    """Paths of what may be pages, from `root` on; folders that begin with a dot hold none, links are not followed."""
    return (path for path in _files(root) if path.endswith(".md"))


def copy(root: Path, to: Path) -> None:
    """Contents only: what may only be read becomes writable, as the copy is a vault to work in."""
    for path in _files(root):
        target = to / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target)


def _files(root: Path) -> Iterator[str]:
    for folder, inside, names in os.walk(root):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder) / name
            if (name.endswith(".md") or name in BESIDE) and not file.is_symlink():
                yield file.relative_to(root).as_posix()
