"""Commits as `git fast-import` reads them: https://git-scm.com/docs/git-fast-import#_input_format

Pure: values in, bytes out. A commit here states its parent, so git refuses to move a branch that has moved on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from memory_wiki.page.path import PagePath
from memory_wiki.page.text import encoded


@dataclass(frozen=True, slots=True)
class Person:
    """Who a commit is by, as git names people."""

    name: str
    email: str

    @property
    def signature(self) -> str:
        """`Ada Lovelace <ada@example.org>`, without what git would misread."""
        return _signature(self.name, self.email)


@dataclass(frozen=True, slots=True)
class NewCommit:
    """One commit to make: each path's new bytes, or None where it goes."""

    author: Person
    at: datetime
    message: str
    files: Mapping[PagePath, bytes | None]
    executable: frozenset[PagePath] = frozenset()


OPENING = b"feature done\n"
"""What a stream begins with: one that ends without its `ending` then commits nothing."""


def piece(branch: str, mark: int, parent: str, commit: NewCommit, prefix: str = "") -> bytes:
    """The commit that goes by `mark`, as 1, 2, 3 …: the first one after `parent` ("" for none), each next after the one
    before. `prefix` goes before each path: the commits' own are relative to the vault.
    """
    stamp = _stamp(commit)
    head = f"commit refs/heads/{branch}\nmark :{mark}\n".encode()
    people = b"author %s\ncommitter %s\n" % (stamp, stamp)
    after = f"from {parent}\n".encode() if mark == 1 and parent else b""
    return b"".join((head, people, _data(encoded(commit.message)), after, *_files(commit, prefix), b"\n"))


def ending(count: int) -> bytes:
    """The end of a stream of so many commits; git then answers one line for each: its id."""
    return b"".join(b"get-mark :%d\n" % mark for mark in range(1, count + 1)) + b"done\n"


def _stamp(commit: NewCommit) -> bytes:
    offset = commit.at.strftime("%z") or "+0000"
    seconds = max(0, int(commit.at.timestamp()))  # git takes a time before 1970 for damage
    return f"{commit.author.signature} {seconds} {offset}".encode("utf-8", "replace")


@lru_cache(maxsize=64)
def _signature(name: str, email: str) -> str:
    return " ".join(f"{_clean(name)} <{_clean(email)}>".split())


def _clean(name: str) -> str:
    return "".join(char for char in name if char not in "<>\n\0")


def _files(commit: NewCommit, prefix: str) -> Iterable[bytes]:
    for path, data in sorted(commit.files.items()):
        if data is None:
            yield b"D %s\n" % _quoted(prefix + path)
    for path, data in sorted(commit.files.items()):
        if data is not None:
            mode = b"100755" if path in commit.executable else b"100644"
            yield b"M %s inline %s\n" % (mode, _quoted(prefix + path))
            yield _data(data)


def _data(data: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(data), data)


def _quoted(path: str) -> bytes:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return b'"%s"' % encoded(escaped)
