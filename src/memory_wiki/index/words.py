"""The word index: what passages say and what pages are, in one tantivy folder. The only file that imports tantivy.

Derived: all it holds was read from pages, so that its folder may be deleted at any moment. Each document is a passage,
and a page's first passage carries the page's entry too: one commit changes both, and BM25 counts nothing but passages
(and one marker). Reads see the last commit of any process; one process writes at a time.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from math import log as logarithm
from pathlib import Path
from tempfile import TemporaryDirectory

from tantivy import (
    DocAddress,
    Document,
    FieldType,
    Index,
    IndexWriter,
    Occur,
    Order,
    Query,
    Schema,
    SchemaBuilder,
    Searcher,
)

from memory_wiki.errors import IndexBroken
from memory_wiki.index.analyze import Groups, question_terms
from memory_wiki.index.entries import EVERYTHING, At, Filter, PageEntry, WordHit
from memory_wiki.index.failing import failing_as
from memory_wiki.index.kept import Prepared, Record, evenly, kept_hit, kept_page, moment
from memory_wiki.index.keys import FIRST, MARKER, STANDING, filter_keys, key, passage_key, value_of, version_and_path
from memory_wiki.index.weights import EXPLAINED, FIELDS, IS_NAME, NAME, TIE, WEIGHTS
from memory_wiki.page.path import PagePath, Version
from memory_wiki.page.remote import normal_remote

log = logging.getLogger(__name__)

SCHEMA = 9
"""To be raised when documents change, or the terms of a text: an index of another number is made anew."""

WIDE = 1_000
"""Of how many passages the score by words is known, where others are found by their meaning."""

MAX_WORDS = 64
"""How many words of a question are looked for, the rarest: a pasted log must not cost seconds."""

STEP = 5_000
"""Pages of a long update, after which what is done is kept, lest it be lost when somebody stops it."""

_WRITER_BYTES = 50_000_000  # what an update holds in memory before it writes a segment
_KEYS = f"keys_{SCHEMA}"  # the number is in a field's name, so that tantivy itself refuses another schema


class Words:
    """An open word index; threads may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index: Index | None = _made(folder)
        self._schema = self._index.schema

    @classmethod
    def open(cls, folder: Path) -> "Words":
        """The index in `folder`: a new and empty one where there is none, or none that can be read."""
        try:
            return cls.existing(folder)
        except IndexBroken:
            log.warning("the word index could not be read, and is made anew")
            cls.delete(folder)
            return cls(folder)

    @classmethod
    def existing(cls, folder: Path) -> "Words":
        """The same, but raises `IndexBroken` for one that can't be read."""
        words = cls(folder)
        words.count()
        return words

    @staticmethod
    def delete(folder: Path) -> None:
        """Removes an index at once, so that whoever has it open may begin a new one meanwhile."""
        with failing_as("deleted"), suppress(FileNotFoundError), TemporaryDirectory(dir=folder.parent) as away:
            folder.rename(Path(away) / "words")

    def close(self) -> None:
        """Lets go of the folder's files."""
        self._index = None

    def update(
        self, gone: Collection[PagePath], come: Iterable[Prepared], marker: Callable[[], str], so_far: str = ""
    ) -> None:
        """Forgets the pages `gone` and takes in those that have `come`, in place of what was known of them.

        One durable commit, and before it one at each `STEP` pages, marked `so_far`. `come` may be a generator of any
        length, and `marker` is asked once it is through. What either raises leaves the index as last committed.
        """
        with self._writing() as writer:
            for path in gone:
                _forget(writer, path)
            for count, page in enumerate(come, 1):
                _forget(writer, page.path)
                _add(writer, page.records)
                if count % STEP == 0:
                    _commit(writer, so_far)
            _commit(writer, marker())

    def renew(self, come: Iterable[Prepared], marker: Callable[[], str]) -> None:
        """Takes in the pages that `come` in place of all it knew: in one commit, until which reads find the old."""
        with self._writing() as writer:
            writer.delete_documents_by_query(Query.all_query())
            for page in come:
                _add(writer, page.records)
            _commit(writer, marker())

    @contextmanager
    def _writing(self) -> Iterator[IndexWriter]:
        with failing_as("written"):
            writer = self._current().writer(_WRITER_BYTES, num_threads=1)
        try:
            yield writer
        except BaseException:
            with suppress(ValueError):  # the folder may be gone, and what was written with it
                writer.rollback()
            raise
        finally:
            writer.wait_merging_threads()  # if it were just dropped, merges would stop, and segments pile up

    @contextmanager
    def _reading(self) -> Iterator[Searcher]:
        with failing_as("read"):
            yield self._current().searcher()

    def _current(self) -> Index:
        """The index as last committed; a new one if somebody deleted its folder, as one may at any moment."""
        index = self._index
        if index is None or not (self._folder / "meta.json").exists():
            index = self._index = _made(self._folder)
        index.reload()  # 20 µs where nothing has changed
        return index

    @property
    def marker(self) -> str:
        """What the last `update` was given; "" for a new index."""
        with self._reading() as searcher:
            hits = searcher.search(self._has(MARKER), 1).hits
            return bytes(searcher.doc(hits[0][1])["page"][0]).decode("utf-8", "surrogatepass") if hits else ""

    def have(self) -> dict[PagePath, Version]:
        """Every page it knows, and the version that it knows."""
        with self._reading() as searcher:
            return {path: version for version, path in map(version_and_path, _live_keys(searcher, "at:"))}

    def count(self) -> tuple[int, int]:
        """How many pages, and how many passages."""
        with self._reading() as searcher:
            pages = _live_keys(searcher, FIRST).get(FIRST, 0)
            return pages, searcher.num_docs - _live_keys(searcher, MARKER).get(MARKER, 0)

    def languages(self) -> frozenset[str]:
        with self._reading() as searcher:
            return _languages(searcher)

    def projects(self) -> frozenset[str]:
        with self._reading() as searcher:
            return frozenset(map(value_of, _live_keys(searcher, "project:"))) - {""}

    def forms(self, question: str) -> Groups:
        """The words that a question is searched by, each with all the forms that count as it."""
        with self._reading() as searcher:
            return _words(searcher, question)

    def search(self, asked: Groups, wanted: Filter, limit: int, fields: Collection[str] = FIELDS) -> Iterator[WordHit]:
        """The passages that best answer what is `asked`, a question's `forms`, best first, of pages that are `wanted`.

        A hit costs more to read than to find, so each is read when its turn comes, as it was when they were found.
        """
        with self._reading() as searcher:
            most = min(limit, searcher.num_docs)
            if not asked or most < 1:
                return iter(())
            found = searcher.search(_all([self._asks(asked, fields), *self._passes(wanted)]), most, count=False).hits
        return _hits(searcher, found)

    def gather(
        self, asked: Groups, marks: Collection[int], wanted: Filter, limit: int, fields: Collection[str] = FIELDS
    ) -> list[WordHit]:
        """The `limit` passages that best answer what is `asked`, and those with one of `marks`: all of pages that are
        `wanted`, in no order, each with its score by words. Of pages that say the same, as many as there is room for.
        """
        with self._reading() as searcher:
            passes = [*self._passes(wanted)]
            most = min(WIDE, searcher.num_docs)
            asks = [_all([self._asks(asked, fields), *passes])] if asked and most else []
            found = [hit for query in asks for hit in searcher.search(query, most, count=False).hits]
            scores = {(at.segment_ord, at.doc): score for score, at in found}
            chosen = {(at.segment_ord, at.doc): at for _, at in found[:limit]}
            if marks:
                marked = _all([Query.term_set_query(self._schema, "mark", list(marks)), *passes])
                most = limit + 2 * len(marks)
                hits = searcher.search(marked, most, count=False, order_by_field="mark").hits
                if len(hits) == most:
                    hits = searcher.search(marked, searcher.num_docs, count=False, order_by_field="mark").hits
                chosen |= {(at.segment_ord, at.doc): at for at in evenly(hits, most)}
            return [*_hits(searcher, ((scores.get(place, 0.0), at) for place, at in chosen.items()))]

    def rarity(self, asked: Groups) -> list[float]:
        """What each word tells, as BM25 counts it: the rarer, the more."""
        with self._reading() as searcher:
            every = searcher.num_docs
            counts = [max(searcher.doc_freq("body", form) for form in word) for word in asked]
        return [logarithm(1 + (every - min(count, every) + 0.5) / (count + 0.5)) for count in counts]

    def unsaid(self, asked: Groups) -> int:
        """How many of the words that are asked for nothing here says, in any form."""
        with self._reading() as searcher:
            said = (any(searcher.doc_freq(field, form) for field in FIELDS for form in word) for word in asked)
            return sum(not is_said for is_said in said)

    def marks(self, wanted: Filter = EVERYTHING) -> list[int]:
        """Of every passage of the pages that are `wanted`."""
        with self._reading() as searcher:
            if not searcher.num_docs:
                return []
            passes = _all([Query.all_query(), *self._passes(wanted)])
            hits = searcher.search(passes, searcher.num_docs, count=False, order_by_field="mark").hits
            return [int(value) for value, _ in hits if value]

    def requests(self, wanted: Filter, limit: int) -> list[WordHit]:
        """Passages of pages that are `wanted` that ask for something from now on, those that changed last."""
        return self._newest_hits(_all([self._has(STANDING), *self._passes(wanted)]), limit)

    def of_time(
        self, wanted: Filter, since: datetime | None, until: datetime | None, limit: int, *, is_oldest_first: bool
    ) -> list[WordHit]:
        """The first passages of pages that are `wanted`, and whose own time is in a range, `until` not included; in the
        order of that time.
        """
        last = until and until - timedelta(microseconds=1)
        ranged = [self._between("told", since, last)] if since or last else []
        asked = _all([self._has(FIRST), *ranged, *self._passes(wanted)])
        order = Order.Asc if is_oldest_first else Order.Desc
        with self._reading() as searcher:
            most = min(limit, searcher.num_docs)  # tantivy takes room for as many as it is asked for
            hits = searcher.search(asked, most or 1, count=False, order_by_field="told", order=order).hits[:most]
            return [*_hits(searcher, ((0.0, at) for _, at in hits))]

    def at(self, places: Collection[At]) -> dict[At, WordHit]:
        """The passages at these places, as far as there are any."""
        if not places:
            return {}
        with self._reading() as searcher:
            found = searcher.search(
                self._has(*(passage_key(*place) for place in places)), len(places), count=False
            ).hits
            return {hit.at: hit for hit in _hits(searcher, found)}

    def with_marks(self, marks: Collection[int], limit: int) -> list[WordHit]:
        """Passages with one of `marks`, of the pages that changed last."""
        return self._newest_hits(Query.term_set_query(self._schema, "mark", list(marks)), limit)

    def _newest_hits(self, asked: Query, limit: int) -> list[WordHit]:
        with self._reading() as searcher:
            hits = searcher.search(asked, limit, count=False, order_by_field="changed").hits
            return [*_hits(searcher, ((0.0, at) for _, at in hits))]

    def explain(self, hit: WordHit, asked: Groups) -> tuple[tuple[str, float], ...]:
        """What each field alone would give to the score of `hit` for what is `asked`."""
        with self._reading() as searcher:
            this = self._has(passage_key(*hit.at))
            parts = [(fields[0], _all([self._asks(asked, fields), this])) for fields in EXPLAINED]
            return tuple((field, score) for field, part in parts for score, _ in searcher.search(part, 1).hits)

    def _asks(self, words: Groups, fields: Collection[str]) -> Query:
        """Scores the sum, over words, of what a word is worth in its best field, and a part of the others."""
        each = ((word, Query.disjunction_max_query([*self._in_each(word, fields)], TIE)) for word in words)
        return _any(Query.boost_query(query, NAME) if IS_NAME.search(word[0]) else query for word, query in each)

    def _in_each(self, word: Sequence[str], fields: Collection[str]) -> Iterator[Query]:
        for group in EXPLAINED:
            terms = [
                Query.boost_query(Query.term_query(self._schema, field, form, "freq"), WEIGHTS[field])
                for field in group
                if field in fields
                for form in word
            ]
            if terms:
                yield Query.disjunction_max_query(terms)

    def page(self, path: PagePath) -> PageEntry | None:
        return next(iter(self._entries([self._has(FIRST), self._has(key("page", path))], 1)), None)

    def pages(self, wanted: Filter, limit: int | None = None) -> list[PageEntry]:
        """The pages that are `wanted`, by path."""
        found = self._entries([self._has(FIRST), *self._passes(wanted)])
        return sorted(found, key=lambda page: page.path)[:limit]

    def newest(self, wanted: Filter, limit: int | None = None) -> list[PageEntry]:
        """The pages that are `wanted` and changed last, the newest first."""
        most = None if limit is None else 2 * limit  # so that pages of one instant come by path
        found = self._entries([self._has(FIRST), *self._passes(wanted)], most)
        return sorted(found, key=lambda page: (-page.changed.timestamp(), page.path))[:limit]

    def named(self, name: str) -> tuple[PagePath, ...]:
        """Pages whose file name, or one of whose aliases, is `name`; here and in `titled`, all folded."""
        return self._paths("named", name)

    def titled(self, title: str) -> tuple[PagePath, ...]:
        return self._paths("titled", title)

    def with_id(self, page_id: str) -> tuple[PagePath, ...]:
        return self._paths("id", page_id)

    def with_remote(self, remote: str) -> tuple[PagePath, ...]:
        return self._paths("remote", normal_remote(remote) or remote)

    def known(self) -> Callable[[str], bool]:
        """Whether a folded path may be a page's, as the index is now: for who asks of thousands."""
        with self._reading() as searcher:
            return lambda path: searcher.doc_freq(_KEYS, key("folded", path)) > 0

    def with_folded_path(self, path: str) -> tuple[PagePath, ...]:
        """Pages that a case-insensitive disk takes for `path`, which is folded."""
        return self._paths("folded", path)

    def linking_to(self, name: str) -> tuple[PagePath, ...]:
        """Pages with a link whose target's last part, folded and without `.md`, is `name`."""
        return self._paths("link", name)

    def _paths(self, kind: str, value: str) -> tuple[PagePath, ...]:
        asked = key(kind, value)
        with self._reading() as searcher:
            most = searcher.doc_freq(_KEYS, asked)  # deleted ones are counted too
        return tuple(sorted(page.path for page in self._entries([self._has(asked)], most))) if most else ()

    def _entries(self, queries: Iterable[Query], limit: int | None = None) -> list[PageEntry]:
        with self._reading() as searcher:  # newest first
            most = searcher.num_docs if limit is None else max(min(limit, searcher.num_docs), 0)
            hits = searcher.search(_all(queries), most or 1, count=False, order_by_field="changed").hits[:most]
            return [kept_page(searcher.doc(address)["page"][0]) for _, address in hits]

    def _passes(self, wanted: Filter) -> Iterator[Query]:
        yield from (self._has(*keys) for keys in filter_keys(wanted))
        if wanted.since or wanted.until:
            times = ("told",) if wanted.by_own_time else ("told", "changed")
            yield _any(self._between(time, wanted.since, wanted.until) for time in times)

    def _between(self, field: str, first: datetime | None, last: datetime | None) -> Query:
        ends = None if first is None else moment(first), None if last is None else moment(last)
        return Query.const_score_query(Query.range_query(self._schema, field, FieldType.Integer, *ends), 0.0)

    def _has(self, *keys: str) -> Query:
        """Documents with one of the keys; it adds nothing to a score."""
        one_of = _any(Query.term_query(self._schema, _KEYS, key, "basic") for key in keys)
        return Query.const_score_query(one_of, 0.0)


def _made(folder: Path) -> Index:
    with failing_as("opened"):
        for place in (folder.parent.parent, folder.parent, folder):
            place.mkdir(exist_ok=True)  # but not the vault, which may have been moved away
        return Index(_schema(), path=str(folder))


def _schema() -> Schema:
    schema = SchemaBuilder()
    for field in FIELDS:
        schema.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    schema.add_text_field(_KEYS, tokenizer_name="raw", index_option="basic")
    schema.add_integer_field("changed", fast=True)
    schema.add_integer_field("told", fast=True)
    schema.add_integer_field("mark", indexed=True, fast=True)
    schema.add_bytes_field("hit", stored=True)
    schema.add_bytes_field("page", stored=True)
    return schema.build()


def _forget(writer: IndexWriter, path: PagePath) -> None:
    writer.delete_documents_by_term(_KEYS, key("page", path))


def _add(writer: IndexWriter, records: Iterable[Record]) -> None:
    for record in records:
        kept = {
            "changed": record.changed,
            "told": record.told,
            "mark": record.mark,
            "hit": record.hit,
            "page": record.page,
        }
        with failing_as("written"):
            writer.add_document(Document(**{_KEYS: record.keys}, **record.terms, **kept))


def _commit(writer: IndexWriter, marker: str) -> None:
    with failing_as("written"):
        writer.delete_documents_by_term(_KEYS, MARKER)
        writer.add_document(Document(**{_KEYS: MARKER}, page=marker.encode("utf-8", "surrogatepass")))
        writer.commit()


def _hits(searcher: Searcher, found: Iterable[tuple[float, DocAddress]]) -> Iterator[WordHit]:
    """Each with its score, and read when its turn comes."""
    with failing_as("read"):
        for score, at in found:
            yield kept_hit(searcher.doc(at)["hit"][0], score)


def _words(searcher: Searcher, question: str) -> Groups:
    words = question_terms(question, _languages(searcher))
    if len(words) <= MAX_WORDS:
        return words
    counts = [sum(searcher.doc_freq(field, form) for field in WEIGHTS for form in word) for word in words]
    return [word for count, word in sorted(zip(counts, words, strict=True)) if count][:MAX_WORDS]


def _languages(searcher: Searcher) -> frozenset[str]:
    return frozenset(map(value_of, _live_keys(searcher, "language:"))) - {""}


def _live_keys(searcher: Searcher, prefix: str) -> dict[str, int]:
    """The keys that begin so, with how many documents have them; the filter leaves out what was deleted."""
    return dict(searcher.terms_with_prefix(_KEYS, prefix, filter_query=Query.all_query()))


def _all(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Must, query) for query in queries])


def _any(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries])
