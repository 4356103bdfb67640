"""How sure an answer is rises with what speaks for it, and is a chance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.recall.confidence import (
    ACROSS,
    BESIDE,
    LIKELY,
    SCALES,
    confidence,
    confidence_across,
    is_likely,
)

MODELS = [*SCALES, "another", ""]
model = st.sampled_from(MODELS)
share = st.floats(0, 1)
cosine = st.none() | st.floats(-1, 1)
beside = st.lists(st.floats(-1, 1), min_size=1, max_size=BESIDE)


near = st.floats(-1, 1)


@given(model, cosine, beside, share, share)
def test_it_is_a_chance(name: str, nearest: float | None, others: list[float], said: float, unsaid: float) -> None:
    assert 0 <= confidence(name, nearest, others, said, unsaid) <= 1


@given(model, cosine, beside, share, share, share)
def test_the_more_of_the_question_is_said_the_surer(
    name: str, nearest: float | None, others: list[float], one: float, two: float, unsaid: float
) -> None:
    less, more = (confidence(name, nearest, others, said, unsaid) for said in sorted((one, two)))
    assert less <= more


@given(model, cosine, beside, share, share, share)
def test_the_more_of_its_words_nothing_says_the_less_sure(
    name: str, nearest: float | None, others: list[float], said: float, one: float, two: float
) -> None:
    more, less = (confidence(name, nearest, others, said, unsaid) for unsaid in sorted((one, two)))
    assert less <= more


@given(model, near, near, beside, share, share)
def test_the_nearer_the_surer(
    name: str, one: float, two: float, others: list[float], said: float, unsaid: float
) -> None:
    less, more = (confidence(name, nearest, others, said, unsaid) for nearest in sorted((one, two)))
    assert less <= more


@given(st.sampled_from([*SCALES]), near, near, near, st.integers(1, BESIDE), share)
def test_the_nearer_all_others_lie_the_less_sure(
    name: str, nearest: float, one: float, two: float, count: int, said: float
) -> None:
    more, less = (confidence(name, nearest, [others] * count, said, 0.0) for others in sorted((one, two)))
    assert less <= more


@pytest.mark.parametrize("name", MODELS)
def test_what_says_all_and_stands_out_is_likely_and_what_says_nothing_and_does_not_is_not(name: str) -> None:
    usual = SCALES[name].usual if name in SCALES else 0.5
    assert is_likely(confidence(name, usual + 0.1, [usual] * BESIDE, 1.0, 0.0))
    assert is_likely(confidence(name, usual + 0.1, [usual + 0.1], 1.0, 0.0))
    assert not is_likely(confidence(name, usual + 0.01, [usual] * BESIDE, 0.0, 0.5))


@given(cosine, beside, share, share)
def test_the_cosines_of_a_model_that_was_not_calibrated_tell_nothing(
    nearest: float | None, others: list[float], said: float, unsaid: float
) -> None:
    assert confidence("another", nearest, others, said, unsaid) == confidence("", None, (), said, unsaid)


def test_the_bound_itself_is_likely() -> None:
    assert is_likely(LIKELY)
    assert not is_likely(LIKELY - 1e-9)


# In another language than the question's


@given(model, st.floats(-1, 1), beside)
def test_across_languages_it_is_a_chance_too(name: str, near: float, others: list[float]) -> None:
    assert 0 <= confidence_across(name, near, others) <= 1


@given(st.sampled_from([*ACROSS]), st.floats(-1, 1), st.floats(-1, 1), beside)
def test_across_languages_the_nearer_the_surer(name: str, one: float, other: float, others: list[float]) -> None:
    assert confidence_across(name, min(one, other), others) <= confidence_across(name, max(one, other), others)


@given(st.sampled_from([*ACROSS]), st.floats(0.7, 0.9), st.floats(0.7, 0.9), st.integers(1, BESIDE))
def test_across_languages_the_farther_the_others_lie_the_surer(name: str, one: float, two: float, count: int) -> None:
    far, near = (confidence_across(name, 0.8, [others] * count) for others in sorted((one, two)))
    assert near <= far


@pytest.mark.parametrize("count", [1, 3, BESIDE])
def test_across_languages_what_stands_out_is_likely_and_what_lies_as_near_as_any_is_not(count: int) -> None:
    assert is_likely(confidence_across("multilingual-e5-small", 0.84, [0.84, *[0.73] * (count - 1)]))
    assert not is_likely(confidence_across("multilingual-e5-small", 0.74, [0.74, *[0.73] * (count - 1)]))
    assert not is_likely(confidence_across("multilingual-e5-small", 0.84, [0.84] * BESIDE))


@pytest.mark.parametrize("name", ["e5-small-v2", "another", ""])
def test_nothing_is_sure_across_languages_by_a_model_that_was_not_calibrated_for_it(name: str) -> None:
    assert confidence_across(name, 0.99, [0.5]) == 0
