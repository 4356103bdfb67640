"""Vaults to measure in: made once for each size, and copied for rows that write.

A vault of n pages is as n calls of `remember` leave it, with a commit each and a page for each project besides, but
packed as `git fast-import` packs; of pages given with `--data` it is one of copies of theirs, round and round.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import first_open
from holding import ADA, alone
from measuring import command, git, run
from memories import Author
from memory_wiki.page import frontmatter
from memory_wiki.page.change import Create, Plan, message
from memory_wiki.page.frontmatter import Value
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath, file_name
from memory_wiki.page.place import folder_for, project_page, slug_for
from memory_wiki.vault.stream import OPENING, NewCommit, Person, ending, piece
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.project import new_project_page

BEGIN = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Vaults:
    """Where vaults are made and kept: `cache` for those that may be used again, `work` for copies.

    Nothing is deleted before the end: for half a minute after thousands of files went, ext4 makes new ones at a third
    of its speed, and the next row would be measured on that.
    """

    work: Path
    cache: Path
    data: Path | None

    def made(self, size: int) -> Path:
        """The vault of this size, to be read only."""
        root = self.cache / f"{size}-{self._kind()}"
        if not root.exists():
            part = root.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            _build(part, self._pages(size))
            part.rename(root)
        _settle(root)
        return root

    def copy(self, size: int) -> Path:
        """A vault of this size to write in. Its files are on disk, and git has looked at each."""
        root = Path(mkdtemp(dir=self.work)) / "vault"
        run("cp", "-a", self.made(size), root)
        _settle(root)
        return root

    def empty(self) -> Path:
        """A new vault."""
        root = Path(mkdtemp(dir=self.work)) / "vault"
        run(command(), "init", root)
        return root

    def _pages(self, size: int) -> "Iterable[Made]":
        return _of_memories(size) if self.data is None else _of_data(self.data, size)

    def _kind(self) -> str:
        """Tells vaults apart that were made in other ways."""
        ways = [Path(__file__), Path(__file__).with_name("memories.py")]
        said = b"".join(way.read_bytes() for way in ways) + str(self.data and self.data.resolve()).encode()
        return hashlib.sha256(said).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Made:
    """A page to be, and when."""

    path: PagePath
    data: bytes
    title: str
    at: datetime


def paths(root: Path) -> list[str]:
    """The pages of a vault, in a chance order that is always the same."""
    found = sorted(path for path in git(root, "ls-files", "-z").split("\0") if path.endswith(".md"))
    Random(7).shuffle(found)  # noqa: S311 - nothing secret
    return found


def questions(root: Path, count: int) -> list[str]:
    """Two to five words that follow each other on some page, as one remembers a thing half."""
    chance = Random(8)  # noqa: S311 - nothing secret
    asked = (_question(root / path, chance) for path in cycle(paths(root)))
    return list(islice(filter(None, asked), count))


def _question(page: Path, chance: Random) -> str:
    """Some words of a page, "" where it has none."""
    words = re.findall(r"\w{2,}", parse(PagePath(page.name), page.read_bytes()).body)
    first = chance.randrange(max(1, len(words) - 2))
    return " ".join(words[first : first + chance.randint(2, 5)])


def _of_memories(size: int) -> Iterator[Made]:
    author = Author("page")
    chance = Chance()
    taken: set[str] = set()
    for number in range(size):
        wish, own = author.wish()
        memory, at = wish.memory, BEGIN + timedelta(minutes=4 * number)
        slug = slug_for(wish.project or "")
        if (home := project_page(slug)) not in taken:
            taken.add(home)
            yield Made(home, new_project_page(slug, None, chance.new_id(at), at, ADA.byline), slug, at)
        folder = folder_for(memory.type, slug, at)
        path = f"{folder}/{file_name(memory.title, own)}.md"
        path = f"{folder}/{file_name(memory.title, own)}-{own}.md" if path in taken else path
        taken.add(path)
        keys: list[tuple[str, Value]] = [("title", memory.title), ("id", chance.new_id(at)), ("type", memory.type)]
        keys += [("tags", memory.tags), ("created", at), ("by", ADA.byline)]
        yield Made(PagePath(path), frontmatter.compose(keys, memory.text).encode(), memory.title, at)


def _of_data(data: Path, size: int) -> Iterator[Made]:
    for number, (path, text) in enumerate(first_open.copies(data, size)):
        yield Made(PagePath(path), text, f"page {number}", BEGIN + timedelta(minutes=4 * number))


def _build(root: Path, pages: Iterable[Made]) -> None:
    """Commits a page each by `git fast-import`, checks them out, and has `memory-wiki init` make it a vault."""
    run("git", "init", "--quiet", "--initial-branch=main", root)
    importing = ["git", "-C", str(root), "fast-import", "--quiet"]
    with subprocess.Popen(importing, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin  # noqa: S101 - asked for above
        process.stdin.write(OPENING)
        process.stdin.writelines(piece("main", mark, "", _commit(page)) for mark, page in enumerate(pages, 1))
        process.stdin.write(ending(0))
    if process.returncode:
        raise RuntimeError("git fast-import failed")
    git(root, "reset", "--quiet", "--hard")
    run(command(), "init", root)


def _commit(page: Made) -> NewCommit:
    said = message(Plan("remember", page.title, (Create(page.path, page.data),)), ADA)
    return NewCommit(Person("Ada Lovelace", "ada@example.org"), page.at, said, {page.path: page.data})


def _settle(root: Path) -> None:
    """Has git look at each file of a copy, the index follow where the code is newer, and the disk be done."""
    git(root, "status", "--porcelain")
    with alone(root):
        pass
    os.sync()
