"""What speaks against what: by pairs of statements that a team writes down, and by what must hold for any text."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki.index.analyze import stem
from memory_wiki.page.against import How, against
from memory_wiki.page.statement import Statement, statements

CONTRADICT = [
    ("The pool is capped at 20 connections.", "The pool is capped at 30 connections.", How.VALUE),
    ("The API runs on port 8080.", "The API runs on port 9090.", How.VALUE),
    ("Retries wait for 30 s.", "Retries now wait for 45 s.", How.VALUE),
    ("Python 3.11 is the minimum version.", "Python 3.12 is the minimum version.", How.VALUE),
    ("The release is on Tuesday.", "The release is on Friday.", How.VALUE),
    ("Webhooks are retried five times", "Webhooks are retried three times", How.VALUE),
    ("Tests run against Postgres 14.2.", "Tests run against Postgres 16.1.", How.VALUE),
    ("Uploads are limited to 4 MiB.", "Uploads are limited to 10 MiB per file.", How.VALUE),
    ("Orders are kept in Postgres.", "Orders are kept in MySQL.", How.VALUE),
    ("We use Postgres for orders", "We use MySQL for orders", How.VALUE),
    ("The build server is called Hydra.", "The build server is called Gecko.", How.VALUE),
    ("The default branch is `main`.", "The default branch is `trunk`.", How.VALUE),
    ("Feature flags are enabled in staging", "Feature flags are disabled in staging", How.OPPOSITE),
    ("The migration is required before the release.", "The migration is optional before the release.", How.OPPOSITE),
    ("Use tabs for indentation.", "Use spaces for indentation.", How.OPPOSITE),
    ("Enable the cache in CI.", "Disable the cache in CI.", How.OPPOSITE),
    ("The endpoint is public.", "The endpoint is private.", How.OPPOSITE),
    ("This driver is supported.", "This driver is unsupported.", How.OPPOSITE),
    ("We log request bodies.", "We never log request bodies.", How.DENIED),
    ("The cache is shared between pods.", "The cache isn't shared between pods.", How.DENIED),
    ("Orders are kept in Postgres.", "Orders are no longer kept in Postgres.", How.DENIED),
    ("The billing service owns invoices", "The billing service doesn't own invoices", How.DENIED),
    ("Wir loggen keine Anfragen mit Namen.", "Wir loggen Anfragen mit Namen.", How.DENIED),
    ("Мы храним заказы в очереди.", "Мы не храним заказы в очереди.", How.DENIED),
    ("La limite est de 20 connexions par client", "La limite est de 30 connexions par client", How.VALUE),
]
BOTH_MAY_HOLD = [
    ("Step 3 takes 30 s.", "Step 4 takes 30 s."),
    ("The API runs on port 8080.", "The worker runs on port 9090."),
    ("The API uses Postgres.", "The worker uses Postgres."),
    ("p50 is 10 ms.", "p99 is 30 ms."),
    ("Release 2.1 took 30 s to build.", "Release 2.2 took 40 s to build."),
    ("We use ruff in CI.", "We use pytest in CI."),
    ("The cache is shared between pods.", "The cache is warmed at start."),
    ("Issue 12 is fixed.", "Issue 13 is fixed."),
    ("The pool is capped at 20 connections.", "The queue is capped at 30 messages."),
    ("The build is slow.", "The build is broken."),
    ("Never commit secrets.", "Never log secrets."),
    ("The login page is tested.", "The logout page is tested."),
    ("Public endpoints need a token.", "Private endpoints need a token."),
    ("The staging database is called orders_stage.", "The production database is called orders_prod."),
    ("Use tabs in Makefiles.", "Use spaces in Python."),
    ("Ada works on the parser.", "Ada works on the lexer."),
    ("The test needs 2 workers.", "The benchmark needs 4 workers."),
    ("We do not use Redis for sessions.", "We use Redis for rate limits."),
    ("Orders are kept in Postgres.", "Orders are kept in Postgres."),
    ("Retries wait for 30 s.", "Is it so that retries wait for 45 s?"),
    ("Retries wait for 30 s.", "~~Retries wait for 45 s.~~"),
    ("Retries wait for 30 s.", "- [fact] Retries wait for 45 s (until:: 2026-05-01)"),
    ("Retries wait for 30 s (see #12).", "Retries wait for 30 s (see #13)."),
    ("# The pool is capped at 20", "# The pool is capped at 30"),
    ("Publish to Vercel", "Publish to GitHub"),
    ("| pool | capped at 20 |", "| pool | capped at 30 |"),
]


def stated(text: str) -> list[Statement]:
    return [*statements(text, partial(stem, language="en"))]


def between(one: str, other: str) -> set[How | None]:
    """What is told of the statements of two texts, in both directions."""
    pairs = [(a, b) for a in stated(one) for b in stated(other)]
    return {against(*pair) for pair in (*pairs, *((b, a) for a, b in pairs))}


@pytest.mark.parametrize(("one", "other", "how"), CONTRADICT)
def test_statements_that_can_not_both_hold_are_told(one: str, other: str, how: How) -> None:
    assert between(one, other) == {how}


@pytest.mark.parametrize(("one", "other"), BOTH_MAY_HOLD)
def test_statements_that_may_both_hold_are_not(one: str, other: str) -> None:
    assert between(one, other) <= {None}


def test_a_text_states_its_sentences_and_facts_without_their_marks() -> None:
    text = "# Pool\n\nIt is capped. Why 20?\n\n- [decision] The cap is 20 ^d1\n```\ncap = 30\n```\n"
    assert [each.text for each in stated(text)] == ["It is capped.", "The cap is 20 ^d1"]
    assert [each.values for each in stated(text)] == [(), ("20",)]


SAID = "the pool is not capped at 20 30 Postgres MySQL never in `main` enabled disabled . - ^d1"
WORDS = st.sampled_from([*SAID.split(), "\n"])


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=12))
def test_it_is_the_same_in_both_directions_and_nothing_speaks_against_itself(
    ours: list[str], theirs: list[str]
) -> None:
    for one in stated(" ".join(ours)):
        assert against(one, one) is None
        for other in stated(" ".join(theirs)):
            assert against(one, other) == against(other, one)


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    for one in stated(text):
        assert against(one, one) is None
