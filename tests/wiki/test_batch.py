"""A batch so large that other processes take part: it is as if each memory had been written alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kit import ADA, run_git, until
from memory_wiki.errors import BadMemory
from memory_wiki.index.children import MANY
from memory_wiki.page.memory import Memory
from memory_wiki.recall.recall import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish


@pytest.fixture
def serving(root: Path) -> Iterator[Wiki]:
    with Wiki.open(root, root, ADA) as wiki:
        wiki.watch()
        yield wiki


def name(number: int) -> str:
    """A word that no other memory says, and no id of a fact, which may hold any digits."""
    return "w" + "".join("abcdefghij"[int(digit)] for digit in str(number))


def memory(number: int) -> Memory:
    said = f"Walrus {name(number)} sleeps on floe {number * 7}.\n\n- [fact] It is asleep"
    return Memory(said, title=f"Walrus {number % 700}")


def test_a_large_batch_is_a_commit_and_a_page_each_that_recall_finds_while_others_edit(serving: Wiki) -> None:
    root = serving.vault.root
    held: list[bool] = []

    def told(_done: int, _total: int) -> None:
        held.append(bool(serving._background and serving._background._holders))

    written = serving.remember_each([Wish(memory(number), "floes") for number in range(MANY)], told)
    assert all(held)
    assert serving._background
    assert not serving._background._holders
    (root / "by hand.md").write_text("narwhals dive deep\n", encoding="utf-8")
    assert len({done.path for done in written}) == MANY
    subjects = run_git(root, "log", "--format=%s", "--reverse", "--grep=^remember").splitlines()
    assert subjects == [f"remember: Walrus {number % 700}" for number in range(MANY)]
    for number in (0, 699, MANY - 1):
        hits = serving.recall(Question(name(number), project="")).hits
        assert len(hits) == 1, hits
        (hit,) = hits
        assert hit.path == written[number].path
        assert f"floe {number * 7}." in hit.text
    assert "^f" in (root / written[-1].path).read_text(encoding="utf-8")
    assert serving.recall(Question("narwhals", project="")).hits
    assert not serving.prove().differing
    until(lambda: not run_git(root, "status", "--porcelain"))


def test_one_bad_memory_of_a_large_batch_is_told_and_nothing_is_written(serving: Wiki) -> None:
    before = run_git(serving.vault.root, "rev-parse", "HEAD")
    wishes = [Wish(memory(number)) for number in range(MANY)]
    wishes[700] = Wish(Memory(""))
    with pytest.raises(BadMemory) as told:
        serving.remember_each(wishes)
    assert told.value.number == 700
    assert run_git(serving.vault.root, "rev-parse", "HEAD") == before
    assert not serving.recall(Question("walrus", project="")).hits
