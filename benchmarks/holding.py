"""How a process holds a vault open while it is measured. Imports little, for its memory is measured too."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_wiki.page.change import Actor
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki

ADA = Actor("ada", "claude-code", "benchmark")


@contextmanager
def serving(root: Path) -> Iterator[Wiki]:
    """A wiki as a server holds it: open, watching the folder, and past its first recall."""
    with Wiki.open(root, root, ADA) as wiki:
        wiki.watch()
        _warm(wiki)
        yield wiki


@contextmanager
def alone(root: Path) -> Iterator[Wiki]:
    """A wiki that is open and past its first recall, and asks git what changed before each answer."""
    with Wiki.open(root, root, ADA) as wiki:
        _warm(wiki)
        yield wiki


HELD = {"watching": serving, "not watching": alone}


def _warm(wiki: Wiki) -> None:
    wiki.recall(Question("what is the limit of the queue", project=""))
