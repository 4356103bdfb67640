"""What git prints, as values. Pure; knows git's machine formats and nothing else."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from memory_wiki.page.path import Version

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = datetime(9999, 12, 31, tzinfo=UTC)
HEADER_FIELDS = 6
LOG_FORMAT = "%H%x00%an%x00%ae%x00%ad%x00%s%x00%(trailers:only,unfold)"  # NUL is in no name and no message


@dataclass(frozen=True, slots=True)
class Status:
    """HEAD and branch ("" before the first commit, and where detached), and the paths that differ from HEAD.

    Of `unmerged` ones, which are `changed` too, the index has several versions and no agreed one.
    """

    head: str
    branch: str
    changed: tuple[str, ...]
    unmerged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Touch:
    """What one commit did to one path: None where it went away."""

    path: str
    before: Version | None
    after: Version | None


@dataclass(frozen=True, slots=True)
class Commit:
    """One entry of a log; `at` is the author's time, in the author's zone."""

    id: str
    author: str
    email: str
    at: datetime
    subject: str
    trailers: tuple[tuple[str, str], ...] = ()
    touched: tuple[Touch, ...] = ()

    def trailer(self, key: str) -> str:
        """The first trailer of that key, "" for none."""
        return next((value for name, value in self.trailers if name == key), "")


def parse_status(out: bytes) -> Status:
    """`git status --porcelain=v2 --branch --no-renames -z`: https://git-scm.com/docs/git-status#_porcelain_format_version_2"""
    head = branch = ""
    changed: dict[str, None] = {}
    unmerged: list[str] = []
    for line in _fields(out):
        match line.split(" ", 1):
            case ["#", rest] if rest.startswith("branch.oid "):
                head = "" if rest.endswith("(initial)") else rest.removeprefix("branch.oid ")
            case ["#", rest] if rest.startswith("branch.head "):
                branch = "" if rest.endswith("(detached)") else rest.removeprefix("branch.head ")
            case ["1", rest]:
                changed[rest.split(" ", 7)[7]] = None
            case ["u", rest]:
                unmerged.append(rest.split(" ", 9)[9])
                changed[unmerged[-1]] = None
            case ["?", path]:
                changed[path] = None
    return Status(head, branch, tuple(changed), tuple(unmerged))


def parse_log(out: bytes) -> Iterator[Commit]:
    """`git log -z --date=raw --format=LOG_FORMAT`, with or without `--raw --no-abbrev --no-renames`."""
    fields = deque(out.decode("utf-8", "surrogateescape").split("\0"))
    while len(fields) >= HEADER_FIELDS:
        commit, author, email, at, subject, trailers = (fields.popleft() for _ in range(HEADER_FIELDS))
        raw: list[str] = []
        if len(fields) > 1 and not fields[0]:
            fields.popleft()  # which git puts after a merge's header, whether it shows anything or not
        while fields and fields[0].startswith((":", "\n:")):
            raw += [fields.popleft(), fields.popleft()]
        touched = tuple(_touches(raw))
        yield Commit(commit, author, email, _instant(at), subject, _trailers(trailers), touched)


def parse_raw(out: bytes) -> tuple[Touch, ...]:
    """`git diff-tree -r -z --no-renames --no-commit-id`."""
    return tuple(_touches(_fields(out)))


def parse_tree(out: bytes) -> Iterator[tuple[str, Version]]:
    """`git ls-tree -r -z`: files only, neither symbolic links nor submodules."""
    for line in _fields(out):
        meta, path = line.split("\t", 1)
        mode, _, blob = meta.split(" ")
        if mode.startswith("100"):
            yield path, Version(blob)


def parse_entries(out: bytes) -> dict[str, str]:
    """`git ls-tree -r -z`: each path's mode and blob, as `git update-index --index-info` takes them."""
    split = (line.split("\t", 1) for line in _fields(out))
    return {path: " ".join(meta.split(" ")[::2]) for meta, path in split}


def _instant(raw: str) -> datetime:
    """`<seconds> <zone>`; a time that Python can't hold, as old imports have it, becomes the nearest it can.

    Of a date that git can't read it prints nothing: that commit counts as the oldest.
    """
    seconds, _, zone = raw.partition(" ")
    if not seconds:
        return EPOCH
    minutes = int(zone[:3]) * 60 + int(zone[0] + zone[3:]) if re.fullmatch(r"[+-]\d{4}", zone) else 0
    try:
        return datetime.fromtimestamp(int(seconds), timezone(timedelta(minutes=minutes)))
    except (ValueError, OverflowError, OSError):
        return EPOCH if int(seconds) < 0 else LATEST


def _fields(out: bytes) -> list[str]:
    return [field for field in out.decode("utf-8", "surrogateescape").split("\0") if field]


def _trailers(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (line.partition(": ") for line in text.split("\n") if ": " in line)
    return tuple((key, value) for key, _, value in pairs)


def _touches(fields: list[str]) -> Iterator[Touch]:
    """Pairs of `:modes blobs status` and path; a link or submodule counts as no file."""
    for meta, path in zip(fields[::2], fields[1::2], strict=True):
        *states, _status = meta.lstrip("\n:").split(" ")
        modes, blobs = states[: len(states) // 2], states[len(states) // 2 :]
        yield Touch(path, _file(modes[0], blobs[0]), _file(modes[-1], blobs[-1]))  # of a merge, its first parent


def _file(mode: str, blob: str) -> Version | None:
    return Version(blob) if mode.startswith("100") else None
