"""Ranking: by words no further ahead than a weight can lift a hit; by all else nothing is lost, nor comes twice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.index.entries import WordHit
from memory_wiki.page.path import PagePath, Version
from memory_wiki.recall.moments import Hints, Order
from memory_wiki.recall.rank import AROUND, MODEL, NOISE, PROJECT, Ranked, Setting, fuse, rank, rerank
from memory_wiki.recall.timing import timed

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOBODY = Setting()


def hit(path: str, score: float, project: str = "", ordinal: int = 0) -> WordHit:
    return WordHit(
        path=PagePath(path), version=Version("0" * 40), ordinal=ordinal, headings=(), first_line=1, last_line=1,
        language="en", speaker="", mark=1, around=(), facts=(), title=path, type="note", id="", tags=(),
        status="active", is_current=True,
        confidence=1.0, pinned=False, project=project, author="", changed=NOON, created=None, score=score,
    )  # fmt: skip


HITS = st.lists(
    st.builds(
        hit,
        st.sampled_from(["a.md", "b.md", "c.md"]),
        st.sampled_from([0.5, 1.0, 1.0 * PROJECT, 1.1, 2.0]),
        st.sampled_from(["", "shop"]),
        st.integers(0, 3),
    ),
    max_size=12,
)


def place(found: Ranked) -> tuple[float, str, int]:
    return -found.score, found.hit.path, found.hit.ordinal


@given(HITS, st.sampled_from(["", "shop", "other"]))
def test_the_best_come_first_and_equals_by_path(hits: list[WordHit], project: str) -> None:
    by_words = sorted(hits, key=lambda one: -one.score)
    found = list(rank(by_words, Setting(project)))
    assert found == sorted(found, key=place)
    assert sorted(map(id, by_words)) == sorted(id(one.hit) for one in found)


def test_a_page_of_the_project_passes_a_slightly_better_one_only() -> None:
    hits = [hit("best.md", 2.0), hit("good.md", 1.1), hit("own.md", 1.0, "shop")]
    assert [one.hit.path for one in rank(hits, Setting("shop"))] == ["best.md", "own.md", "good.md"]
    assert [one.weights for one in rank(hits, Setting("shop"))] == [(), (("project", PROJECT),), ()]


def test_no_more_is_taken_than_could_pass() -> None:
    hits = iter([hit("a.md", 4.0), hit("b.md", 2.0), hit("c.md", 1.9), hit("d.md", 1.8), hit("e.md", 1.0)])
    ranked = rank(hits, Setting("shop"))
    assert next(ranked).hit.path == "a.md"
    assert next(ranked).hit.path == "b.md"
    assert list(hits) == []

    hits = iter([hit("a.md", 4.0), hit("b.md", 2.0), hit("c.md", 1.0)])
    assert next(rank(hits, Setting("shop"))).hit.path == "a.md"
    assert [one.path for one in hits] == ["c.md"]


# Words and meaning together


@dataclass(frozen=True)
class Cosines:
    """How near passages lie, by their marks; those that are not there have no vector."""

    by_mark: dict[int, float]

    def of(self, marks: Sequence[int]) -> list[float | None]:
        return [self.by_mark.get(mark) for mark in marks]


FIGURES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.sampled_from([None, 0.1, 0.5, 0.55, 0.9])),
    min_size=1,
    max_size=8,
)


def fused(figures: Sequence[tuple[float, float | None]], setting: Setting = NOBODY) -> list[Ranked]:
    """Passages with these scores by words and these cosines, each with its number as its mark."""
    hits = [replace(hit(f"{n}.md", score), mark=n) for n, (score, _) in enumerate(figures)]
    return fuse(hits, Cosines({n: near for n, (_, near) in enumerate(figures) if near is not None}), setting)


def order(found: Sequence[Ranked]) -> list[int]:
    return [one.hit.mark for one in found]


@given(FIGURES)
def test_all_that_is_fused_comes_out_once_best_first_and_from_0_to_1(figures: list[tuple[float, float | None]]) -> None:
    found = fused(figures)
    assert sorted(order(found)) == list(range(len(figures)))
    assert found == sorted(found, key=place)
    assert all(0 <= one.score <= 1 for one in found)
    assert all(0 <= value <= 1 for one in found for _, value in one.parts)


@given(FIGURES, st.integers(0, 7), st.sampled_from([0.1, 1.0, 5.0]))
def test_more_by_words_never_puts_a_passage_further_down(
    figures: list[tuple[float, float | None]], which: int, more: float
) -> None:
    number = which % len(figures)
    score, near = figures[number]
    risen = [*figures[:number], (score + more, near), *figures[number + 1 :]]
    assert order(fused(risen)).index(number) <= order(fused(figures)).index(number)


@given(FIGURES, st.integers(0, 7), st.sampled_from([0.01, 0.3, 0.9]))
def test_nearer_in_meaning_never_puts_a_passage_further_down(
    figures: list[tuple[float, float | None]], which: int, more: float
) -> None:
    number = which % len(figures)
    score, near = figures[number]
    if near is not None:
        risen = [*figures[:number], (score, near + more), *figures[number + 1 :]]
        assert order(fused(risen)).index(number) <= order(fused(figures)).index(number)


def test_meaning_finds_what_words_do_not_and_words_what_meaning_does_not() -> None:
    assert order(fused([(1.0, 0.1), (0.0, 0.9), (0.9, 0.9), (0.0, 0.1)])) == [2, 0, 1, 3]


@pytest.mark.parametrize("near", [0.2, 0.9])
def test_the_nearest_counts_in_full_also_where_there_is_no_other(near: float) -> None:
    assert [one.score for one in fused([(1.0, near)])] == [1.0]
    assert [one.score for one in fused([(1.0, near), (1.0, near), (0.5, None)])] == [1.0, 1.0, 0.5]


def test_what_has_no_vector_yet_counts_by_its_words() -> None:
    found = {one.hit.mark: one for one in fused([(2.0, 0.9), (1.0, None), (1.0, 0.1)])}
    assert (found[1].parts, found[1].score) == ((("words", 0.5), ("meaning", 0.5)), 0.5)
    assert [one.score for one in fused([(2.0, None), (1.0, None)])] == [1.0, 0.5]


def test_a_turn_gains_by_the_meaning_of_those_around_it() -> None:
    plain = [replace(hit(f"{n}.md", 1.0), mark=n) for n in range(3)]
    hits = [plain[0], replace(plain[1], around=(7, 8, 9)), plain[2]]
    near = Cosines({0: 0.5, 1: 0.5, 2: 0.4, 7: 0.9, 8: 0.9})
    assert order(fuse(hits, near, NOBODY)) == [1, 0, 2]
    assert order(fuse(hits, near, replace(NOBODY, without=frozenset({"around"})))) == [0, 1, 2]
    smoothed = (0.5 + AROUND * 1.8) / (1 + AROUND * 2)
    meanings = {one.hit.mark: dict(one.parts)["meaning"] for one in fuse(hits, near, NOBODY)}
    assert meanings[0] == pytest.approx((0.5 - 0.4) / (smoothed - 0.4))


def test_those_around_a_turn_lend_it_no_meaning_that_it_has_not_yet() -> None:
    lone = replace(hit("a.md", 1.0), mark=1, around=(2,))
    assert fuse([lone], Cosines({2: 0.9}), NOBODY)[0].parts == (("words", 1.0), ("meaning", 1.0))


@pytest.mark.parametrize(
    ("kind", "speaker", "project", "weights"),
    [
        ("note", "", "", ()),
        ("session", "", "", (("type", NOISE),)),
        ("session", "Claude", "", (("model", MODEL), ("type", NOISE))),
        ("note", "", "shop", (("project", PROJECT),)),
        ("log", "", "shop", (("project", PROJECT), ("type", NOISE))),
    ],
)
def test_what_speaks_for_a_page_weighs_and_each_weight_can_be_left_out(
    kind: str, speaker: str, project: str, weights: tuple[tuple[str, float], ...]
) -> None:
    one = replace(hit("a.md", 1.0, project), type=kind, speaker=speaker)
    near = Cosines({1: 0.5})
    found = fuse([one], near, Setting("shop"))[0]
    assert found.weights == weights
    expected = 1.0
    for _, weight in weights:
        expected *= weight
    assert found.score == pytest.approx(expected)
    names = frozenset(name for name, _ in weights)
    assert fuse([one], near, Setting("shop", without=names))[0].weights == ()


# What a reranker says


@given(FIGURES, st.lists(st.floats(-15, 15), max_size=8))
def test_what_is_read_again_comes_in_a_new_order_and_the_rest_follows_as_it_was(
    figures: list[tuple[float, float | None]], logits: list[float]
) -> None:
    before = fused(figures)
    found = rerank(before, logits[: len(before)])
    read = min(len(logits), len(before))
    assert sorted(order(found)) == sorted(order(before))
    assert sorted(order(found[:read])) == sorted(order(before[:read]))
    assert order(found[read:]) == order(before[read:])
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(("rerank" in dict(one.parts)) == (n < read) for n, one in enumerate(found))


def test_a_reranker_that_is_sure_overrules_and_one_that_is_not_does_not() -> None:
    before = fused([(1.0, 0.9), (0.5, 0.5)])
    assert order(rerank(before, [-9.0, 9.0])) == [1, 0]
    assert order(rerank(before, [0.0, 0.1])) == [0, 1]
    assert order(rerank(before, [1e6, -1e6])) == [0, 1]
    assert rerank([], [1.0]) == rerank([], []) == []


def test_where_the_best_says_little_of_what_is_asked_meaning_decides() -> None:
    hits = [replace(hit("chance.md", 2.0), mark=1), replace(hit("meant.md", 0.2), mark=2)]
    near = Cosines({1: 0.75, 2: 0.8, 3: 0.7})
    hits.append(replace(hit("other.md", 0.0), mark=3))
    assert fuse(hits, near, NOBODY)[0].hit.path == "chance.md"
    assert fuse(hits, near, NOBODY, rarity=20.0)[0].hit.path == "meant.md"


def test_what_the_reranker_says_of_a_model_counts_less() -> None:
    told, model = replace(hit("told.md", 1.0), speaker="Ada"), replace(hit("model.md", 1.0), speaker="assistant")
    before = fuse([model, told], Cosines({}), NOBODY)
    found = rerank(before, [5.0] * 2)
    assert [one.hit.path for one in found] == ["told.md", "model.md"]
    assert found[1].score == pytest.approx(MODEL * found[0].score)


# What a question says of time


def at(days: int, path: str = "", *, score: float = 1.0, speaker: str = "") -> Ranked:
    one = replace(hit(path or f"{days:03}.md", score), created=NOON + timedelta(days=days), speaker=speaker)
    return Ranked(one, score, (("words", score),), ())


HINTS = st.builds(
    Hints,
    since=st.sampled_from([None, NOON, NOON + timedelta(days=3)]),
    until=st.sampled_from([None, NOON + timedelta(days=5)]),
    order=st.sampled_from(list(Order)),
)
RANKED = st.lists(
    st.builds(
        lambda days, number, score, speaker: at(days, f"{number}.md", score=score, speaker=speaker),
        st.integers(-3, 9), st.integers(0, 99), st.sampled_from([0.1, 0.5, 1.0]), st.sampled_from(["", "Claude"]),
    ),
    max_size=30,
)  # fmt: skip


@given(RANKED, HINTS)
def test_time_loses_and_doubles_nothing(ranked: list[Ranked], said: Hints) -> None:
    found = timed(ranked, said)
    assert sorted(id(one.hit) for one in found) == sorted(id(one.hit) for one in ranked)


@given(RANKED, HINTS.filter(lambda said: said.order is not Order.SEQUENCE))
def test_time_weighs_and_the_best_still_come_first(ranked: list[Ranked], said: Hints) -> None:
    found = timed(ranked, said)
    assert found == sorted(found, key=place)


def test_the_latest_and_the_first_gain_by_it_and_a_range_by_being_in_it() -> None:
    ranked = [at(0), at(5), at(9)]
    assert next(one.hit.path for one in timed(ranked, Hints(order=Order.LATEST))) == "009.md"
    assert next(one.hit.path for one in timed(ranked, Hints(order=Order.FIRST))) == "000.md"
    week = Hints(since=NOON + timedelta(days=4), until=NOON + timedelta(days=6))
    assert next(one.hit.path for one in timed(ranked, week)) == "005.md"


def test_an_order_of_things_is_of_what_people_brought_up_and_what_a_model_said_is_last() -> None:
    told = [at(n, score=0.5 + n / 1_000) for n in range(20)]
    models = [at(n, f"m{n}.md", score=0.9, speaker="Claude") for n in range(0, 20, 5)]
    found = timed([*models, *told], Hints(order=Order.SEQUENCE))
    assert [one.hit.path for one in found[:20]] == [one.hit.path for one in reversed(told)]
    assert {one.hit.path for one in found[20:]} == {one.hit.path for one in models}
