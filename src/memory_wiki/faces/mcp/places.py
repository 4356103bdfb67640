"""Which project a call is for: what it says, else where its client stands, else what its session said before.

Never the directory that the server happens to run in: some clients start servers elsewhere, and one server may serve
many. Pure, but for a look at the client's folders where they are on this machine.
"""

import difflib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from memory_wiki.errors import BadInput, ProjectNotFound
from memory_wiki.page.place import slug_for

EVERY = "*"
"""Given for a project: every project."""
NEAR = 0.75
"""Of likeness, from which on an unknown project's name is taken for a slip."""
MOST_SESSIONS = 10_000


@dataclass(frozen=True, slots=True)
class Scope:
    """For a question: the project that counts for more, "" for none, and those that pages may be of, () for all."""

    project: str
    among: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of where a call comes from."""

    folders: tuple[Path, ...]
    bound: str | None
    known: Callable[[], frozenset[str]]
    project_at: Callable[[Path], str]

    def here(self) -> str | None:
        """The project that the client stands in, or said it is in; None where neither is known."""
        return next(filter(None, map(self._of, self.folders)), self.bound)

    def scope(self, given: str) -> Scope:
        """Pages of one project and those for every project; all of them for `*`, or where no project is known.

        Raises `ProjectNotFound` for a given one that has no page.
        """
        if given == EVERY:
            return Scope(self.here() or "", ())
        project = named(given) if given else self.here()
        if given and project != self.here() and project not in (known := self.known()):
            raise ProjectNotFound(given, _near(project or "", known))
        return Scope(project, (project, "")) if project else Scope("", ())

    def home(self, given: str) -> str:
        """The project that a new page is for, "" for every project.

        Raises `BadInput` where none is known, `ProjectNotFound` for a new one that looks like a slip of another.
        """
        if given == EVERY:
            return ""
        if not given:
            project = self.here()
            if project is None:
                raise BadInput(
                    "which project is this for? Give `project`: the repository's name as a rule, or `*` for what holds"
                    f" in every project. Known: {', '.join(sorted(self.known())) or 'none yet'}."
                    " A call of `brief` with a project settles it for the session."
                )
            return project
        slug = named(given)
        known = self.known()  # once, as another call may be making it
        if slug not in known and slug != self.here() and (near := _near(slug, known)):
            raise ProjectNotFound(given, near)
        return slug

    def _of(self, folder: Path) -> str:
        """The project of a folder; of one on another machine, the project of its name."""
        if folder.is_dir():
            return self.project_at(folder)
        slug = slug_for(folder.name) if folder.name else ""
        return slug if slug in self.known() else ""


def named(project: str) -> str:
    """The slug of a project by its name; raises `BadInput` where that has no letter."""
    if not any(char.isalnum() for char in project):
        raise BadInput(f"{project!r} names no project; give one with letters in it")
    return slug_for(project)


def _near(slug: str, known: Iterable[str]) -> list[str]:
    return difflib.get_close_matches(slug, sorted(known), n=3, cutoff=NEAR)


def folders_of(uris: Iterable[str]) -> tuple[Path, ...]:
    """The folders that a client's roots name; other kinds of roots are passed over."""
    split = (urlsplit(uri) for uri in uris)
    return tuple(Path(url2pathname(unquote(part.path))) for part in split if part.scheme == "file" and part.path)


class Bindings:
    """Which project each client's session said it is in; the least recently used are forgotten."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._projects: OrderedDict[str, str] = OrderedDict()

    def bind(self, session: str, project: str) -> None:
        with self._lock:
            self._projects[session] = project
            self._projects.move_to_end(session)
            if len(self._projects) > MOST_SESSIONS:
                self._projects.popitem(last=False)

    def of(self, session: str) -> str | None:
        with self._lock:
            if session in self._projects:
                self._projects.move_to_end(session)
            return self._projects.get(session)
