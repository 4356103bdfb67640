"""What the index is told of a passage: its words by field, its mark, the turns around it, and whether it asks on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from telling import ALL, entry, found, hits, take_in

from memory_wiki.index.entries import Entry
from memory_wiki.index.gist import gist, mark
from memory_wiki.index.kept import kept_hit
from memory_wiki.index.passages import passages
from memory_wiki.index.records import SHORT, prepared
from memory_wiki.index.words import Words

SAID = ["**Ada:** Which database?", "**Bob:** Postgres it is.", "**Ada:** Why?", "**Bob:** Two services write."]


def talk(*said: str, kind: str = "session") -> Entry:
    return entry("talk.md", f"---\ntype: {kind}\n---\n" + "".join(f"{one}\n\n" for one in said))


@pytest.fixture
def words(tmp_path: Path) -> Iterator[Words]:
    opened = Words.open(tmp_path / "words")
    yield opened
    opened.close()


def asks(words: Words, told: Entry) -> list[int]:
    take_in(words, told)
    return sorted(hit.ordinal for hit in words.requests(ALL, 10))


def test_a_mark_is_that_of_the_text_which_a_model_is_given() -> None:
    told = talk(*SAID)
    texts = [gist(told.page.title, passage) for passage in passages(told.page)]
    assert [record.mark for record in prepared(told).records] == [mark(text) for text in texts]
    assert len(set(texts)) == 4


def test_a_turn_knows_the_marks_of_those_before_and_after_it() -> None:
    marks = [record.mark for record in prepared(talk(*SAID)).records]
    around = [kept_hit(record.hit).around for record in prepared(talk(*SAID)).records]
    assert around == [(marks[1],), (marks[0], marks[2]), (marks[1], marks[3]), (marks[2],)]


@pytest.mark.parametrize("said", [talk(*SAID, kind="note"), entry("a.md", "# A\none\n# B\ntwo\n")])
def test_what_nobody_says_has_nothing_around_it(said: Entry) -> None:
    assert all(kept_hit(record.hit).around == () for record in prepared(said).records)
    assert all(record.terms["near"] == "" for record in prepared(said).records)


def test_what_stands_before_the_first_turn_is_around_none() -> None:
    first, second, *_ = prepared(talk("A talk.", *SAID)).records
    assert kept_hit(first.hit).around == ()
    assert len(kept_hit(second.hit).around) == 1


def test_a_short_turn_is_found_by_the_words_around_it_and_a_long_one_is_not(words: Words) -> None:
    long = f"**Ada:** {'Which one then? ' * (SHORT // 16)}"
    take_in(words, talk("**Ada:** Which database?", "**Bob:** Elephants.", "**Ada:** Fine.", "**Bob:** Good.", long))
    assert [hit.ordinal for hit in hits(words, "database")] == [0, 1]
    assert [hit.ordinal for hit in hits(words, "good")] == [3, 2]
    assert {hit.ordinal for hit in words.search(words.forms("good"), ALL, 9, ["body"])} == {3}


def test_words_of_a_turn_count_more_than_those_around_it(words: Words) -> None:
    take_in(words, talk(*SAID))
    ours, *others = hits(words, "postgres")
    assert (ours.ordinal, {hit.ordinal for hit in others}) == (1, {0, 2})
    assert all(hit.score < ours.score for hit in others)


def test_a_title_that_the_text_begins_with_is_no_title_in_words(words: Words) -> None:
    more = "Capped at twenty, they say, as more of them would cost us dearly."
    take_in(words, entry("Capped at twenty.md", more), entry("b.md", "# Redis\nA cache."))
    assert list(words.search(words.forms("capped"), ALL, 9, ["title"])) == []
    assert found(words, "capped") == ["Capped at twenty.md"]


def test_a_page_that_is_no_more_than_its_title_is_found_by_it(words: Words) -> None:
    take_in(
        words, entry("a.md", "The pool is capped at twenty."), entry("The pool.md", "Numbers that code depends on.")
    )
    assert found(words, "capped pool") == ["a.md", "The pool.md"]


def test_a_page_for_what_is_preferred_asks_once_from_now_on(words: Words) -> None:
    text = f"---\ntype: preference\n---\nUse tabs. {'Always so. ' * 120}\n\n## Why\n{'They are wide. ' * 90}\n"
    assert asks(words, entry("a.md", text)) == [0]


def test_who_asks_for_something_from_now_on_in_a_conversation_is_heard_and_a_model_is_not(words: Words) -> None:
    wish = "Always answer in French."
    assert asks(words, talk(f"**user:** {wish}", f"**assistant:** {wish}", "**user:** What else?")) == [0]


def test_a_text_that_asks_on_a_page_of_another_type_is_no_standing_request(words: Words) -> None:
    assert asks(words, entry("a.md", "Always answer in French.")) == []


def test_what_goes_on_with_a_long_turn_asks_for_nothing_by_itself(words: Words) -> None:
    long = f"**user:** {'The server is slow today. ' * 46}\n\nAs **they say:** Always answer in French."
    assert len(passages(talk(long).page)) == 2
    assert asks(words, talk(long, "**assistant:** Well.")) == []
