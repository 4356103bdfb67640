"""What each tool gives, as its schema declares. Types only."""

from typing import NotRequired

from typing_extensions import TypedDict


class Quote(TypedDict):
    page: str
    title: str
    type: str
    status: str
    project: str
    first_line: int
    last_line: int
    version: str
    text: str


class Recalled(TypedDict):
    note: str
    fits: bool
    confidence: float
    quotes: list[Quote]
    standing_requests: list[Quote]
    more: int
    took_part: list[str]
    missing: dict[str, str]


class PageText(TypedDict):
    note: str
    page: str
    title: str
    type: str
    status: str
    version: str
    first_line: int
    last_line: int
    lines: int
    text: str


class Row(TypedDict):
    page: str
    title: str
    type: str
    status: str
    project: str
    tags: list[str]
    changed: str
    version: str


class Listed(TypedDict):
    note: str
    pages: list[Row]
    more: int


class Event(TypedDict):
    at: str
    page: str
    line: int
    title: str
    type: str
    version: str
    text: str


class Events(TypedDict):
    note: str
    events: list[Event]
    more: int


class Otherwise(TypedDict):
    page: str
    says: str
    how: str


class Change(TypedDict):
    outcome: str
    page: str
    title: str
    version: str
    commit: str


class Memory(Change):
    contradicts: NotRequired[list[Otherwise]]


class Changes(TypedDict):
    note: NotRequired[str]
    changes: list[Memory]


class Version(TypedDict):
    version: str
    page: str
    at: str
    by: str
    what: str


class History(TypedDict):
    note: str
    page: str
    versions: list[Version]
    diff: str


class Health(TypedDict):
    project: str
    vault: str
    branch: str
    pages: int
    passages: int
    embedded: int
    model: str
    uncommitted: int
    notes: list[str]


class Verdict(TypedDict):
    page: str
    title: str
    version: str
    verdict: str
    asks_review: bool


class Remark(TypedDict):
    section: str
    page: str
    title: str
    type: str
    status: str
    version: str
    text: str


class Briefed(TypedDict):
    note: str
    project: str
    items: list[Remark]
    tokens: int
    more: int
