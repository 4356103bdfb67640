"""What becomes of a page in the word index: a record for each passage. `kept` is the way back.

Pure. Values are kept as JSON, which holds any text that Python does: also a file name that is not UTF-8.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from memory_wiki.index.analyze import terms
from memory_wiki.index.entries import Entry, PageEntry, WordHit, is_model
from memory_wiki.index.gist import begins_with, gist, mark
from memory_wiki.index.kept import OF_BOTH, Prepared, Record, moment
from memory_wiki.index.keys import STANDING, key, page_keys, passage_keys
from memory_wiki.index.passages import Passage, passages, said
from memory_wiki.page.path import folded, stem
from memory_wiki.page.remote import remotes_of
from memory_wiki.page.saying import saying_key
from memory_wiki.page.standing import holds_standing

SHORT = 600
"""Characters up to which a turn of a conversation is found by the words around it too: a short one often answers what
the one before asked."""

HARDLY_MORE = 2
"""Times as long as its title a text is that says little else."""


def prepared(entry: Entry) -> Prepared:
    """What the index is to take in of a page."""
    return Prepared(entry.page.path, entry.page.version, tuple(_records(entry)))


def _records(entry: Entry) -> Iterator[Record]:
    page = _page_entry(entry)
    shared, keys = _json(page, OF_BOTH), [*page_keys(page)]
    says = key("says", saying_key(page.title, entry.page.body))
    changed, told = moment(page.changed), moment(page.own_time)
    every = passages(entry.page, entry.language)
    marks = [mark(gist(page.title, passage)) for passage in every]
    for passage, its_mark in zip(every, marks, strict=True):
        beside = _beside(every, passage)
        found_by = [its_mark, [marks[other.ordinal] for other in beside]]
        yield Record(
            keys=[
                *keys,
                *passage_keys(page, passage),
                *([STANDING] if _is_standing(page, passage) else []),
                *([] if passage.ordinal else [says]),
            ],
            terms={field: " ".join(terms(text, passage.language)) for field, text in _texts(page, passage, beside)},
            changed=changed,
            told=told,
            mark=its_mark,
            hit=_joined(shared, _json(passage, _OF_HIT), _ENCODER.encode(found_by).encode()),
            page=b"" if passage.ordinal else _joined(shared, _json(page, _OF_PAGE)),
        )


def _is_standing(page: PageEntry, passage: Passage) -> bool:
    """Whether a person asks there for something from now on: on a page for that, or in a conversation."""
    if page.type == "preference":
        return passage.ordinal == 0
    return bool(passage.speaker) and not is_model(passage.speaker) and holds_standing(said(passage))


def _beside(every: Sequence[Passage], passage: Passage) -> list[Passage]:
    """What was said right before and after a turn of a conversation; a long one says itself what it is about."""
    if not passage.speaker or len(passage.text) > SHORT:
        return []
    return [every[n] for n in (passage.ordinal - 1, passage.ordinal + 1) if 0 <= n < len(every) and every[n].speaker]


def _texts(page: PageEntry, passage: Passage, beside: Iterable[Passage]) -> Iterator[tuple[str, str]]:
    """What of a passage is found by words, by field."""
    yield "body", passage.text
    yield "near", "\n".join(other.text for other in beside)
    if passage.ordinal == 0:
        names = (name for name in (page.title, stem(page.path)) if _tells(name, passage.text))
        yield "title", " ".join(dict.fromkeys([*names, *page.aliases]))
        yield "tags", " ".join(page.tags)
        yield "heading", " ".join(passage.headings)
    else:
        yield "heading", " ".join(dict.fromkeys([page.title, *passage.headings]))


def _tells(name: str, text: str) -> bool:
    """Whether a title weighs as one: if it is not just how a longer text begins; of a page that is hardly more than its
    title, it is what the page says.
    """
    return len(text) <= HARDLY_MORE * len(name) or not begins_with(text, name)


def link_key(target: str) -> str:
    """The last part of a link's target, folded, without `.md`."""
    return folded(target.rpartition("/")[2]).removesuffix(".md")


def _page_entry(entry: Entry) -> PageEntry:
    page = entry.page
    return PageEntry(
        path=page.path,
        version=page.version,
        title=page.title,
        type=page.type,
        id=page.id,
        tags=page.tags,
        aliases=page.aliases,
        links=tuple(dict.fromkeys(link_key(link.target) for link in page.links if link.target)),
        remotes=remotes_of(page.values.get("remotes")),
        status=page.status,
        is_current=page.is_current,
        confidence=page.confidence,
        pinned=page.pinned,
        project=entry.project,
        author=entry.author,
        by=page.by,
        changed=entry.changed,
        created=page.created,
        problems=len(page.problems),
    )


_OF_PAGE = PageEntry.__slots__[len(OF_BOTH) :]
_OF_HIT = WordHit.__slots__[len(OF_BOTH) : -len(("mark", "around", "score"))]
_ENCODER = json.JSONEncoder(default=datetime.isoformat, separators=(",", ":"))


def _json(value: PageEntry | Passage, names: Iterable[str]) -> bytes:
    return _ENCODER.encode([getattr(value, name) for name in names]).encode()


def _joined(*lists: bytes) -> bytes:
    """JSON lists as one."""
    return b"[" + b",".join(one[1:-1] for one in lists) + b"]"
