"""What a question for an order of things is about."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.recall.answer import Question
from memory_wiki.recall.subject import asks_for_an_order, subject

ASKING = (
    *("in what order", "Chronologie", "timeline of", "sequence of events", "how has it changed over time", "in order,"),
    *("in welcher Reihenfolge", "Zeitleiste", "zeitlicher Ablauf", "der Reihe nach", "dans quel ordre", "cronología"),
    *("ordre chronologique", "en qué orden", "в каком порядке", "хронология", "по порядку", "先后顺序", "时间线"),
)


@pytest.mark.parametrize("text", ASKING)
def test_all_that_asks_for_an_order_is_told_by_its_signs(text: str) -> None:
    assert asks_for_an_order(text)
    assert Question(f"{text} in our chats of cats").about == subject(f"{text} in our chats of cats")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("In what order did we discuss the database migrations?", "database migrations"),
        ("Please list the order in which I brought up different topics of caching. Only five items.", "caching"),
        ("the timeline of the outage across our earlier chats", "outage"),
        ("What was the sequence of events in the outage on Friday?", "the outage on Friday"),
        ("Tell me what I said of the printer, in order.", "Tell me what I said of the printer"),
        ("In which order should the services be started?", "should the services be started"),
        ("What border changes happened, in chronological order?", "What border changes happened"),
        ("How do purchase order states change, in order?", "How do purchase order states change"),
        ("Why did the order in which hooks run matter?", "Why did  hooks run matter"),
    ],
)
def test_what_tells_of_the_answer_is_left_out(text: str, about: str) -> None:
    assert subject(text) == about


@pytest.mark.parametrize(
    "text",
    [
        "which database does the order service use?",
        "What order of magnitude is the error?",
        "which order by clause is used in the report?",
        "list the services that we discussed in our chats. Only five items.",
        "chronological order",
        "",
    ],
)
def test_any_other_question_stays_as_it_is(text: str) -> None:
    assert subject(text) == text


@given(st.text() | st.sampled_from(ASKING).flatmap(lambda asks: st.text().map(lambda rest: f"{asks} {rest}")))
def test_any_text_has_a_subject_that_is_in_it(text: str) -> None:
    assert bool(subject(text)) == bool(text)
    assert subject(text) == text or asks_for_an_order(text)
    assert Question(text).about == subject(text)


def test_a_question_is_about_all_it_says_where_time_is_left_out() -> None:
    text = "In what order did we discuss the migrations?"
    assert Question(text).about == "migrations"
    assert Question(text, without=frozenset({"time"})).about == text


@pytest.mark.parametrize("many", [" ", ",", "; list items", "a ", "in ", "the order ", "over our past "])
def test_a_pasted_text_costs_no_more_than_it_is_long(many: str) -> None:
    started = time.process_time()
    for length in (1_900, 32_000):
        subject("in what order " + many * (length // len(many)) + ". In order, I say")
    assert time.process_time() - started < 1  # a minute, where blanks are gone through again and again
