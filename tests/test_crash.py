"""A power cut at every effect: reopened, caught up and asked again, the wiki is as if nothing had happened."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import ADA, Clock, run_git
from effects import Effects, PowerCut, effects
from proof import assert_agrees, at_head, in_history, on_disk, staged, versions

from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish

Pages = dict[str, bytes]
ALPHA, BETA, OWN = "global/notes/alpha.md", "global/notes/beta.md", "of a person.md"


@dataclass(frozen=True)
class Operation:
    """What is done, and to which pages it is done already: of what is left over from a crash, only the rest is asked for."""

    do: Callable[[Wiki], object]
    is_done: Callable[[Pages], bool]
    before: Callable[[Path], object] = lambda root: None
    least: int = 10
    """Effects that it has, so that a hook gone deaf shows."""


def wish(title: str, project: str = "") -> Wish:
    return Wish(Memory(f"All about {title}.", title=title), project)


def save_outside(root: Path) -> None:
    (root / "new.md").write_text("A new page\n", encoding="utf-8")
    (root / BETA).write_text("Beta, and nothing else\n", encoding="utf-8")
    (root / OWN).rename(root / "renamed.md")
    (root / ALPHA).unlink()


def remember_missing(wiki: Wiki) -> object:
    there = "\n".join(on_disk(wiki.vault.root))
    return wiki.remember_each([wish(title) for title in ("one", "two", "three") if f"/{title}.md" not in there])


OPERATIONS = {
    "remember": Operation(lambda wiki: wiki.remember(wish("gamma")), lambda pages: "global/notes/gamma.md" in pages),
    "remember in a new project": Operation(
        lambda wiki: wiki.remember(wish("gamma", "shop")), lambda pages: "projects/shop/notes/gamma.md" in pages
    ),
    "remember three": Operation(remember_missing, lambda pages: False),
    "edit": Operation(lambda wiki: wiki.edit(ALPHA, (Append("More."),)), lambda pages: b"More." in pages[ALPHA]),
    "move": Operation(lambda wiki: wiki.move(ALPHA, "global/notes/omega.md"), lambda pages: ALPHA not in pages),
    "archive": Operation(lambda wiki: wiki.archive(ALPHA), lambda pages: ALPHA not in pages),
    "restore": Operation(lambda wiki: wiki.restore(ALPHA, "HEAD~1"), lambda pages: b"Second" not in pages[ALPHA]),
    "restore a deleted page": Operation(lambda wiki: wiki.restore("gone"), lambda pages: "gone.md" in pages),
    "catch up": Operation(lambda wiki: wiki.catch_up(), lambda pages: False, save_outside, 4),
    "reindex": Operation(lambda wiki: wiki.reindex(), lambda pages: False),
}


def opened(root: Path) -> Wiki:
    """As a new process would open it, at the same time and with the same luck."""
    return Wiki.open(root, root, ADA, Clock(ids=iter(range(100, 1000))).chance)


@pytest.fixture
def base(root: Path, wiki: Wiki) -> Path:
    """Three pages, one that is gone, some history, and a file that a person has staged."""
    (root / OWN).write_text("Without front matter, see [[alpha]].\n", encoding="utf-8")
    (root / "gone.md").write_text("Not here any more\n", encoding="utf-8")
    wiki.remember_each([wish("alpha"), wish("beta")])
    wiki.edit(BETA, (Append("See [[alpha]] too."),))
    (root / "gone.md").unlink()
    wiki.catch_up()
    wiki.edit(ALPHA, (Append("Second thoughts."),))
    (root / "todo.txt").write_text("buy milk\n", encoding="utf-8")
    run_git(root, "add", "todo.txt")
    return root


@pytest.mark.parametrize("name", OPERATIONS)
def test_after_a_power_cut_at_any_effect_all_is_as_without_it(
    name: str, base: Path, effects: Effects, tmp_path: Path
) -> None:
    """Takes seconds: for each of some fifteen effects a vault is copied, broken, reopened, and looked at in full."""
    operation = OPERATIONS[name]
    operation.before(base)
    before, past = on_disk(base), in_history(base)
    whole = shutil.copytree(base, tmp_path / "whole")
    with opened(whole) as wiki, effects.counted() as happened:
        operation.do(wiki)
    total, after = len(happened), on_disk(whole)
    print(happened)
    assert total > operation.least
    for last in range(1, total + 1):
        root = shutil.copytree(base, tmp_path / f"cut {last}")
        wiki = opened(root)
        with pytest.raises(PowerCut), effects.counted(last):
            operation.do(wiki)
        wiki.vault.close()
        left = on_disk(root)
        assert set(left.values()) <= {*before.values(), *after.values()}
        with opened(root) as wiki:
            wiki.catch_up()
            if not operation.is_done(on_disk(root)):
                operation.do(wiki)
            assert_agrees(wiki)
        assert said(root) == said(whole), happened[last - 1]
        assert other_files(root) == other_files(whole)
        assert in_history(root) >= past | set(versions(left).values()) | set(versions(on_disk(root)).values())
        assert staged(root) == {"todo.txt"}, happened[last - 1]


def said(root: Path) -> Pages:
    """Pages without their ids and times, of which a second try makes others."""
    return {path: re.sub(rb"(?m)^(id|created): .*\n", b"", data) for path, data in on_disk(root).items()}


def other_files(root: Path) -> set[str]:
    return {
        file.relative_to(root).as_posix()
        for file in root.rglob("*")
        if ".git/" not in file.as_posix() and ".memory-wiki/" not in file.as_posix()
    }
