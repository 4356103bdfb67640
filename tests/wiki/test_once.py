"""What a page says already is not written again, where it is wanted once."""

from pathlib import Path

import pytest

from kit import ADA, Clock, run_git
from memory_wiki.page.edit import Append, SetKey
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.remembering import Wish

TEXT = "We chose Postgres.\n\n- [decision] Orders live in Postgres"


def once(wiki: Wiki, text: str, project: str | None = None, **given: object) -> Written:
    return wiki.remember(Wish(Memory(text, **given), project, once=True))  # type: ignore[arg-type]


def test_the_same_words_again_are_answered_by_their_page(wiki: Wiki) -> None:
    first = once(wiki, TEXT)
    head = run_git(wiki.vault.root, "rev-parse", "HEAD")
    again = once(wiki, "> we chose **postgres**\n* [decision] Orders live in Postgres.\n")
    assert again == Written("remember", first.path, first.title, first.version, "", repeats=first.path)
    assert run_git(wiki.vault.root, "rev-parse", "HEAD") == head
    assert first.repeats is None


def test_without_once_a_second_page_is_written(wiki: Wiki) -> None:
    once(wiki, TEXT)
    assert wiki.remember(Wish(Memory(TEXT))).commit


@pytest.mark.parametrize(
    ("text", "project", "given"),
    [
        (f"{TEXT} 16", None, {}),
        ("Postgres chose we.", None, {}),
        (TEXT, "shop", {}),
        (TEXT, None, {"type": "decision"}),
        (TEXT, None, {"title": "What we chose in May"}),
        (TEXT, None, {"links": ("Somewhere",)}),
        (TEXT, None, {"tags": ("db",)}),
        (TEXT, None, {"pinned": True}),
        (TEXT, None, {"since": "2026-11-30"}),
        (TEXT, None, {"until": "2026-12-31"}),
    ],
)
def test_other_words_another_project_or_type_or_a_title_that_says_more_are_new(
    wiki: Wiki, text: str, project: str | None, given: dict[str, object]
) -> None:
    once(wiki, TEXT)
    assert once(wiki, text, project, **given).commit


def test_a_title_that_says_no_more_than_the_page_is_a_repeat(wiki: Wiki) -> None:
    first = once(wiki, TEXT)
    assert once(wiki, TEXT, title="Orders in Postgres").repeats == first.path


@pytest.mark.parametrize("status", ["active", "disputed", "superseded", "archived"])
def test_only_a_page_that_still_holds_is_repeated(wiki: Wiki, status: str) -> None:
    first = once(wiki, TEXT)
    wiki.edit(first.path, (SetKey("status", status),))
    assert (once(wiki, TEXT).repeats == first.path) == (status in {"active", "disputed"})


def test_a_page_in_the_archive_or_changed_by_hand_is_not_repeated(wiki: Wiki) -> None:
    wiki.archive(once(wiki, TEXT).path)
    second = once(wiki, TEXT)
    assert second.commit
    wiki.edit(second.path, (Append("More."),))
    third = once(wiki, TEXT)
    assert third.commit
    (wiki.vault.root / third.path).write_text("other\n", encoding="utf-8")
    assert once(wiki, TEXT).commit


def test_a_page_written_by_hand_is_repeated(wiki: Wiki) -> None:
    (wiki.vault.root / "global").mkdir()
    page = wiki.vault.root / "projects" / "shop" / "notes" / "by hand.md"
    page.parent.mkdir(parents=True)
    page.write_text("---\ntype: note\n---\n# we chose postgres\r\n", encoding="utf-8")
    assert once(wiki, "We chose Postgres.", "shop").repeats == "projects/shop/notes/by hand.md"


def test_what_another_process_has_just_written_is_repeated(root: Path, wiki: Wiki, clock: Clock) -> None:
    once(wiki, "first")
    with Wiki.open(root, root, ADA, clock.chance) as other:
        done = once(other, TEXT)
    assert once(wiki, TEXT).repeats == done.path


def test_many_in_a_row_are_told_apart_without_indexing_each(wiki: Wiki) -> None:
    once(wiki, "before")
    wiki.catch_up()
    known = wiki.index.words.marker
    paths = {once(wiki, f"memory {n % 7}").path for n in range(21)}
    assert len(paths) == 7
    assert wiki.index.words.marker == known
    assert wiki.remember(Wish(Memory("linked", links=("memory 3",)))).commit
    assert wiki.index.words.marker != known


def test_a_memory_that_was_changed_right_after_it_was_written_is_not_repeated(wiki: Wiki) -> None:
    once(wiki, "before")
    first = once(wiki, TEXT)
    (wiki.vault.root / first.path).write_text(f"{TEXT} 16\n", encoding="utf-8")
    assert once(wiki, TEXT).commit
    second = once(wiki, "---\nstatus: superseded\n---\nof old")
    assert once(wiki, "of old").path != second.path


def test_in_a_batch_each_is_compared_with_pages_and_with_those_before_it(wiki: Wiki) -> None:
    there = once(wiki, "one")
    texts = ["two", "One", "TWO", "three", "two"]
    wishes = [Wish(Memory(text), once=text != "three") for text in texts]
    done = wiki.remember_each([*wishes[:-1], Wish(Memory("two"))])
    assert [each.repeats for each in done] == [None, there.path, done[0].path, None, None]
    assert [bool(each.commit) for each in done] == [True, False, False, True, True]
    assert done[2].version == done[0].version
    assert len({each.path for each in done}) == 4


def test_a_batch_that_says_nothing_new_writes_nothing(wiki: Wiki) -> None:
    there = once(wiki, "one")
    done = wiki.remember_each([Wish(Memory("one"), once=True)] * 3)
    assert [each.repeats for each in done] == [there.path] * 3


def test_a_memory_of_nothing_but_a_title_is_told_by_it(wiki: Wiki) -> None:
    first = once(wiki, "", title="Only this")
    assert once(wiki, " ", title="only THIS").repeats == first.path
    assert once(wiki, "", title="Not only this").commit
