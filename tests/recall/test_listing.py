"""Questions that ask for pages by type and time alone."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.recall.listing import Listing, listing

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)
MARCH = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "types", "bounds"),
    [
        ("what did we decide in March?", ("decision",), MARCH),
        ("was haben wir im März beschlossen?", ("decision",), MARCH),
        ("qué decidimos en marzo", ("decision",), MARCH),
        ("quelles décisions en mars", ("decision",), MARCH),
        ("qu'avons-nous décidé en mars ?", ("decision",), MARCH),
        ("что мы решили в марте?", ("decision",), MARCH),
        ("我们三月决定了什么？", ("decision",), MARCH),
        ("recent errors", ("error",), (None, None)),
        ("list all decisions", ("decision",), (None, None)),
        ("what happened in March?", (), MARCH),
        ("errors and decisions in March", ("decision", "error"), MARCH),
        ("decisions since 2026-10-01", ("decision",), (datetime(2026, 10, 1, tzinfo=UTC), None)),
    ],
)
def test_a_type_and_a_time_are_asked_for(
    text: str, types: tuple[str, ...], bounds: tuple[datetime | None, datetime | None]
) -> None:
    assert listing(text, NOW) == Listing(types, *bounds, is_oldest_first=False)


def test_the_first_and_an_order_of_things_begin_with_the_oldest() -> None:
    for text in ("first decision", "decisions in chronological order"):
        found = listing(text, NOW)
        assert found is not None
        assert found.is_oldest_first


@pytest.mark.parametrize(
    "text",
    [
        "what did we decide about the cache in March?",
        "latest decision on the database",
        "what did Caroline decide last week?",
        "errors",
        "error handling",
        "error 1042",
        "what happened?",
        "what happened during the migration",
        "what happened after the error?",
        "why did this error happen?",
        "how do we make decisions?",
        "what is not decided?",
        "warum haben wir das entschieden?",
        "pourquoi cette décision",
        "in March",
        "",
    ],
)
def test_a_question_with_anything_else_to_look_for_is_searched(text: str) -> None:
    assert listing(text, NOW) is None


@given(
    st.text() | st.sampled_from(["decide ", "errors "]).flatmap(lambda word: st.text().map(lambda rest: word + rest))
)
def test_any_text_is_survived(text: str) -> None:
    assert listing(text, NOW) is None or text
