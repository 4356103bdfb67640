"""What becomes of the word index: updates, failures, restarts, other processes, damage."""

import logging
import shutil
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from tantivy import Index, SchemaBuilder
from telling import ALL, entry, found, hits, take_in

from memory_wiki.errors import IndexBroken
from memory_wiki.index.kept import Prepared
from memory_wiki.index.records import prepared
from memory_wiki.index.words import Words
from memory_wiki.page.path import PagePath, version_of


@pytest.fixture
def words(tmp_path: Path) -> Iterator[Words]:
    opened = Words.open(tmp_path / "words")
    yield opened
    opened.close()


def test_a_replaced_page_leaves_no_ghost(words: Words) -> None:
    long = "# A\nelephant\n" + "".join(f"## H{n}\nelephant {n}\n" for n in range(20))
    take_in(words, entry("a.md", long), entry("b.md", "elephant"))
    take_in(words, entry("a.md", "tiger"))
    assert found(words, "elephant") == ["b.md"]
    assert words.count() == (2, 2)
    assert words.have()[PagePath("a.md")] == version_of(b"tiger")
    assert words.named("a") == ("a.md",)


def test_a_page_that_is_gone_is_forgotten(words: Words) -> None:
    take_in(words, entry("a.md", "---\nlang: de\n---\ntext"), entry("b.md", "text"))
    words.update([PagePath("a.md"), PagePath("never.md")], [], lambda: "")
    assert found(words, "text") == ["b.md"]
    assert list(words.have()) == ["b.md"]
    assert words.page(PagePath("a.md")) is None
    assert words.languages() == frozenset()


def test_the_last_of_two_entries_of_a_page_holds(words: Words) -> None:
    take_in(words, entry("a.md", "one"), entry("a.md", "two"))
    assert words.count() == (1, 1)
    assert found(words, "two") == ["a.md"]


def test_the_index_survives_a_restart_and_is_seen_by_others_at_once(words: Words, tmp_path: Path) -> None:
    other = Words.open(tmp_path / "words")
    take_in(words, entry("a.md", "text"), marker="c0ffee \ud800 漢")
    assert other.marker == "c0ffee \ud800 漢"
    assert found(other, "text") == ["a.md"]
    other.close()


def test_an_update_that_fails_leaves_index_and_marker_as_they_were(words: Words) -> None:
    take_in(words, entry("a.md", "one"), marker="first")

    def breaks() -> Iterator[Prepared]:
        yield prepared(entry("a.md", "two"))
        raise OSError("the disk went away")

    with pytest.raises(OSError, match="went away"):
        words.update([PagePath("a.md")], breaks(), lambda: "second")
    assert (words.marker, found(words, "one"), found(words, "two")) == ("first", ["a.md"], [])
    take_in(words, entry("a.md", "three"), marker="third")
    assert (words.marker, words.count(), found(words, "three")) == ("third", (1, 1), ["a.md"])


def test_the_marker_is_asked_once_all_entries_are_through(words: Words) -> None:
    seen: list[str] = []

    def come() -> Iterator[Prepared]:
        seen.append("a")
        yield prepared(entry("a.md", ""))

    words.update([], come(), lambda: ",".join([*seen, "end"]))
    assert words.marker == "a,end"


def test_two_writers_at_once_are_told_apart(words: Words, tmp_path: Path) -> None:
    other = Words.open(tmp_path / "words")

    def come() -> Iterator[Prepared]:
        with pytest.raises(IndexBroken, match="try again"):
            take_in(other, entry("b.md", ""))
        yield prepared(entry("a.md", ""))

    words.update([], come(), lambda: "")
    assert list(words.have()) == ["a.md"]
    other.close()


def test_many_small_updates_do_not_pile_up_segments(words: Words, tmp_path: Path) -> None:
    for n in range(30):
        take_in(words, entry(f"{n}.md", "text"))
    assert words.count() == (30, 30)
    assert len(list((tmp_path / "words").glob("*.store"))) < 20


def test_a_new_index_is_empty(words: Words) -> None:
    assert (words.marker, words.have(), words.count(), words.languages()) == ("", {}, (0, 0), frozenset())
    assert found(words, "text") == []
    assert words.pages(ALL) == []


BREAKAGES = ["meta.json", ".managed.json", "*.store", "*.idx", "*.term", "*.fast"]


@pytest.mark.parametrize("pattern", BREAKAGES)
def test_a_folder_that_cannot_be_read_is_made_anew(
    tmp_path: Path, pattern: str, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "words"
    opened = Words.open(folder)
    take_in(opened, entry("a.md", "text"), marker="m")
    opened.close()
    for file in folder.glob(pattern):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with caplog.at_level(logging.WARNING):
        again = Words.open(folder)
    assert (again.marker, again.count()) == ("", (0, 0))
    assert "anew" in caplog.text
    take_in(again, entry("a.md", "text"))
    assert found(again, "text") == ["a.md"]
    again.close()


def test_an_index_of_another_schema_is_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "words"
    folder.mkdir()
    schema = SchemaBuilder()
    schema.add_text_field("keys_0")
    Index(schema.build(), path=str(folder))
    assert Words.open(folder).count() == (0, 0)


def test_damage_met_while_reading_says_how_to_mend_it(tmp_path: Path) -> None:
    folder = tmp_path / "words"
    opened = Words.open(folder)
    take_in(opened, entry("a.md", "text"))
    opened.close()
    (store,) = folder.glob("*.store")
    data = bytearray(store.read_bytes())
    data[0] ^= 0xFF
    store.write_bytes(data)
    with pytest.raises(IndexBroken, match="reindex"):
        hits(Words.open(folder), "text")


def test_a_folder_deleted_under_an_open_index_is_begun_again(words: Words, tmp_path: Path) -> None:
    take_in(words, entry("a.md", "text"), marker="m")
    shutil.rmtree(tmp_path / "words")
    assert (words.marker, words.have(), found(words, "text")) == ("", {}, [])
    shutil.rmtree(tmp_path / "words")
    take_in(words, entry("a.md", "text"), marker="again")
    assert (words.marker, found(words, "text", limit=10**18)) == ("again", ["a.md"])


def test_a_deleted_index_is_begun_again(tmp_path: Path) -> None:
    opened = Words.open(tmp_path / "words")
    take_in(opened, entry("a.md", "text"), marker="m")
    opened.close()
    Words.delete(tmp_path / "words")
    assert not (tmp_path / "words").exists()
    assert Words.open(tmp_path / "words").marker == ""


def test_an_index_built_at_once_answers_as_one_built_page_by_page(words: Words, tmp_path: Path) -> None:
    pages = [entry(f"{n}.md", " ".join(some)) for n, some in enumerate(permutations(["pool", "size", "no"], 2))]
    take_in(words, *pages)
    slowly = Words.open(tmp_path / "slowly")
    for page in pages:
        take_in(slowly, page)
    assert slowly.have() == words.have()
    assert set(found(slowly, "pool size", limit=50)) == set(found(words, "pool size", limit=50))
    slowly.close()
