"""What must hold in any state a repository is in: the verbs work, or say why not and leave all as it was."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kit import run_git, until
from memory_wiki.errors import MemoryWikiError
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.recall.recall import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, files, on_disk

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become someone else, or give a file away")

WALRUS = "walrus.md"
"""The page that was there before the state came about."""


def wish(title: str) -> Wish:
    return Wish(Memory(f"All about the {title}.", title=title), "")


def save(root: Path, **files: str) -> None:
    """As an editor does, in a folder that is there."""
    for name, text in files.items():
        (root / f"{name}.md").write_text(text, encoding="utf-8")


def commit(root: Path, **files: str) -> str:
    """By the person; gives the commit."""
    save(root, **files)
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message=by hand")
    return run_git(root, "rev-parse", "HEAD")


@dataclass(frozen=True)
class Theirs:
    """What is the person's and none of our business: where they are, what they staged, files that are no pages."""

    branch: str
    staged: str
    files: dict[str, bytes]


def theirs(root: Path) -> Theirs:
    top, git_folder = map(Path, run_git(root, "rev-parse", "--show-toplevel", "--absolute-git-dir").splitlines())
    pages = {root / path for path in on_disk(root)}
    found = {path: top / path for path in files(top) if top / path not in pages}
    branch = (git_folder / "HEAD").read_text(encoding="utf-8")
    return Theirs(
        branch if branch.startswith("ref:") else "detached",
        run_git(top, "diff", "--cached", "--raw", "--no-abbrev"),
        {path: file.read_bytes() for path, file in found.items() if file.is_file() and not file.is_symlink()},
    )


def watched(wiki: Wiki) -> Wiki:
    assert wiki.watch() == ""
    return wiki


def is_brought_along(wiki: Wiki) -> bool:
    """Whether git's index has all that was committed, and knows the files."""
    wiki.vault.bringing.settle()
    return not list(wiki.vault.own_folder.glob("unstaged.jsonl*"))


def found(wiki: Wiki, word: str) -> list[str]:
    """The pages that a recall of this word quotes."""
    return [hit.path for hit in wiki.recall(Question(word)).hits]


def assert_verbs_work(wiki: Wiki) -> None:
    """A page is written, edited by us and by hand, deleted by hand and restored; nothing of the person's changes."""
    until(lambda: is_brought_along(wiki))
    root, before = wiki.vault.root, theirs(wiki.vault.root)
    path = wiki.remember(wish("narwhal")).path
    assert found(wiki, "narwhal") == [path]
    wiki.edit(path, (Append("It dives with an orca."),))
    text = (root / path).read_bytes()
    (root / path).write_bytes(text + b"Seen by hand, beside a beluga.\n")
    until(lambda: wiki.catch_up().left == "")  # a busy machine may need another look
    assert found(wiki, "beluga") == [path]
    (root / path).unlink()
    assert wiki.restore(path).path == path
    assert (root / path).read_bytes() == text + b"Seen by hand, beside a beluga.\n"
    assert len(wiki.log(path, None).versions) == 5
    until(lambda: is_brought_along(wiki))
    assert theirs(root) == before


def assert_all_is_well(wiki: Wiki) -> None:
    assert_verbs_work(wiki)
    assert_agrees(wiki)


def assert_writes_are_refused(wiki: Wiki, error: type[MemoryWikiError], said: str) -> None:
    """Every write is refused with this answer and changes nothing; what is on disk is found all the same."""
    root = wiki.vault.root
    save(root, seal="A seal, saved by hand.\n")
    wiki.catch_up()
    before, pages, head = theirs(root), on_disk(root), wiki.vault.history.head()
    writes: list[Callable[[], Written]] = [
        lambda: wiki.remember(wish("narwhal")),
        lambda: wiki.edit("seal.md", (Append("More."),)),
        lambda: wiki.move("seal.md", "moved-seal.md"),
    ]
    for write in writes:
        with pytest.raises(error, match=said):
            write()
    assert found(wiki, "seal") == ["seal.md"]
    assert wiki.read("seal.md").page.data == pages["seal.md"]
    assert (theirs(root), on_disk(root), wiki.vault.history.head()) == (before, pages, head)
