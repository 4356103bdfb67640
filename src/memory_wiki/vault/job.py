"""What the vault is asked for and what came of it: values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from memory_wiki.page.change import Actor, Plan, message
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
