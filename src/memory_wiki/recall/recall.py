"""Recall: passages that answer a question, quoted from the files. Never writes a page, and never misquotes.

By words alone, hits are looked at one by one, the best first, and no longer than the answer has room: a file costs more
to read than to find. With a model at hand, those near in words or in meaning are weighed together, and the best may be
read by a reranker.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memory_wiki.errors import ModelBroken
from memory_wiki.index.analyze import Groups
from memory_wiki.index.entries import EVERYTHING, Filter, Standing, WordHit
from memory_wiki.index.language import language_of
from memory_wiki.index.weights import FIELDS
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath
from memory_wiki.recall.answer import TEN, Answer, Hit, Question
from memory_wiki.recall.confidence import confidence_of_a_list, is_likely
from memory_wiki.recall.draft import Draft, Group, Shelf, head
from memory_wiki.recall.listing import listing
from memory_wiki.recall.rank import Ranked, Setting, fuse, rank
from memory_wiki.recall.reading import read_again
from memory_wiki.recall.senses import WORDS_ALONE, Senses
from memory_wiki.recall.sure import chance
from memory_wiki.recall.tokens import tokens

if TYPE_CHECKING:
    from memory_wiki.index.vectors import Nearness

__all__ = ["Answer", "Hit", "Question", "Senses", "recall"]

CANDIDATES = (60, 240, 960)
"""How many passages are weighed for an answer of ten: room for near-copies and for pages that moved on; and more where
one page fills search after search. After the last, the best of it and what else came must do."""
WITH_MEANING = (150, 600, 2_400)
"""The same, of passages near in words, and again of those near in meaning."""
MORE = 20  # pages than an answer's hits that a listing looks at: some may say the same, or have moved on
REQUESTS = 200  # for something from now on, the newest, that are looked at
PREFERENCES = 2  # of them are part of an answer
FIRST_FEW = 3  # hits are never too faint: of few passages the second best may count for nothing beside the best
NEAR_MISSES = 5  # are shown of what does not fit
FAINT = 0.2
"""Of the best score, below which a hit tells nothing: of 250 questions on LoCoMo none loses its evidence so, .01 do at
0.3."""
THEIR_SHARE = 0.2  # of the budget, at most
NO_TIME = "an answer that does not wait had no time left for it; with --best it has"
LEAST = 30  # of the nearest that pass a filter; where fewer do, all that pass it are compared


def recall(
    question: Question,
    budget: int,
    words: Words,
    read: Callable[[PagePath], bytes],
    now: datetime,
    senses: Senses = WORDS_ALONE,
) -> Answer:
    """The answer to a question, within `budget` tokens; `read` gives a page's bytes as they are on disk."""
    listed = _listed(question, words, now)
    senses = WORDS_ALONE if listed else senses  # where nothing is searched for, there is nothing for them to do
    source = _Source(question, words, senses, Shelf(read), now)
    draft = Draft(question.limit, budget, words.forms(question.about))
    asked_for = source.preferences(draft)
    draft = source.filled(draft, listed)
    chosen, left_out = draft.chosen, draft.left_out
    is_short = question.limit <= TEN  # who asks for more wants more
    if senses.nearness is not None and is_short:
        chosen, left_out = _telling(chosen, left_out)
    sure = confidence_of_a_list() if listed else chance(question, draft, words, senses, source.nearest)
    sure = sure if chosen else 0.0
    fits = is_likely(sure)
    asked_for, chosen = _once(asked_for, chosen, chosen[:TEN] if fits else ())
    most = NEAR_MISSES if is_short and not fits else None
    preferences, hits = (
        tuple(_hit(group, question, draft.asked, words) for group in groups) for groups in (asked_for, chosen[:most])
    )
    return Answer(
        question.text,
        hits if fits else (),
        sum(hit.tokens for hit in (*hits, *preferences)),
        budget,
        len(left_out) if fits or not hits else 0,
        confidence=sure,
        preferences=preferences,
        near_misses=() if fits else hits,
        took_part=source.took_part,
        missing=source.missing,
        is_filtered_out=not draft.groups and question.filter != EVERYTHING and not words.newest(question.filter, 1),
    )


def _listed(question: Question, words: Words, now: datetime) -> list[Ranked]:
    """The pages that a question asks for by type and time alone, what is not current any more last; none where it asks
    for more.
    """
    asked = None if "time" in question.without else listing(question.text, now)
    if asked is None:
        return []
    types, most = question.filter.types or asked.types, question.limit + MORE
    return [
        Ranked(hit, 1.0, (("time", 1.0),), ())
        for standing in Standing
        for hit in words.of_time(
            replace(question.filter, types=types, standing=standing),
            asked.since,
            asked.until,
            most,
            is_oldest_first=asked.is_oldest_first,
        )
    ]


class _Source:
    """Where the passages of one answer come from."""

    def __init__(self, question: Question, words: Words, senses: Senses, shelf: Shelf, now: datetime) -> None:
        self._question = question
        self._words = words
        self._senses = senses
        self._shelf = shelf
        self._now = now
        self._setting = Setting(question.project or "", question.without, senses.languages)
        self._fields = tuple(field for field in FIELDS if field not in question.without)
        self.nearest: float | None = None
        """The cosine of the nearest passage that was found."""
        self._are_more_near = False
        self._has_reread = False
        self._why_not_reread = NO_TIME

    @property
    def took_part(self) -> tuple[str, ...]:
        meaning = ("meaning",) if self._senses.nearness is not None else ()
        return ("words", *meaning, *(("rerank",) if self._has_reread else ()))

    @property
    def missing(self) -> tuple[tuple[str, str], ...]:
        """What was wanted and took no part, with why."""
        is_amiss = self._senses.rerank is not None and not self._has_reread and self.nearest is not None
        return (*self._senses.missing, *((("rerank", self._why_not_reread),) if is_amiss else ()))

    def filled(self, draft: Draft, listed: Sequence[Ranked]) -> Draft:
        """With what is `listed`, else with what is current, and only then with what is not any more; begun again where
        a search was too small.
        """
        if self._fill(draft, listed):
            return draft
        for standing in Standing:
            wanted, before = replace(self._question.filter, standing=standing), draft
            for size in CANDIDATES if self._senses.nearness is None else WITH_MEANING:
                draft = before.copy()
                seen = self._fill(draft, self._ranked(draft.asked, wanted, size))
                if draft.is_enough or (seen < size and not self._are_more_near):
                    break
            if draft.is_enough:
                break
        return draft

    def _fill(self, draft: Draft, candidates: Iterable[Ranked]) -> int:
        """Until it is done; gives how many candidates it took to see that."""
        seen = 0
        for ranked in candidates:
            seen += 1
            if leaf := self._shelf.leaf(ranked.hit):
                draft.take(ranked, leaf)
            if draft.is_done:
                break
        return seen

    def _ranked(self, asked: Groups, wanted: Filter, size: int) -> Iterable[Ranked]:
        near = self._senses.nearness
        if near is None:
            return rank(self._words.search(asked, wanted, size, self._fields), self._setting)
        hits = self._gathered(near, asked, wanted, size)
        cosines = [cosine for cosine in near.of([hit.mark for hit in hits]) if cosine is not None]
        self.nearest = max([*cosines, *([] if self.nearest is None else [self.nearest])], default=None)
        ranked = fuse(hits, near, self._setting, sum(self._words.rarity(asked)))
        ranked = self._reread(ranked)
        return ranked if "time" in self._question.without else self._timed(ranked)

    def _reread(self, ranked: list[Ranked]) -> list[Ranked]:
        """In the order that a reranker finds right; as it was where there is none, or it fails, or has no time left."""
        if self._senses.rerank is None:
            return ranked
        if other := self._foreign(ranked):
            self._why_not_reread = f"its model does not read the language {other}"
            return ranked
        try:
            about, ask = self._question.about, self._senses.rerank
            reread = read_again(about, ranked, self._shelf.leaf, self._words.at, ask)
        except ModelBroken as error:
            self._why_not_reread = str(error)
            return ranked
        self._has_reread = self._has_reread or any(part == "rerank" for one in reread[:1] for part, _ in one.parts)
        return reread

    def _foreign(self, ranked: Sequence[Ranked]) -> str:
        """The language of the question, or of the passage ahead, if it is none that the reranker reads."""
        languages = (language_of(self._question.text), *(one.hit.language for one in ranked[:1]))
        reads = self._senses.reads
        return next((language for language in languages if language and reads and language not in reads), "")

    def _timed(self, ranked: list[Ranked]) -> list[Ranked]:
        from memory_wiki.recall.timing import said_of_time, timed

        return timed(ranked, said_of_time(self._question, self._now, self._words))

    def preferences(self, draft: Draft) -> list[Group]:
        """What was asked for from now on and lies nearest to the question; it takes its share of the draft's budget."""
        near = self._senses.nearness
        if near is None or "preferences" in self._question.without:
            return []
        wanted, project = self._question.filter, self._question.project
        projects = wanted.projects or (("", project) if project else ())
        hits = self._words.requests(replace(wanted, standing=Standing.CURRENT, projects=projects), REQUESTS)
        known = [(cosine, hit) for cosine, hit in zip(near.of([hit.mark for hit in hits]), hits, strict=True) if cosine]
        apart = Draft(PREFERENCES, int(draft.left * THEIR_SHARE), draft.asked)
        for cosine, hit in sorted(known, key=lambda pair: -pair[0]):
            if (leaf := self._shelf.leaf(hit)) and not apart.is_full:
                apart.take(Ranked(hit, cosine, (("meaning", cosine),), ()), leaf)
        draft.left -= int(draft.left * THEIR_SHARE) - apart.left
        return apart.chosen

    def _gathered(self, near: "Nearness", asked: Groups, wanted: Filter, size: int) -> list[WordHit]:
        """Those near in words or in meaning, of pages that are wanted."""
        asked = [] if "words" in self._question.without else asked
        marks = frozenset(near.nearest(size))
        hits = self._words.gather(asked, marks, wanted, size, self._fields)
        self._are_more_near = size < len(near)
        if not self._are_more_near or sum(hit.mark in marks for hit in hits) >= LEAST:
            return hits
        passing = self._words.marks(wanted)
        self._are_more_near = size < len(passing)
        return self._words.gather(asked, near.nearest_among(passing, size), wanted, size, self._fields)


def _once(asked_for: list[Group], chosen: list[Group], hits: Sequence[Group]) -> tuple[list[Group], list[Group]]:
    """Both without what is in both: it stays among the `hits`, where an answer has what was asked for anyway; a near
    miss it is not, as it holds whatever is asked.
    """
    first = {group.lines for group in hits}
    apart = [group for group in asked_for if group.lines not in first]
    theirs = {group.lines for group in apart}
    return apart, [group for group in chosen if group.lines not in theirs]


def _telling(chosen: Sequence[Group], left_out: Sequence[Group]) -> tuple[list[Group], list[Group]]:
    """Both without those that are faint beside the best that is chosen, but for the first few of these."""
    least = FAINT * max((group.ranked.score for group in chosen), default=0.0)
    telling = [group for n, group in enumerate(chosen) if n < FIRST_FEW or group.ranked.score >= least]
    return telling, [group for group in left_out if group.ranked.score >= least]


def _hit(group: Group, question: Question, asked: Groups, words: Words) -> Hit:
    found, said = group.ranked.hit, group.said
    assert said is not None, "a group is chosen for what it says"  # noqa: S101
    return Hit(
        path=found.path,
        title=found.title,
        type=found.type,
        status="archived" if found.status == "active" and not found.is_current else found.status,
        project=found.project,
        headings=found.headings,
        first_line=said.first_line,
        last_line=said.last_line,
        version=found.version,
        fact=said.fact if said.fact in found.facts else "",  # and not an example
        text=said.text,
        score=group.ranked.score,
        parts=group.ranked.parts,
        words=words.explain(found, asked) if question.explains else (),
        weights=group.ranked.weights,
        copies=tuple(group.copies),
        tokens=head(found) + tokens(said.text),
    )
