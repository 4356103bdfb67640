"""What a question says of time is read in six languages, and nothing else is taken for it."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import permutations
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.recall.anchors import Anchor, Direction
from memory_wiki.recall.moments import Hints, Order, closeness, hints, when_weights

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday
MAY = Hints(datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 31, tzinfo=UTC))
TIMES = st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
WORDS = st.sampled_from(
    [
        *(
            "in",
            "on",
            "since",
            "before",
            "after",
            "between",
            "and",
            "last",
            "two",
            "3",
            "weeks",
            "ago",
            "may",
            "May",
            "8",
        ),
        *(
            "2023",
            "9999",
            "31",
            "letzte",
            "Woche",
            "vor",
            "il y a",
            "ayer",
            "上周",
            "3月",
            "прошлой неделе",
            "first",
            "Q3",
        ),
        *("2023-02-30", "99/99/2023", "1.2.3", "until", "the outage", "0", "²", "٣", "\x00"),
    ]
)


def ranged(text: str) -> str:
    """The days of the range, the last one included; "" for none."""
    found = hints(text, NOW)
    if not found.said:
        return ""
    first = f"{found.since:%Y-%m-%d}" if found.since else ""
    last = f"{found.until - timedelta(seconds=1):%Y-%m-%d}" if found.until else ""
    return f"{first}..{last}"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what did we decide last week?", "2026-11-23..2026-11-29"),
        ("who changed it in March?", "2026-03-01..2026-03-31"),
        ("what did we plan in december?", "2025-12-01..2025-12-31"),
        ("what happened on 8 May 2023?", "2023-05-08..2023-05-08"),
        ("what happened on May 8th, 2023?", "2023-05-08..2023-05-08"),
        ("where did Joanna travel in July 2022?", "2022-07-01..2022-07-31"),
        ("in 2023 we moved", "2023-01-01..2023-12-31"),
        ("who won two days ago?", "2026-11-28..2026-11-28"),
        ("a couple of weeks ago", "2026-11-16..2026-11-22"),
        ("what broke yesterday?", "2026-11-29..2026-11-29"),
        ("notes of last summer", "2026-06-01..2026-08-31"),
        ("the trip in the winter of 2024", "2024-12-01..2025-02-28"),
        ("what we did last weekend", "2026-11-28..2026-11-29"),
        ("what was said on Friday?", "2026-11-27..2026-11-27"),
        ("goals of Q3 2025", "2025-07-01..2025-09-30"),
        ("between 3 March and 9 April 2024", "2024-03-03..2024-04-09"),
        ("from November 2023 to February 2024", "2023-11-01..2024-02-29"),
        ("between March and May", "2026-03-01..2026-05-31"),
        ("what changed since January?", "2026-01-01.."),
        ("after April 5, 2024", "2024-04-06.."),
        ("which decisions before 2023-05-08?", "..2023-05-07"),
        ("until 2023-05-08", "..2023-05-08"),
        ("since March 2024 but before June 2024", "2024-03-01..2024-05-31"),
        ("in the last 3 weeks", "2026-11-09..2026-11-30"),
        ("the week before 16 November 2023", "2023-11-09..2023-11-15"),
        ("two days after 8 May 2023", "2023-05-10..2023-05-10"),
        ("on 12.5.2023", "2023-05-12..2023-05-12"),
        ("what did we say on 05/08/2023?", "2023-05-08..2023-05-08"),
        ("was haben wir am 08/05/2023 gesagt?", "2023-05-08..2023-05-08"),
        ("Was haben wir letzte Woche beschlossen?", "2026-11-23..2026-11-29"),
        ("Was geschah vor zwei Tagen?", "2026-11-28..2026-11-28"),
        ("Was steht seit März fest?", "2026-03-01.."),
        ("die Entscheidungen vom letzten Monat", "2026-10-01..2026-10-31"),
        ("am 8. Mai 2023", "2023-05-08..2023-05-08"),
        ("letzten Sommer", "2026-06-01..2026-08-31"),
        ("zwischen März und Mai 2024", "2024-03-01..2024-05-31"),
        ("qu'avons-nous décidé la semaine dernière ?", "2026-11-23..2026-11-29"),
        ("il y a deux semaines", "2026-11-16..2026-11-22"),
        ("en mars 2024", "2024-03-01..2024-03-31"),
        ("depuis le 8 mai 2023", "2023-05-08.."),
        ("avant-hier", "2026-11-28..2026-11-28"),
        ("¿qué hicimos ayer?", "2026-11-29..2026-11-29"),
        ("la semana pasada", "2026-11-23..2026-11-29"),
        ("hace dos semanas", "2026-11-16..2026-11-22"),
        ("el 8 de mayo de 2023", "2023-05-08..2023-05-08"),
        ("antes de marzo de 2024", "..2024-02-29"),
        ("что мы решили на прошлой неделе?", "2026-11-23..2026-11-29"),
        ("что изменили в марте", "2026-03-01..2026-03-31"),
        ("5 мая 2023 года", "2023-05-05..2023-05-05"),
        ("две недели назад", "2026-11-16..2026-11-22"),
        ("с марта 2023", "2023-03-01.."),
        ("上周我们决定了什么？", "2026-11-23..2026-11-29"),
        ("三天前改了什么", "2026-11-27..2026-11-27"),
        ("2023年5月8日做了什么", "2023-05-08..2023-05-08"),
        ("5月8日", "2026-05-08..2026-05-08"),
        ("2023年以前的决定", "..2022-12-31"),
        ("从2023年3月到5月", "2023-03-01..2023-05-31"),
        ("去年夏天", "2025-06-01..2025-08-31"),
    ],
)
def test_a_time_is_read_as_the_range_that_is_meant(text: str, days: str) -> None:
    assert ranged(text) == days


@pytest.mark.parametrize(
    "text",
    [
        "may I have a second look?",
        "step 3 may fail",
        "the may file",
        "we march on",
        "the last word on it",
        "the last commit",
        "wait a second",
        "sat in the sun, then we decided",
        "version 1.2.3",
        "release 2024.1.0",
        "error 2023-1234",
        "port 2023",
        "a budget of 2000 tokens",
        "it took in 2000 ms",
        "after 2000 requests",
        "in 2023 files",
        "dec 5 of the opcode",
        "Monday.com integration",
        "Mars rover",
        "in 20 minutes",
        "on may day",
        "vor dem Haus",
        "nach Berlin",
        "un point de plus",
        "una vez más",
        "до 20 соединений",
        "по проекту",
        "第二个三个月饼",
        "九十天以前的数据",
    ],
)
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert hints(text, NOW).said == ()


def test_what_was_read_is_told_in_the_questions_own_words() -> None:
    assert hints("Did it break last week, or in March?", NOW).said == ("last week", "in March")


def test_a_date_is_meant_in_the_zone_of_who_asks() -> None:
    found = hints("yesterday", datetime(2026, 11, 30, 1, tzinfo=timezone(timedelta(hours=2))))
    assert found.since == datetime(2026, 11, 28, 22, tzinfo=UTC)
    assert found.until == datetime(2026, 11, 29, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("what is the latest version we run?", Order.LATEST),
        ("which database do we currently use?", Order.LATEST),
        ("when did I last deploy?", Order.LATEST),
        ("Wann haben wir das zuletzt geändert?", Order.LATEST),
        ("最新的决定是什么", Order.LATEST),
        ("what was the first database we used?", Order.FIRST),
        ("which happened first: a or b?", Order.FIRST),
        ("Was haben wir zuerst benutzt?", Order.FIRST),
        ("когда впервые", Order.FIRST),
        ("list the order in which I brought up things", Order.SEQUENCE),
        ("the timeline of the migration", Order.SEQUENCE),
        ("from the first to the latest idea", Order.SEQUENCE),
        ("в каком порядке", Order.SEQUENCE),
        ("the last word", Order.NONE),
        ("image:latest", Order.NONE),
        ("the current directory", Order.NONE),
        ("first name of Ada", Order.NONE),
        ("first-class functions", Order.NONE),
        ("is everything in order?", Order.NONE),
        ("in order to deploy", Order.NONE),
        ("initialize the pool", Order.NONE),
    ],
)
def test_an_order_is_heard_where_one_is_asked_for(text: str, order: Order) -> None:
    assert hints(text, NOW).order is order


@pytest.mark.parametrize(
    ("text", "anchors"),
    [
        ("what did we do before the migration?", [Anchor("the migration", Direction.BEFORE)]),
        ("what broke two days after the outage?", [Anchor("the outage", Direction.AFTER, 2.0)]),
        ("the week before the launch", [Anchor("the launch", Direction.BEFORE, 7.0)]),
        ("since we moved to Postgres, what changed?", [Anchor("we moved to Postgres", Direction.AFTER)]),
        ("how long after the outage did we fix it?", [Anchor("the outage", Direction.AFTER)]),
        ("after April 5, 2024 but before the launch", [Anchor("the launch", Direction.BEFORE)]),
        ("zwei Tage nach dem Ausfall", [Anchor("dem Ausfall", Direction.AFTER, 2.0)]),
        ("deux jours après la panne", [Anchor("la panne", Direction.AFTER, 2.0)]),
        ("antes de la migración", [Anchor("la migración", Direction.BEFORE)]),
        ("через два дня после сбоя", [Anchor("сбоя", Direction.AFTER, 2.0)]),
        ("上线之后两天发生了什么", [Anchor("上线", Direction.AFTER, 2.0)]),
        ("after 3 attempts it failed", []),
        ("after all, before long", []),
        ("before 2023-05-08", []),
        ("umgezogen nach Berlin", []),
    ],
)
def test_an_event_that_a_question_is_timed_by_is_named(text: str, anchors: list[Anchor]) -> None:
    assert list(hints(text, NOW).anchors) == anchors


@given(st.text() | st.lists(WORDS, max_size=12).map(" ".join), st.datetimes(timezones=st.just(UTC)))
def test_any_text_at_any_time_is_survived(text: str, now: datetime) -> None:
    found = hints(text, now)
    assert found.since is None or found.until is None or found.since < found.until
    assert all(said in text for said in found.said)
    assert bool(found.said) == bool(found.since or found.until)


@pytest.mark.parametrize("word", ["before ", "in march ", "1 may ", "上周", "week ", "two days after ", "2023-"])
def test_a_text_without_an_end_takes_no_longer_than_its_beginning(word: str) -> None:
    assert hints(word * 100_000, NOW) == hints(word * 10_000, NOW)


def test_a_text_that_speaks_of_no_time_costs_less_than_a_millisecond() -> None:
    def seconds() -> float:
        begin = perf_counter()
        hints("why did we choose Postgres over SQLite for the order service?", NOW)
        return perf_counter() - begin

    assert sorted(seconds() for _ in range(101))[50] < 0.001


def test_a_time_in_the_range_fits_and_one_outside_the_less_the_farther() -> None:
    assert closeness(MAY, MAY.since or NOW) == 1.0
    outside = [closeness(MAY, datetime(2026, 5, 31, tzinfo=UTC) + timedelta(days=days)) for days in (1, 30, 300)]
    assert outside == [pytest.approx(30 / 31), 0.5, pytest.approx(1 / 11)]
    assert closeness(MAY, datetime(2026, 4, 1, tzinfo=UTC)) == 0.5
    assert closeness(Hints(), NOW) == 0.5
    assert closeness(Hints(since=NOW), NOW + timedelta(days=900)) == 1.0
    assert closeness(Hints(since=NOW), NOW - timedelta(days=30)) == 0.5


def test_the_newest_weighs_more_where_the_latest_is_asked_for_and_less_where_the_first() -> None:
    days = [NOW + timedelta(days=day) for day in (2, 0, 1)]
    assert when_weights(Hints(order=Order.LATEST), days) == [pytest.approx(0.7), pytest.approx(0.3), 0.5]
    assert when_weights(Hints(order=Order.FIRST), days) == [pytest.approx(0.3), pytest.approx(0.7), 0.5]
    assert when_weights(Hints(order=Order.SEQUENCE), days) == [0.5] * 3
    assert when_weights(Hints(order=Order.LATEST), days[:1]) == [0.5]


@given(st.lists(TIMES, max_size=4), st.sampled_from(Order), st.none() | TIMES, st.integers(1, 400))
def test_weights_are_shares_and_go_with_their_times(
    times: list[datetime], order: Order, since: datetime | None, days: int
) -> None:
    said = Hints(since, since and since + timedelta(days=days), order)
    weights = dict(zip(times, when_weights(said, times), strict=True))
    assert all(0.0 <= weight <= 1.0 for weight in weights.values())
    for other in permutations(times):
        assert when_weights(said, other) == [weights[at] for at in other]
