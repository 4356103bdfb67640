"""What the vault is asked for and what came of it: values."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from memory_wiki.errors import MemoryWikiError
from memory_wiki.page.change import Actor, Change, Create, Move, Plan, message
from memory_wiki.page.path import PagePath, Version
from memory_wiki.vault.look import Seen
from memory_wiki.vault.writing import contents, versions

Taken = dict[str, PagePath]
"""Names that plans before this one in a group take, folded."""


@dataclass(frozen=True, slots=True)
class Job:
    """A plan to make and do: it is made under the lock, so that what it was made for holds when it is done."""

    plan: Callable[[Taken], Plan]
    actor: Actor
    at: datetime

    def made(self, taken: Taken) -> Plan | MemoryWikiError:
        """The plan, or why there is none."""
        try:
            return self.plan(taken)
        except MemoryWikiError as error:
            return error


@dataclass(frozen=True, slots=True)
class Applied:
    """A plan done: its commit, the one before that, and the version of each page it wrote (None: no longer there)."""

    plan: Plan
    parent: str
    commit: str
    versions: Mapping[PagePath, Version | None]


@dataclass(frozen=True, slots=True)
class Kept:
    """What other hands had changed, committed: the commit ("" for none), the pages, and what is seen afterwards."""

    commit: str
    versions: Mapping[PagePath, Version | None]
    seen: Seen

    @property
    def present(self) -> tuple[PagePath, ...]:
        """The pages that are there now."""
        return tuple(path for path, version in self.versions.items() if version)


@dataclass(frozen=True, slots=True)
class New:
    """What is on disk already, to be committed: each path's bytes and version, None where it is gone."""

    text: str
    data: Mapping[PagePath, bytes | None]
    versions: Mapping[PagePath, Version | None]
    at: datetime

    @staticmethod
    def of(plan: Plan, job: Job) -> "New":
        data = contents(plan.changes)
        return New(message(plan, job.actor), data, versions(data), job.at)


def plans(made: Iterable[Plan | MemoryWikiError]) -> Iterator[Plan]:
    """Those there are."""
    return (plan for plan in made if isinstance(plan, Plan))


def unless(plan: Plan | MemoryWikiError, refused: Mapping[PagePath, MemoryWikiError]) -> Plan | MemoryWikiError:
    """The plan, or why one of the paths it is about is refused."""
    if not isinstance(plan, Plan):
        return plan
    paths = [path for change in plan.changes for path in (change.path, new_path(change)) if path]
    return next((refused[path] for path in paths if path in refused), plan)


def new_path(change: Change) -> PagePath | None:
    """The path that a change puts a page on where there was none."""
    return change.path if isinstance(change, Create) else change.to if isinstance(change, Move) else None
