"""A new memory that speaks against a page is written, and the page is named; nothing is decided."""

from dataclasses import replace
from pathlib import Path

import pytest

from kit import run_git
from memory_wiki.page.against import How
from memory_wiki.page.edit import SetKey
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Rival, Written
from memory_wiki.wiki.remembering import Wish

CAPPED = "The pool is capped at 20 connections."


def said(wiki: Wiki, text: str, project: str | None = None, type: str = "fact", title: str = "") -> Written:  # noqa: A002
    return wiki.remember(Wish(Memory(text, title, type), project, once=True))


def test_the_page_that_says_otherwise_is_named_with_what_it_says_and_both_stay_as_they_are(wiki: Wiki) -> None:
    first = said(wiki, f"Measured under load.\n\n- [decision] {CAPPED} ^d1", title="Pool size")
    new = said(wiki, "The pool is capped at 30 connections.")
    rival = Rival(first.path, "Pool size", first.version, CAPPED, How.VALUE)
    assert (new.contradicts, bool(new.commit)) == ((rival,), True)
    assert wiki.read(first.path).page.version == first.version
    assert first.contradicts == ()


@pytest.mark.parametrize("is_indexed", [True, False])
def test_it_is_told_whether_the_index_knows_the_page_or_not_yet(wiki: Wiki, is_indexed: bool) -> None:
    said(wiki, "Something else, so that all is caught up with.")
    first = said(wiki, CAPPED)
    if is_indexed:
        wiki.catch_up()
    assert [rival.path for rival in said(wiki, "The pool isn't capped at 20 connections.").contradicts] == [first.path]


def test_a_page_that_a_person_wrote_counts_as_it_is_on_disk(wiki: Wiki) -> None:
    page = wiki.vault.root / "pool.md"
    page.write_text(f"{CAPPED} The queue is capped at 5 messages.", encoding="utf-8")
    assert [rival.path for rival in said(wiki, "The pool is capped at 30 connections.", "").contradicts] == ["pool.md"]
    page.write_text("The queue has no cap.", encoding="utf-8")
    assert said(wiki, "The queue is capped at 40 messages.", "").contradicts == ()


def test_what_holds_for_all_projects_counts_and_what_holds_in_another_one_does_not(wiki: Wiki) -> None:
    everywhere = said(wiki, CAPPED, "")
    said(wiki, "The queue is capped at 20 messages.", "elsewhere")
    assert [each.path for each in said(wiki, "The pool is capped at 5 connections.", "shop").contradicts] == [
        everywhere.path
    ]
    assert said(wiki, "The queue is capped at 5 messages.", "shop").contradicts == ()


@pytest.mark.parametrize("status", ["superseded", "archived"])
def test_what_holds_no_more_is_contradicted_by_nothing(wiki: Wiki, status: str) -> None:
    first = said(wiki, CAPPED)
    wiki.edit(first.path, (SetKey("status", status),))
    assert said(wiki, "The pool is capped at 30 connections.").contradicts == ()


@pytest.mark.parametrize(("old", "new"), [("session", "fact"), ("fact", "session"), ("log", "log")])
def test_what_tells_what_went_on_contradicts_nothing(wiki: Wiki, old: str, new: str) -> None:
    said(wiki, CAPPED, type=old)
    assert said(wiki, "The pool is capped at 30 connections.", type=new).contradicts == ()


def test_of_many_at_once_each_is_compared_with_the_others_and_with_what_was_there(wiki: Wiki) -> None:
    there = said(wiki, CAPPED)
    texts = ["The pool is capped at 30 connections.", "Deploys run at night.", "Deploys never run at night."]
    one, two, three = wiki.remember_each([Wish(Memory(text, type="fact"), once=True) for text in texts])
    assert [rival.path for rival in one.contradicts] == [there.path]
    assert [rival.path for rival in two.contradicts] == [three.path]
    assert [rival.path for rival in three.contradicts] == [two.path]


def test_no_more_than_three_are_named(wiki: Wiki) -> None:
    for number in range(5):
        said(wiki, f"The pool is capped at {number} connections.")
    assert len(said(wiki, CAPPED).contradicts) == 3


def test_what_is_not_asked_for_once_is_written_without_a_look(wiki: Wiki) -> None:
    said(wiki, CAPPED)
    assert wiki.remember(Wish(Memory("The pool is capped at 30 connections.", type="fact"))).contradicts == ()


def test_a_page_that_is_gone_from_disk_is_passed_over(wiki: Wiki) -> None:
    first = said(wiki, CAPPED)
    wiki.catch_up()
    Path(wiki.vault.root / first.path).unlink()
    new = said(wiki, "The pool is capped at 30 connections.")
    assert replace(new, contradicts=()) == new
    assert run_git(wiki.vault.root, "log", "-1", "--format=%s").startswith("remember")
