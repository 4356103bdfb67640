"""What a passage counts for a question. Pure: few numbers, each named with what it moved, each shown by `--why`.

A score is what the words are worth beside the best found, and what the meaning is worth beside the nearest found, each
from 0 to 1 and both together from 0 to 1; times what speaks for the page besides.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import exp, prod
from typing import Protocol

from memory_wiki.index.entries import WordHit

PROJECT = 1.2
"""For a page of the project one stands in: ahead of an equal one from elsewhere, not of a clearly better one."""

MODEL = 0.8
"""For what a model said in a conversation: people said what is to be remembered, models say much about it. On BEAM
.61 and .58 of recall@10 and MRR with it, .57 and .50 without. What the reranker says counts as much less: MRR .68 so,
.64 otherwise."""

NOISE = 0.9
"""For a page that tells what went on, against one that says what came of it."""

NOISY = frozenset({"handoff", "log", "prompt", "session"})

MEANING = 1.0
"""What the meaning counts for one part of the words. On LoCoMo any@5 is .66 by words, .64 by meaning, .75 so; .75 and
.73 at half and at double."""

ENOUGH = 0.4
"""Of what all words of a question tell, the share by which a hit's words count as much as words can: a chance word of
eight is no best answer. BEAM's recall@10 is .568 with it, .561 without; 60 hard questions on a help vault find
their page among the first five for .83, .82 without; LoCoMo's any@5 is .745 with it, .747 without.
"""

AROUND = 0.15
"""What the meaning of the turn before, and of the one after, counts for one part of a short turn's own."""

SPREAD = 150
"""Among so many nearest passages meaning tells apart; what is farther is as far as any."""

FIRST = 30
"""How many of the best a reranker reads."""

OF_TURNS = 3.0
"""What the reranker's word counts of a turn of a conversation, for one part of the score before. LoCoMo's MRR: .58
without, .63 at 1, .64 at 2, .66 at 3."""

OF_PAGES = 1.0
"""The same of a page. Of 60 plain questions on a help vault .90 find their page first without it and at 1, .88 at 3;
among the first five .98 without, 1.00 at 1, .98 at 3."""

SOFTNESS = 4.0
"""What a reranker's logit is divided by, so that it tells good from better. BEAM's recall@10 is .641 at 2 and 3, .647
at 4 and 5; LoCoMo's MRR .666 at 3, .665 at 4, .65 at 5."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Who asks: the project one stands in, and the parts that are not to count."""

    project: str = ""
    without: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    """Those that the model knows; none for all. What is written in another counts by its words alone."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit with its score: that of its `parts`, times `weights`."""

    hit: WordHit
    score: float
    parts: tuple[tuple[str, float], ...]
    weights: tuple[tuple[str, float], ...]


class Near(Protocol):
    """The cosine of a question and of passages, by their marks; None for what is not embedded yet."""

    def of(self, marks: Sequence[int]) -> list[float | None]: ...


def rank(hits: Iterable[WordHit], setting: Setting) -> Iterator[Ranked]:
    """By words, best first, equals by path and place. Of `hits`, the best first too, no more are taken than needed."""
    waiting: list[tuple[float, str, int, int, Ranked]] = []
    best = 0.0
    for number, hit in enumerate(hits):
        best = best or hit.score
        while waiting and -waiting[0][0] > _most(setting) * hit.score / best:  # nothing still to come can pass it
            yield heappop(waiting)[-1]
        ranked = _ranked(hit, (("words", hit.score / best),), setting)
        heappush(waiting, (-ranked.score, hit.path, hit.ordinal, number, ranked))
    while waiting:
        yield heappop(waiting)[-1]


def fuse(hits: Sequence[WordHit], near: Near, setting: Setting, rarity: float = 0.0) -> list[Ranked]:
    """By words and meaning, best first. What has no vector yet counts by its words alone.

    `rarity` is the sum of what each word that is asked for tells: where the best hit says but little of it, words tell
    little, and meaning decides.
    """
    words = _words(hits, ENOUGH * rarity)
    meanings = _meanings(hits, near, setting)
    ranked = [
        _ranked(hit, (("words", word), ("meaning", word if meaning is None else meaning)), setting)
        for hit, word, meaning in zip(hits, words, meanings, strict=True)
    ]
    return sorted(ranked, key=place)


def rerank(ranked: Sequence[Ranked], logits: Sequence[float]) -> list[Ranked]:
    """The first of `ranked`, as many as there are logits, in a new order; the others follow as they were."""
    if not logits:
        return [*ranked]
    best = max((one.score for one in ranked), default=0.0) or 1.0
    read = [_read(one, best, _sigmoid(logit / SOFTNESS)) for one, logit in zip(ranked, logits, strict=False)]
    least = min((one.score for one in read), default=0.0)
    rest = [replace(one, score=least * one.score / best) for one in ranked[len(read) :]]
    return sorted(read, key=place) + rest


def _read(one: Ranked, best: float, said: float) -> Ranked:
    share = OF_TURNS if one.hit.speaker else OF_PAGES
    weighed = said * prod(weight for _, weight in one.weights)
    return replace(one, score=(one.score / best + share * weighed) / (1 + share), parts=(*one.parts, ("rerank", said)))


def _words(hits: Sequence[WordHit], least: float) -> list[float]:
    best = max([least, *(hit.score for hit in hits)]) or 1.0
    return [hit.score / best for hit in hits]


def _meanings(hits: Sequence[WordHit], near: Near, setting: Setting) -> list[float | None]:
    """1 for the nearest, 0 for the `SPREAD`-th nearest and all beyond; 1 for all where none is farther than another."""
    own = near.of([hit.mark for hit in hits])
    if setting.languages:
        own = [c if hit.language in setting.languages else None for hit, c in zip(hits, own, strict=True)]
    if "around" not in setting.without:
        own = _with_those_around(hits, own, near)
    known = sorted((cosine for cosine in own if cosine is not None), reverse=True)
    if not known:
        return own
    top, low = known[0], known[min(SPREAD, len(known)) - 1]
    low, span = (low, top - low) if low < top else (low - 1.0, 1.0)
    return [None if cosine is None else min(1.0, max(0.0, (cosine - low) / span)) for cosine in own]


def _with_those_around(hits: Sequence[WordHit], own: Sequence[float | None], near: Near) -> list[float | None]:
    around = iter(near.of([mark for hit in hits for mark in hit.around]))
    smoothed: list[float | None] = []
    for hit, cosine in zip(hits, own, strict=True):
        others = [other for _, other in zip(hit.around, around, strict=False) if other is not None]
        if cosine is None or not others:
            smoothed.append(cosine)
        else:
            smoothed.append((cosine + AROUND * sum(others)) / (1 + AROUND * len(others)))
    return smoothed


def _ranked(hit: WordHit, parts: tuple[tuple[str, float], ...], setting: Setting) -> Ranked:
    shares = {"words": 1.0, "meaning": MEANING}
    whole = sum(shares[part] for part, _ in parts)
    weights = tuple(weight for weight in _weights(hit, setting.project) if weight[0] not in setting.without)
    score = sum(shares[part] * value for part, value in parts) / whole * prod(weight for _, weight in weights)
    return Ranked(hit, score, parts, weights)


def _weights(hit: WordHit, project: str) -> Iterator[tuple[str, float]]:
    if project and hit.project == project:
        yield "project", PROJECT
    if hit.is_of_a_model:
        yield "model", MODEL
    if hit.type in NOISY:
        yield "type", NOISE


def _most(setting: Setting) -> float:
    """No weight is more than this."""
    return PROJECT if setting.project and "project" not in setting.without else 1.0


def place(ranked: Ranked) -> tuple[float, str, int]:
    return -ranked.score, ranked.hit.path, ranked.hit.ordinal


def _sigmoid(value: float) -> float:
    return 1 / (1 + exp(-max(-60.0, min(60.0, value))))


PARTS: Collection[str] = (
    *("words", "title", "tags", "heading", "near", "meaning", "around", "rerank"),
    *("project", "model", "type", "time", "preferences"),
)
"""What can be left out of a recall, to see what it does."""
