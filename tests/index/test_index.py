"""The index follows the pages, whatever became of them, and can be proven equal."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from kit import ADA, Clock, run_git
from memory_wiki.index import words
from memory_wiki.recall.recall import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.listener import Listener


def found(wiki: Wiki, question: str) -> list[str]:
    return [hit.path for hit in wiki.recall(Question(question)).hits]


def check_equal(wiki: Wiki) -> None:
    assert all(row.file == row.index for row in wiki.prove().differing)
    assert wiki.index.words.have() == wiki.vault.pages(wiki.vault.look())


def test_pages_added_edited_renamed_and_deleted_by_hand_are_found_as_they_are(wiki: Wiki) -> None:
    file = wiki.vault.root / "a.md"
    file.write_text("about walruses\n", encoding="utf-8")
    assert found(wiki, "walruses") == ["a.md"]
    file.write_text("about zebras\n", encoding="utf-8")
    assert (found(wiki, "walruses"), found(wiki, "zebras")) == ([], ["a.md"])
    file.rename(wiki.vault.root / "b.md")
    assert found(wiki, "zebras") == ["b.md"]
    (wiki.vault.root / "b.md").unlink()
    assert found(wiki, "zebras") == []
    check_equal(wiki)


def test_what_git_brings_is_followed(wiki: Wiki) -> None:
    root = wiki.vault.root
    run_git(root, "checkout", "-q", "-b", "side")
    (root / "side.md").write_text("a walrus on a branch\n", encoding="utf-8")
    assert found(wiki, "walrus") == ["side.md"]
    run_git(root, "checkout", "-q", "main")
    assert found(wiki, "walrus") == []
    run_git(root, "merge", "-q", "side")
    assert found(wiki, "walrus") == ["side.md"]
    run_git(root, "reset", "-q", "--hard", "HEAD^")
    assert found(wiki, "walrus") == []
    check_equal(wiki)


def test_history_rewritten_under_the_index_is_followed(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "a.md").write_text("a walrus\n", encoding="utf-8")
    wiki.catch_up()
    run_git(root, "checkout", "-q", "--orphan", "fresh")
    run_git(root, "commit", "-q", "-m", "all anew")
    run_git(root, "branch", "-q", "-D", "main")
    run_git(root, "reflog", "expire", "--expire=now", "--all")
    run_git(root, "gc", "-q", "--prune=now")
    assert found(wiki, "walrus") == ["a.md"]
    check_equal(wiki)


def test_an_index_deleted_under_an_open_wiki_comes_back(root: Path, clock: Clock) -> None:
    (root / "a.md").write_text("a walrus\n", encoding="utf-8")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        assert found(wiki, "walrus") == ["a.md"]
    shutil.rmtree(root / ".memory-wiki")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        assert found(wiki, "walrus") == ["a.md"]
        check_equal(wiki)


@pytest.mark.parametrize("setting", ["merge", "commit_outside_edits = false\n"])
def test_edits_that_stay_uncommitted_are_found_all_the_same(root: Path, clock: Clock, setting: str) -> None:
    if setting == "merge":
        (root / ".git" / "MERGE_HEAD").write_text(run_git(root, "rev-parse", "HEAD") + "\n", encoding="utf-8")
    else:
        (root / "memory-wiki.toml").write_text(setting, encoding="utf-8")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        head = run_git(root, "rev-parse", "HEAD")
        for text in ("one walrus\n", "two zebras\n", "three walruses\n"):
            (root / "a.md").write_text(text, encoding="utf-8")
            assert found(wiki, text) == ["a.md"]
            check_equal(wiki)
        (root / "a.md").unlink()
        assert found(wiki, "walrus") == []
        check_equal(wiki)
        assert run_git(root, "rev-parse", "HEAD") == head


def test_author_and_date_of_a_page_are_those_of_its_last_commit(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "a.md").write_text("a walrus\n", encoding="utf-8")
    run_git(root, "add", "a.md")
    run_git(root, "-c", "user.name=Grace", "commit", "-q", "-m", "by Grace", "--date=2020-02-03T04:05:06Z")
    wiki.catch_up()
    entry = wiki.index.words.page(next(iter(wiki.vault.pages(wiki.vault.look()))))
    assert entry is not None
    assert (entry.author, f"{entry.changed:%Y-%m-%d}") == ("Grace <ada@example.org>", "2020-02-03")


def test_a_second_process_sees_what_the_first_wrote(root: Path, clock: Clock) -> None:
    with Wiki.open(root, root, ADA, clock.chance) as one, Wiki.open(root, root, ADA, clock.chance) as other:
        (root / "a.md").write_text("a walrus\n", encoding="utf-8")
        assert found(one, "walrus") == ["a.md"]
        assert found(other, "walrus") == ["a.md"]
        (root / "a.md").write_text("a zebra\n", encoding="utf-8")
        assert found(other, "zebra") == ["a.md"]
        assert found(one, "walrus") == []


def test_who_reads_while_the_index_is_built_anew_finds_all_of_it(wiki: Wiki, root: Path, clock: Clock) -> None:
    """Takes seconds: threads of this wiki and of another one read while it is rebuilt some times."""
    for number in range(5):
        (root / f"{number}.md").write_text(f"walrus {number}\n", encoding="utf-8")
    wiki.catch_up()
    done = Event()

    def read(by: Wiki) -> set[int]:
        counts = {len(found(by, "walrus"))}
        while not done.is_set():
            counts.add(len(found(by, "walrus")))
        return counts

    with Wiki.open(root, root, ADA, clock.chance) as other, ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(read, by) for by in (wiki, wiki, wiki, other)]
        try:
            assert [wiki.reindex() for _ in range(8)] == [5] * 8
        finally:
            done.set()
        assert [reader.result() for reader in readers] == [{5}] * 4
    check_equal(wiki)


def damage(wiki: Wiki, pattern: str) -> None:
    for file in wiki.index.folder.glob(pattern):
        data = file.read_bytes()
        file.unlink()  # a file that is open stays as it was for who has it open
        file.write_bytes(bytes(byte ^ 0xFF for byte in data))


@pytest.mark.parametrize("pattern", ["meta.json", "*.store", "*.idx", "*.term", "*.fast"])
def test_a_reindex_mends_an_index_that_was_damaged_while_open(wiki: Wiki, pattern: str) -> None:
    (wiki.vault.root / "a.md").write_text("a walrus\n", encoding="utf-8")
    assert found(wiki, "walrus") == ["a.md"]
    damage(wiki, pattern)
    assert wiki.reindex() == 1
    assert found(wiki, "walrus") == ["a.md"]
    assert [place.name for place in wiki.index.folder.parent.iterdir()] == ["words"]
    with Wiki.open(wiki.vault.root, wiki.vault.root) as other:
        assert found(other, "walrus") == ["a.md"]
        check_equal(other)


@pytest.mark.parametrize("pattern", ["meta.json", "*.store", "*.idx", "*.term", "*.fast", "*"])
def test_answers_go_on_with_an_index_that_was_damaged_while_open(wiki: Wiki, pattern: str) -> None:
    (wiki.vault.root / "a.md").write_text("a walrus\n", encoding="utf-8")
    assert found(wiki, "walrus") == ["a.md"]
    damage(wiki, pattern)
    assert found(wiki, "walrus") == ["a.md"]
    (wiki.vault.root / "b.md").write_text("a zebra\n", encoding="utf-8")
    assert [found(wiki, word) for word in ("walrus", "zebra")] == [["a.md"], ["b.md"]]
    check_equal(wiki)


class Impatient(Listener):
    """Presses Ctrl-C at the third page."""

    def progress(self, done: int, _total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_long_first_build_that_was_stopped_is_taken_up_where_it_was(
    root: Path, clock: Clock, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "STEP", 2)
    for number in range(5):
        (root / f"{number}.md").write_text(f"walrus {number}\n", encoding="utf-8")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        wiki.tell(Impatient())
        with pytest.raises(KeyboardInterrupt):
            wiki.catch_up()
        assert wiki.index.words.count()[0] == 2
    (root / "memory-wiki.toml").write_text(f'language = "{language}"\n', encoding="utf-8")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        done = len(wiki.index.follow(wiki.vault.look()).come)
        assert done == (3 if language == "en" else 5)
        check_equal(wiki)
        assert not wiki.index.follow(wiki.vault.look())


def test_a_long_update_that_was_stopped_misses_nothing_that_changes_back_before_the_next(
    root: Path, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was indexed by then is of no commit, so that git alone can't tell what differs from it."""
    (root / "memory-wiki.toml").write_text("commit_outside_edits = false\n", encoding="utf-8")
    for number in range(5):
        (root / f"{number}.md").write_text(f"walrus {number}\n", encoding="utf-8")
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message=walruses")
    wiki.catch_up()
    monkeypatch.setattr(words, "STEP", 2)
    with Wiki.open(root, root) as other:
        other.tell(Impatient())
        for number in range(5):
            (root / f"{number}.md").write_text(f"zebra {number}\n", encoding="utf-8")
        with pytest.raises(KeyboardInterrupt):
            other.catch_up()
        run_git(root, "checkout", "--quiet", ".")
    assert len(found(wiki, "walrus")) == 5
    assert found(wiki, "zebra") == []
    check_equal(wiki)
