"""Where no page passes a filter, it is said which part of it none does, and what comes nearest."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_wiki.index.entries import Filter
from memory_wiki.wiki import Memory, Question, Wiki, Wish
from memory_wiki.wiki.unmet import unmet

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def told(wiki: Wiki) -> Wiki:
    """A decision of a project, and a note of none, of 30 November 2026."""
    wiki.remember(Wish(Memory("We chose Postgres.", type="decision", tags=("area/db",)), "shop"))
    wiki.remember(Wish(Memory("A heron came.", tags=("bird",)), ""))
    return wiki


def said(told: Wiki, wanted: Filter) -> tuple[str, ...]:
    """By a recall, which a list and a list of what is new say too."""
    found = told.recall(Question("postgres", wanted))
    assert found.unmet == told.pages(wanted, None).unmet == told.recent(wanted, 5).unmet
    assert bool(found.unmet) == found.is_filtered_out
    return found.unmet


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (Filter(types=("decisoin",)), "No page has type decisoin; did you mean decision?"),
        (Filter(types=("decisoin", "nota")), "No page has type decisoin or nota; did you mean decision or note?"),
        (Filter(types=("zzz",)), "No page has type zzz; there are note, decision, project."),
        (Filter(projects=("shpo",)), "No page is of project shpo; did you mean shop?"),
        (Filter(projects=("zzz",)), "No page is of project zzz; there are shop."),
        (Filter(tags=("bird", "area/bd")), "No page has tag area/bd; did you mean area/db?"),
        (
            Filter(folders=("projects/shop/decision",)),
            "No page is in projects/shop/decision; did you mean projects/shop/decisions?",
        ),
        (
            Filter(author="ada lovelase"),
            "No page was last changed by ada lovelase; did you mean Ada Lovelace?",
        ),
        (
            Filter(since=NOON + timedelta(days=1)),
            "No page is of that time; there are some from 2026-11-30 to 2026-11-30.",
        ),
        (
            Filter(types=("decision",), tags=("bird",)),
            "Each of these filters some page passes, and all together none.",
        ),
    ],
)
def test_the_part_that_no_page_passes_is_named_with_what_comes_nearest(
    told: Wiki, wanted: Filter, sentence: str
) -> None:
    assert said(told, wanted) == (sentence,)


def test_each_part_that_no_page_passes_is_named(told: Wiki) -> None:
    assert len(said(told, Filter(types=("x",), projects=("y",), tags=("z",), until=NOON - timedelta(days=1)))) == 4


def test_nothing_is_said_where_a_page_passes(told: Wiki) -> None:
    assert said(told, Filter(types=("decision",), tags=("area",))) == ()


def test_where_there_is_no_page_no_filter_is_blamed(wiki: Wiki) -> None:
    assert said(wiki, Filter(types=("decision",))) == ("There is no page yet.",)


def test_of_many_values_the_most_common_are_named(wiki: Wiki) -> None:
    wiki.remember_each([Wish(Memory(f"Text {n}.", type=f"type{n}"), "") for n in range(9)])
    (sentence,) = said(wiki, Filter(types=("zzz",)))
    assert sentence.endswith("and others.")
    assert sentence.count("type") == 1 + 5


def test_a_timeline_without_a_page_in_its_bounds_says_from_when_to_when_they_are(told: Wiki) -> None:
    wanted = Filter(types=("note",), until=NOON - timedelta(days=1))
    for topic in ("", "heron"):
        assert told.timeline(topic, wanted, 5).unmet == (
            "No page is of that time; there are some from 2026-11-30 to 2026-11-30.",
        )
    assert told.timeline("heron", Filter(), 5).unmet == ()


def test_days_are_those_where_one_stands(told: Wiki) -> None:
    told.catch_up()
    first = datetime.min.replace(tzinfo=UTC)
    far = NOON.astimezone(timezone(timedelta(hours=13)))
    (sentence,) = unmet(Filter(until=first), told.index.words, far)
    assert "2026-12-01" in sentence
