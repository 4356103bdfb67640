"""What must hold of a vault at every moment, asked of the files and of git themselves."""

import os
from collections.abc import Iterator
from pathlib import Path

from kit import run_git
from memory_wiki.page.path import Version, is_page, version_of
from memory_wiki.wiki import Wiki

OWN = {".git", ".memory-wiki"}


def files(root: Path) -> Iterator[str]:
    """The path of every file but of git's and of ours, which are most of them and none that a person looks at."""
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in OWN]
        above = folder[len(str(root)) + 1 :]
        yield from (f"{above}/{name}" if above else name for name in names if name not in OWN)


def on_disk(root: Path) -> dict[str, bytes]:
    """Every page in the folder, hidden ones apart."""
    return {path: (root / path).read_bytes() for path in files(root) if is_page(path)}


def at_head(root: Path) -> dict[str, str]:
    """Every page of the last commit, with its blob."""
    lines = (line.split("\t", 1) for line in run_git(root, "ls-tree", "-r", "-z", "HEAD").split("\0") if line)
    return {path: meta.split()[2] for meta, path in lines if is_page(path)}


def in_history(root: Path) -> set[str]:
    """The id of every object that HEAD leads to."""
    return {line[:40] for line in run_git(root, "rev-list", "--objects", "HEAD").splitlines()}


def staged(root: Path) -> set[str]:
    """Paths of which git's index holds something else than HEAD."""
    return set(run_git(root, "diff", "--cached", "--name-only", "-z").split("\0")) - {""}


def versions(pages: dict[str, bytes]) -> dict[str, Version]:
    return {path: version_of(data) for path, data in pages.items()}


def assert_agrees(wiki: Wiki) -> None:
    """Folder, HEAD and index hold the same pages, and nobody holds the lock."""
    seen = wiki.catch_up().seen
    pages = versions(on_disk(wiki.vault.root))
    assert at_head(wiki.vault.root) == pages
    assert wiki.index.words.have() == pages
    assert wiki.vault.pages(seen) == pages
    assert not wiki.prove().differing
    assert not wiki.vault.is_locked


def other_files(root: Path) -> set[str]:
    """Every file that is not a page, nor git's, nor below `.memory-wiki/`."""
    return {path for path in files(root) if (root / path).is_file()} - on_disk(root).keys()
