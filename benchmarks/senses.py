"""Rows of finding by meaning: recall with a model, what such a process holds, and how fast passages are embedded.

The vectors of a large vault are made up, at random: an hour of embedding tells nothing of how fast they are searched.
Questions are embedded, and the best passages read again, by the real models; without those the rows fail.
"""

import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice

import numpy as np

import resident
from holding import serving
from measuring import PATIENCE, Figure, Row, timed
from memory_wiki.config import Config
from memory_wiki.index.embedder import Embedder
from memory_wiki.recall.answer import Question
from memory_wiki.recall.effort import Effort
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.models import embedder_of
from reads import held_by
from scale import Bench
from vaults import questions

AT_ONCE = 10_000  # vectors made up at a time
BARS = {10_000: 25, 100_000: 45}
WORDS_A_PASSAGE = 100


def recall(bench: Bench, size: int) -> Iterator[Row]:
    """Questions of two to five words, each asked once, by words and meaning and with the reranker."""
    root = bench.vaults.made(size)
    asked = questions(root, bench.scale.questions)
    with serving(root) as wiki:
        warm(wiki)
        for effort, count, bar in ((Effort.FAST, len(asked), BARS.get(size)), (Effort.BEST, len(asked) // 4 or 1, 350)):
            done = timed(partial(_recall, wiki, asked, effort), count, PATIENCE)
            yield Row("meaning", size, f"recall by meaning, {effort.value}", done.figures(bar, None))


def memory(bench: Bench, size: int) -> Iterator[Row]:
    """What a fresh process holds after its recalls by meaning, fast and with the reranker."""
    root = bench.vaults.made(size)
    with serving(root) as wiki:
        warm(wiki)
    asked = "\n".join(questions(root, bench.scale.resident_questions))
    for effort in (Effort.FAST, Effort.BEST):
        call = [sys.executable, resident.__file__, str(root), "watching", effort.value]
        what = f"memory of a process that recalls by meaning, {effort.value}"
        yield Row("meaning_memory", size, what, held_by(call, asked, 450))


def embedding(bench: Bench, _size: int) -> Iterator[Row]:
    """Passages of a hundred words: on one thread, as a server embeds, and on two."""
    said = cycle(" ".join(questions(bench.vaults.made(min(_size, 1_000)), 40)).split())
    texts = [" ".join(islice(said, WORDS_A_PASSAGE)) for _ in range(bench.scale.passages)]
    found = embedder_of(os.environ, Config(), fetches=False)
    for threads in (1, 2):
        embedder = Embedder.load(found, threads)
        embedder.passages(texts[:1])
        started = time.perf_counter()
        embedder.passages(texts)
        a_second = len(texts) / (time.perf_counter() - started)
        rate = Figure("rate", a_second, "passages/s", 60 if threads > 1 else None, is_floor=True)
        yield Row(
            "embedding", len(texts), f"embedding passages of {WORDS_A_PASSAGE} words, threads: {threads}", (rate,)
        )


def warm(wiki: Wiki) -> None:
    """With its models loaded, and a vector for each passage."""
    wiki.catch_up()
    wiki.meaning.warm()
    embedder, reranker = wiki.meaning.embedder.wait(), wiki.meaning.reranker.wait()
    if embedder is None or reranker is None:
        raise RuntimeError(wiki.meaning.embedder.why or wiki.meaning.reranker.why)
    vectors = wiki.meaning.vectors_of(embedder)
    chance = np.random.default_rng(7)
    lacking = vectors.lacking(wiki.index.words.marks())
    for start in range(0, len(lacking), AT_ONCE):
        marks = lacking[start : start + AT_ONCE]
        vectors.add(marks, chance.standard_normal((len(marks), vectors.dim), np.float32))


def _recall(wiki: Wiki, asked: list[str], effort: Effort, number: int) -> None:
    answer = wiki.recall(Question(asked[number], project="", effort=effort))
    if "meaning" in dict(answer.missing):  # a list of pages, as of "the errors", needs none
        raise RuntimeError(answer.missing)
