"""What a dataset holds, whatever its file looks like: what is to be remembered, and what is asked. Values only."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said at once; no speaker for a text that nobody says."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """What becomes one page."""

    id: str
    at: datetime | None
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What becomes one vault; its name is that of the project. `type` is that of its pages."""

    name: str
    sessions: tuple[Session, ...]
    type: str = "session"


@dataclass(frozen=True, slots=True)
class Folder:
    """A vault that is there already, to be copied: each page is a session, by its path."""

    name: str
    root: Path


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, the ids of the turns and sessions that answer it, and the answer as the dataset words it."""

    text: str
    kind: str
    turns: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    answer: str = ""
    is_answerable: bool = True


@dataclass(frozen=True, slots=True)
class Case:
    """A vault to be, and what is asked of it."""

    source: Conversation | Folder
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    name: str
    cases: tuple[Case, ...]
