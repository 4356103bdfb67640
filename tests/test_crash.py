"""A power cut, a full disk, `kill -9`: reopened and asked again, the wiki is as if nothing had happened."""

import random
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

import pytest

from effects import Effects, watched
from kit import ADA, Clock, run_git, until
from memory_wiki.errors import Conflict, MemoryWikiError
from memory_wiki.page.change import Create, Plan, Replace
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.vault import tidy
from memory_wiki.vault.job import Applied, Job, Taken
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, in_history, on_disk, other_files, staged, versions
from watching import watcher

ALPHA, BETA, OWN = "global/notes/alpha.md", "global/notes/beta.md", "of a person.md"
GROUPED = "grouped.md"
THREE = ("one", "two", "three")


@dataclass(frozen=True)
class Operation:
    """What is asked for; who finds it done after a crash doesn't ask again."""

    do: Callable[[Wiki], object]
    is_done: Callable[[dict[str, bytes]], bool]
    before: Callable[[Path], None] = lambda _root: None
    effects: int = 11
    """At least: a hook gone deaf would let every test here pass."""


def wish(title: str, project: str = "") -> Wish:
    return Wish(Memory(f"All about {title}.", title=title), project)


def remember_the_missing(wiki: Wiki) -> None:
    there = on_disk(wiki.vault.root)
    wiki.remember_each([wish(title) for title in THREE if f"global/notes/{title}.md" not in there])


def save_outside(root: Path) -> None:
    (root / "new.md").write_text("A new page\n", encoding="utf-8")
    (root / BETA).write_text("Beta, and nothing else\n", encoding="utf-8")
    (root / OWN).rename(root / "renamed.md")
    (root / ALPHA).unlink()


def write_a_group(wiki: Wiki) -> None:
    """As for threads that write at once, one of them to a page that has moved on; and what follows."""
    pages = on_disk(wiki.vault.root)
    plans = [Plan("edit", "conflict", (Replace(PagePath(BETA), b"never\n", version_of(b"not so\n")),))]
    if GROUPED not in pages:
        plans.append(Plan("remember", "grouped", (Create(PagePath(GROUPED), b"Written in a group.\n"),)))
    for path in (ALPHA, OWN):
        if not pages[path].endswith(b"Of a group.\n"):
            change = Replace(PagePath(path), pages[path] + b"\nOf a group.\n", version_of(pages[path]))
            plans.append(Plan("edit", path, (change,)))
    first, *others = wiki.vault.write_each([Job(partial(_same, plan), ADA, wiki.chance.now()) for plan in plans])
    assert isinstance(first, Conflict)
    assert all(isinstance(each, Applied) for each in others)
    wiki._settle()


def _same(plan: Plan, _taken: Taken) -> Plan:
    return plan


OPERATIONS = {
    "remember": Operation(lambda wiki: wiki.remember(wish("gamma")), lambda pages: "global/notes/gamma.md" in pages),
    "remember in a new project": Operation(
        lambda wiki: wiki.remember(wish("gamma", "shop")), lambda pages: "projects/shop/notes/gamma.md" in pages
    ),
    "remember three": Operation(
        remember_the_missing, lambda pages: all(f"global/notes/{title}.md" in pages for title in THREE)
    ),
    "edit": Operation(lambda wiki: wiki.edit(ALPHA, (Append("More."),)), lambda pages: b"More." in pages[ALPHA]),
    "move": Operation(lambda wiki: wiki.move(ALPHA, "global/notes/omega.md"), lambda pages: ALPHA not in pages),
    "archive": Operation(lambda wiki: wiki.archive(ALPHA), lambda pages: ALPHA not in pages),
    "restore": Operation(lambda wiki: wiki.restore(ALPHA, "HEAD~1"), lambda pages: b"Second" not in pages[ALPHA]),
    "restore a deleted page": Operation(lambda wiki: wiki.restore("gone"), lambda pages: "gone.md" in pages),
    "catch up": Operation(lambda wiki: wiki.catch_up(), lambda _: False, save_outside, 5),
    "reindex": Operation(lambda wiki: wiki.reindex(), lambda _: False, effects=3),
    "write a group": Operation(
        write_a_group, lambda pages: GROUPED in pages and all(b"Of a group." in pages[path] for path in (ALPHA, OWN))
    ),
}


@pytest.fixture
def effects(monkeypatch: pytest.MonkeyPatch) -> Effects:
    return watched(monkeypatch)


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


def opened(root: Path) -> Wiki:
    """As a process opens it that has the luck and the time that the others had."""
    return Wiki.open(root, root, ADA, Clock(ids=iter(range(100, 1000))).chance)


def said(root: Path) -> dict[str, bytes]:
    """Pages without their ids and times, of which a second try makes others."""
    return {path: re.sub(rb"(?m)^(id|created): .*\n", b"", data) for path, data in on_disk(root).items()}


@pytest.mark.parametrize("name", OPERATIONS)
def test_after_a_power_cut_at_any_effect_all_is_as_without_it(
    name: str, base: Path, effects: Effects, tmp_path: Path
) -> None:
    """Takes seconds: for each of some fifteen effects a vault is copied, stopped, reopened, and looked at in full."""
    operation = OPERATIONS[name]
    operation.before(base)
    before, past = on_disk(base), in_history(base)
    whole = shutil.copytree(base, tmp_path / "whole")
    with opened(whole) as wiki, effects.counted() as happened:
        operation.do(wiki)
    assert len(happened) >= operation.effects
    texts = {*before.values(), *on_disk(whole).values()}
    for number, what in enumerate(tuple(happened), 1):
        root = shutil.copytree(base, tmp_path / f"cut {number}")
        doomed = opened(root)
        with effects.cut(number):
            operation.do(doomed)
        left = on_disk(root)
        assert texts.issuperset(left.values()), f"half a page, cut at {what}"
        with opened(root) as wiki:
            wiki.catch_up()
            if not operation.is_done(on_disk(root)):
                operation.do(wiki)
            assert_agrees(wiki)
        assert said(root) == said(whole), f"cut at {what}"
        assert other_files(root) == other_files(whole), f"cut at {what}"
        assert in_history(root) >= {*past, *versions(left).values()}, f"lost, cut at {what}"
        assert "todo.txt" in staged(root)


def test_a_power_cut_between_commit_and_gits_index_leaves_nothing_of_ours_staged(base: Path, effects: Effects) -> None:
    with opened(base) as wiki:
        wiki.catch_up()
        with effects.counted() as happened:
            wiki.edit(ALPHA, (Append("More."),))
    doomed = opened(base)
    with effects.cut(happened.index("git update-index") + 1):
        doomed.edit(ALPHA, (Append("Even more."),))
    with opened(base) as wiki:
        wiki.catch_up()
        assert staged(base) == {"todo.txt"}  # else a person's next commit takes our text back


def test_a_power_cut_while_packs_are_put_together_loses_nothing(
    base: Path, effects: Effects, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tidy, "PACKS", 1)
    past = in_history(base)
    with opened(shutil.copytree(base, tmp_path / "whole")) as wiki, effects.counted() as happened:
        wiki.vault.settle()
    assert "git repack" in happened
    for number, what in enumerate(tuple(happened), 1):
        root = shutil.copytree(base, tmp_path / f"cut {number}")
        doomed = opened(root)
        until(lambda: not doomed.vault._repository.is_busy_behind())  # noqa: B023 - with the packs of the one before
        with effects.cut(number):
            doomed.vault.settle()
        with opened(root) as wiki:
            assert_agrees(wiki)
        assert in_history(root) >= past, f"cut at {what}"


@pytest.mark.parametrize("name", ["remember", "edit", "reindex"])
def test_a_disk_that_fails_once_is_an_error_of_ours_and_the_same_wiki_goes_on(
    name: str, base: Path, effects: Effects, tmp_path: Path
) -> None:
    """Takes seconds, as above."""
    operation = OPERATIONS[name]
    whole = shutil.copytree(base, tmp_path / "whole")
    with opened(whole) as wiki, effects.counted() as happened:
        operation.do(wiki)
    bare: list[str] = []
    for number, what in enumerate(tuple(happened), 1):
        root = shutil.copytree(base, tmp_path / f"full {number}")
        with opened(root) as wiki:
            try:
                with effects.failing(number):
                    operation.do(wiki)
            except MemoryWikiError:
                pass
            except OSError:
                bare.append(what)
            assert_agrees(wiki)
            if not operation.is_done(on_disk(root)):
                operation.do(wiki)
        assert said(root) == said(whole), f"failed at {what}"
    assert bare == []


BATCHES = """
import sys
from pathlib import Path
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish

root = Path(sys.argv[1])
with Wiki.open(root, root) as wiki:
    for batch in range(1000):
        wishes = [Wish(Memory(f"Text {n} of batch {batch}.\\n" * 500), "") for n in range(20)]
        for written in wiki.remember_each(wishes):
            print(written.path, written.version, flush=True)
"""

REINDEX = """
import sys
from pathlib import Path
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.listener import Listener

class Loud(Listener):
    def progress(self, done, total):
        print(done, total, flush=True)

root = Path(sys.argv[1])
with Wiki.open(root, root) as wiki:
    wiki.tell(Loud())
    while True:
        wiki.reindex()
"""


def killed(script: str, root: Path, lines: int) -> list[str]:
    """What a process said before `kill -9`, which comes right after so many lines."""
    with subprocess.Popen([sys.executable, "-c", script, str(root)], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        heard = [child.stdout.readline() for _ in range(lines)]
        child.kill()
        heard += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    return [line for line in heard if line.endswith("\n")]


@pytest.mark.parametrize("lines", [20, 45])
def test_kill_9_amid_a_batch_loses_nothing_that_was_acknowledged(lines: int, root: Path, wiki: Wiki) -> None:
    """Takes a second: Python starts, and tens of pages are synced to the disk."""
    acknowledged = dict(line.split() for line in killed(BATCHES, root, lines))
    assert len(acknowledged) >= lines
    assert_agrees(wiki)
    pages = on_disk(root)
    assert versions(pages).items() >= acknowledged.items()
    assert in_history(root) >= set(acknowledged.values())
    assert all(re.search(r"\n---\n(Text \d+ of batch \d+\.\n)\1{499}\Z", data.decode()) for data in pages.values())
    assert staged(root) == set()
    wiki.remember(wish("and on it goes"))  # no lock is left


@pytest.mark.parametrize("lines", [1, 30])
def test_kill_9_amid_a_reindex_leaves_an_index_that_the_next_command_completes(
    lines: int, root: Path, wiki: Wiki
) -> None:
    """Takes a second: Python starts."""
    wiki.remember_each([wish(f"number {number}") for number in range(40)])
    killed(REINDEX, root, lines)
    assert_agrees(wiki)
    with opened(root) as again:
        assert_agrees(again)
        again.remember(wish("and on it goes"))


THREADS = """
import os, sys
from pathlib import Path
from threading import Thread
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish

def write(wiki, thread):
    for n in range(1000):
        done = wiki.remember(Wish(Memory(f"Text {n} of thread {thread}.\\n" * 50, title=f"{thread} {n}"), ""))
        os.write(1, f"{done.path} {done.version}\\n".encode())

root = Path(sys.argv[1])
with Wiki.open(root, root) as wiki:
    wiki.watch()
    threads = [Thread(target=write, args=(wiki, number)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
WHOLE = re.compile(r"(\A|\n---\n)(Text \d+ of \w+ \d+\.\n)\2{49}\Z")


def assert_all_is_well(wiki: Wiki) -> None:
    """Each page is whole, and came in one commit; and on it goes."""
    root = wiki.vault.root
    assert_agrees(wiki)
    assert all(WHOLE.search(data.decode()) for data in on_disk(root).values())
    touched = Counter(touch.path for commit in wiki.vault.history.log() for touch in commit.touched)
    assert {path: touched[path] for path in on_disk(root)} == dict.fromkeys(on_disk(root), 1)
    assert not [found for found in wiki.check().found if found.problem.level == "error"]
    assert staged(root) == set()
    wiki.remember(wish("and on it goes"))
    assert_agrees(wiki)


@pytest.mark.parametrize("seed", range(8))
def test_kill_9_amid_threads_that_write_together_loses_nothing_that_was_acknowledged(
    seed: int, root: Path, wiki: Wiki
) -> None:
    """Takes a second: Python starts."""
    lines = random.Random(seed).randint(1, 150)  # noqa: S311 - no secret
    acknowledged = dict(line.split() for line in killed(THREADS, root, lines))
    assert len(acknowledged) >= lines
    wiki.catch_up()
    assert versions(on_disk(root)).items() >= acknowledged.items()
    assert_all_is_well(wiki)


@pytest.mark.parametrize("seed", range(8))
def test_kill_9_of_a_watch_that_commits_what_was_saved_leaves_nothing_half_done(
    seed: int, root: Path, wiki: Wiki, tmp_path: Path
) -> None:
    """Takes a second: Python starts, and at some moment of the next it is killed."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    with watcher(root, tmp_path / "said") as command:
        for number in range(300):
            place = root / f"{number % 7}" / f"{number}.md"
            place.parent.mkdir(exist_ok=True)
            (root / "saving.tmp").write_text(f"Text 1 of number {number}.\n" * 50, encoding="utf-8")
            (root / "saving.tmp").replace(place)
        Event().wait(chance.uniform(0, 1.2))
        command.process.kill()
    wiki.catch_up()
    assert len(on_disk(root)) == 300
    assert_all_is_well(wiki)
