"""Metrics are what their papers say, by hand-computed values and by what must hold for any ranking."""

import math
from collections.abc import Callable, Collection, Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.bench import metrics, wording

RANKING = ("d", "b", "a", "e", "c")
ids = st.sampled_from("abcdefghijklmnop")
rankings = st.lists(ids, unique=True)
golds = st.sets(ids, min_size=1)
samples = st.lists(st.floats(-100, 100), min_size=1, max_size=20)
METRICS: list[Callable[[Sequence[str], Collection[str]], float]] = [
    *(partial(of, k=5) for of in (metrics.any_at, metrics.all_at, metrics.recall_at, metrics.ndcg_at)),
    metrics.reciprocal_rank,
]


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (metrics.any_at(RANKING, {"a"}, 3), 1),
        (metrics.any_at(RANKING, {"a"}, 2), 0),
        (metrics.all_at(RANKING, {"a", "b"}, 3), 1),
        (metrics.all_at(RANKING, {"a", "c"}, 4), 0),
        (metrics.recall_at(RANKING, {"a", "b", "c", "x"}, 3), 0.5),
        (metrics.reciprocal_rank(RANKING, {"c", "a"}), 1 / 3),
        (metrics.reciprocal_rank(RANKING, {"x"}), 0),
        # gains at ranks 2 and 3, of an ideal at ranks 1, 2 and 3
        (
            metrics.ndcg_at(RANKING, {"a", "b", "x"}, 4),
            (1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3) + 1 / 2),
        ),
        (metrics.ndcg_at(RANKING, set(RANKING), 2), 1),
        (metrics.auroc([3, 2], [1, 2]), 0.875),  # of four pairs three in order, one tied
        (metrics.auroc([1], [2]), 0),
        (metrics.percentile([*range(1, 101)], 95), 95),
        (metrics.percentile([7], 50), 7),
        (wording.token_f1("the 7 May, 2023", "7 May 2023"), 1),
        (wording.token_f1("May", "7 May 2023"), 0.5),
        (wording.token_f1("June", "May"), 0),
        (wording.contains("It was on 7 May 2023.", "7 May"), 1),
        (wording.contains("17 May", "7 May"), 0),
        (wording.contains("anything", "the"), 0),
    ],
)
def test_a_metric_is_what_was_computed_by_hand(found: float, wanted: float) -> None:
    assert found == pytest.approx(wanted)


@given(rankings, golds)
def test_every_metric_lies_between_0_and_1_and_is_1_for_a_perfect_ranking(ranking: list[str], gold: set[str]) -> None:
    perfect = [*sorted(gold), *sorted(set(ranking) - gold)]
    for metric in METRICS:
        assert 0 <= metric(ranking, gold) <= 1
    assert metrics.any_at(perfect, gold, 5) == metrics.reciprocal_rank(perfect, gold) == 1
    assert metrics.ndcg_at(perfect, gold, 5) == pytest.approx(1)


@given(rankings, golds, st.integers(1, 20))
def test_more_places_never_find_less(ranking: list[str], gold: set[str], k: int) -> None:
    for metric in (metrics.any_at, metrics.all_at, metrics.recall_at):
        assert metric(ranking, gold, k) <= metric(ranking, gold, k + 1)
    assert metrics.all_at(ranking, gold, k) <= metrics.recall_at(ranking, gold, k) <= metrics.any_at(ranking, gold, k)


@given(samples, samples)
def test_auroc_is_the_share_of_pairs_in_order(high: list[float], low: list[float]) -> None:
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in high for b in low]
    assert metrics.auroc(high, low) == pytest.approx(sum(pairs) / len(pairs))
    assert metrics.auroc(high, low) == pytest.approx(1 - metrics.auroc(low, high))


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=30), st.integers(0, 5))
def test_an_interval_is_the_same_each_time_and_lies_where_the_values_do(values: list[float], seed: int) -> None:
    found = metrics.mean(values, seed)
    assert found == metrics.mean(values, seed)
    assert min(values) <= found.low <= found.high <= max(values)


def test_an_interval_is_as_wide_as_the_binomial_says() -> None:
    found = metrics.mean([1.0] * 70 + [0.0] * 30)
    half = 1.96 * math.sqrt(0.7 * 0.3 / 100)
    assert [found.low, found.high] == pytest.approx([0.7 - half, 0.7 + half], abs=0.02)


def test_more_questions_make_an_interval_narrower() -> None:
    few, many = (metrics.separation([1.0, 0.0, 1.0] * n, [0.0, 1.0, 0.0] * n) for n in (3, 60))
    assert few.value == pytest.approx(many.value)
    assert many.high - many.low < few.high - few.low


@given(st.text(), st.text())
def test_any_two_answers_can_be_compared(said: str, wanted: str) -> None:
    assert 0 <= wording.token_f1(said, wanted) <= 1
    assert wording.contains(said, wanted) in {0, 1}
