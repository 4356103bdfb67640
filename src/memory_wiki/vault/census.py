"""Every page of a vault, and every file that is none: for rebuilding and for proof. Linear in files."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from memory_wiki.errors import BadPath, Broken
from memory_wiki.page.path import PagePath, Version, is_page
from memory_wiki.vault import files
from memory_wiki.vault.history import History
from memory_wiki.vault.look import shareable
from memory_wiki.vault.writing import version_on_disk


def hashed(root: Path, history: History) -> dict[PagePath, Version]:
    """Every page and its version by its bytes alone, without git's word that it is unchanged. Reads every page."""
    found: dict[PagePath, Version] = {}
    for path in shareable(history.files()):
        with suppress(BadPath, Broken):
            if version := version_on_disk(root, path):
                found[path] = version
    return found


def strangers(root: Path) -> Iterator[tuple[str, str]]:
    """Files that look like pages and may be none, each with why that is; walks the whole folder."""
    for path in files.walk(root):
        if is_page(path) or os.path.isdir(root / path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
            yield path, files.why_no_page(root, path)
