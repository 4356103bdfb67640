"""Pages read and cut into records, shared out to several processes where there are many: what a first opening costs."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from memory_wiki.errors import BadPath, Broken, PageNotFound
from memory_wiki.index.children import Children
from memory_wiki.index.entries import Entry
from memory_wiki.index.kept import Prepared
from memory_wiki.index.records import prepared
from memory_wiki.page.page import parse
from memory_wiki.page.path import PagePath
from memory_wiki.page.place import project_of
from memory_wiki.vault import files

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A page to prepare, and who last changed it when; read from the disk where its bytes are not given."""

    path: PagePath
    author: str
    changed: datetime
    language: str = ""
    """What it is taken for where it can't be told."""
    data: bytes | None = None


def prepare(root: Path, jobs: Sequence[Job]) -> Iterator[Prepared]:
    """Each page that can be read, in order, and without those that can't."""
    with Children(len(jobs)) as children:
        yield from prepare_by(children, root, jobs)


def prepare_by(children: Children, root: Path, jobs: Sequence[Job]) -> Iterator[Prepared]:
    """The same, by processes there are already."""
    return children.map(partial(_prepared_each, root), jobs)


def _prepared_each(root: Path, jobs: Sequence[Job]) -> list[Prepared]:
    found = []
    for job in jobs:
        try:
            data = files.read(root, job.path) if job.data is None else job.data
        except (PageNotFound, BadPath, Broken) as error:
            log.info("not indexed: %s", error)
            continue
        page = parse(job.path, data)
        found.append(prepared(Entry(page, project_of(job.path), job.author, job.changed, job.language)))
    return found
