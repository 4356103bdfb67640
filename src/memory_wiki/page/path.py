"""A page's path, version and file name: what may be one, and how a title becomes one.

Pure; reads no disk. A `PagePath` that exists is safe to join to the vault's folder, but for symbolic
links, which only the vault can see.
"""

import hashlib
import re
import unicodedata
from typing import NewType

from memory_wiki.errors import BadPath

PagePath = NewType("PagePath", str)
"""Relative to the vault, `/` between parts, ends in `.md`, spelt as on disk."""

Version = NewType("Version", str)
"""A page's git blob id: 40 hexadecimal digits."""

# Windows opens these as devices, with any extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"]
)
INSTRUCTIONS = frozenset({"agents.md", "claude.md", "gemini.md"})  # files that agents take for instructions
RESERVED = frozenset({"index", "log"})  # Open Knowledge Format gives these names a meaning of their own
PATH_BYTES = 1000  # of the 1,024 that macOS allows for a whole path, and Linux 4,096
NAME_BYTES = 120  # room for a suffix below the 255 bytes of most file systems, and for 260 characters on Windows
_ASCII_UNREADABLE = re.compile(r"[^A-Za-z0-9]")
_NOT_IN_NEW = re.compile(
    r"[\[\]#^\x80-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]"  # links end there, or letters turn round
)
_FORBIDDEN = re.compile(r'[<>:"\\|?*\x00-\x1f\x7f]')


def version_of(data: bytes) -> Version:
    r"""Git's own name for these bytes: SHA-1 over `blob <length>\0<bytes>`."""
    return Version(hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest())


def page_path(text: str) -> PagePath:
    """`text` as a page's path, `.md` added where it is missing; raises `BadPath`."""
    path = text if is_page(text) else f"{text}.md"
    if text.startswith("/") or re.match(r"[A-Za-z]:", text):
        raise BadPath(text, "it must be relative to the vault")
    if len(path.encode("utf-8", "surrogatepass")) > PATH_BYTES:
        raise BadPath(text[:NAME_BYTES] + "…", f"it is longer than {PATH_BYTES} bytes")
    for part in path.split("/"):
        _check_part(text, part)
    return PagePath(path)


def new_page_path(text: str) -> PagePath:
    """The same for a page that is to be made there: one that others can link to, and that reads as it is; raises
    `BadPath`.
    """
    path = page_path(text)
    if found := _NOT_IN_NEW.search(path):
        raise BadPath(text, f"with {found.group()!r} in its name no page could link to it")
    if any(part != part.lstrip() for part in path.split("/")):
        raise BadPath(text, "a name may not begin with a space")
    return path


def _check_part(text: str, part: str) -> None:
    if part in {"", ".", ".."}:
        raise BadPath(text, "it may not hold empty parts, `.` or `..`")
    if part.startswith("."):
        raise BadPath(text, "names that begin with a dot are kept for tools")
    if found := _FORBIDDEN.search(part):
        raise BadPath(text, f"the character {found.group()!r} is not safe on every system")
    if part != part.rstrip(". "):
        raise BadPath(text, "a name may not end in a dot or a space")
    if part.split(".", 1)[0].rstrip().casefold() in DEVICES:
        raise BadPath(text, f"{part!r} is a device on Windows")
    if len(part.encode("utf-8", "surrogatepass")) > 255 or any(0xD800 <= ord(c) < 0xE000 for c in part):  # noqa: PLR2004
        raise BadPath(text, "a name must be valid Unicode of at most 255 bytes")


def is_page(path: str) -> bool:
    """Whether this file's name is that of a page: `.md` in any case, and no part hidden by a dot."""
    return path.casefold().endswith(".md") and not any(part.startswith(".") for part in path.split("/"))


def is_instructions(path: str) -> bool:
    """Whether agents would take this file for instructions of their person's, on whatever disk."""
    return path.rpartition("/")[2].casefold() in INSTRUCTIONS


def stem(path: str) -> str:
    """The file's name without folders and `.md`: `a/Use Postgres.md` → `Use Postgres`."""
    return path.rsplit("/", 1)[-1][: -len(".md")]


def folded(text: str) -> str:
    """`text` as a case-insensitive, Unicode-normalising disk or Obsidian compares it."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def file_name(title: str, fallback: str) -> str:
    """A readable file name, without `.md`, for a title in any script; `fallback` where nothing readable is left.

    Lower case, NFC, words joined by `-`, at most `NAME_BYTES` bytes; never a device, nor a reserved name.
    """
    name = _cut("-".join(_readable(unicodedata.normalize("NFC", title).lower()).split()), NAME_BYTES) or fallback
    return f"{name}-page" if name in DEVICES or name in RESERVED else name


def _readable(text: str) -> str:
    """Letters, digits and marks, with a space for each other character."""
    if text.isascii():
        return _ASCII_UNREADABLE.sub(" ", text)
    return "".join(char if unicodedata.category(char)[0] in "LNM" else " " for char in text)


def _cut(name: str, limit: int) -> str:
    if len(name.encode()) <= limit:
        return unicodedata.normalize("NFC", name)
    short = name.encode()[:limit].decode("utf-8", "ignore")
    return unicodedata.normalize("NFC", short.rsplit("-", 1)[0] if "-" in short else short)
