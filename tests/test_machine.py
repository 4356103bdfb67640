"""One machine over the whole wiki: whatever is done to it, and by whom, its promises hold.

Real git, real tantivy, real files. A run is some twenty histories of ten steps, each step some dozen git
processes: that is what its seconds are.
"""

import itertools
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import ADA, Clock, run_git
from hypothesis import settings, Phase
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from proof import assert_agrees, at_head, in_history, on_disk, staged, versions

from memory_wiki.errors import Clash
from memory_wiki.index.entries import Filter
from memory_wiki.page.edit import Append, SetKey
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import page_path
from memory_wiki.recall.recall import Question
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish

TITLES = ["Alpha", "alpha!", "Über uns", "日本語", "con", "index"]
TYPES = ["note", "decision", "session", "person"]
PLACES = [
    "Alpha.md",
    "alpha.md",
    "notes/Alpha.md",
    "global/notes/alpha.md",
    "archive/global/notes/alpha.md",
    "a b/c d.md",
    "日本/メモ.md",
    "-x/LOG.MD",
]
TEXTS = [
    b"We chose %s.\n",
    b"# A heading\n\n- [fact] The pool is %s #limits (since:: 2026-11-30)\n\nSee [[alpha]].\n",
    b"---\ntitle: A title # why\ntags: [one, two]\n---\nA person wrote %s.\n",
    b"---\nid: 01JDZ6Q9V3000000000000000A\ntitle: With an id\n---\nAbout %s.\n",
    b"---\ntitle: [broken\n---\nStill %s is found.\n",
    b"\xef\xbb\xbf---\r\ntitle: From Windows\r\n---\r\nIt says %s\r\nand has no end",
    b"\xff\xfe is not UTF-8, and %s is.\n",
]
SAVES = ["in place", "beside", "unlink"]
WORD = re.compile(rb"\bzq[bdgkmp]{4}\b")

pick = st.integers(0, 30)
texts = st.sampled_from(TEXTS)


def unique_words() -> Iterator[bytes]:
    return (b"zq" + "".join(letters).encode() for letters in itertools.product("bdgkmp", repeat=4))


class Machine(RuleBasedStateMachine):
    folders: Iterator[Path]

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.root = make(next(self.folders), ADA, self.clock.now()).root
        self.wiki = self.open()
        self.words = unique_words()
        self.written: set[str] = set()
        self.todo = b""
        self.is_staged = False
        self.is_pending = False

    def open(self) -> Wiki:
        return Wiki.open(self.root, self.root, ADA, self.clock.chance)

    # What a person does in the folder, seen by nobody until the next verb

    @rule(place=st.sampled_from(PLACES), text=texts, how=st.sampled_from(SAVES))
    def save_outside(self, place: str, text: bytes, how: str) -> None:
        self.save(place, text % next(self.words), how)

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick, text=texts, how=st.sampled_from(SAVES))
    def save_over(self, pick: int, text: bytes, how: str) -> None:
        self.save(self.page(pick), text % next(self.words), how)

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick)
    def touch(self, pick: int) -> None:
        os.utime(self.root / self.page(pick))

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick)
    def delete_outside(self, pick: int) -> None:
        (self.root / self.page(pick)).unlink()
        self.is_pending = True

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick, place=st.sampled_from(PLACES), addition=st.sampled_from([b"", b"\nmore\n"]))
    def rename_outside(self, pick: int, place: str, addition: bytes) -> None:
        """Also over another page, as `mv` does."""
        source, target = self.root / self.page(pick), self.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)
        with target.open("ab") as file:
            file.write(addition)
        self.is_pending = True

    @precondition(lambda self: len(on_disk(self.root)) > 1)
    @rule(pick=pick)
    def swap_outside(self, pick: int) -> None:
        one, other = self.root / self.page(pick), self.root / self.page(pick + 1)
        spare = one.with_suffix(".tmp")
        one.rename(spare)
        other.rename(one)
        spare.rename(other)
        self.is_pending = True

    # What a person does in git

    @rule()
    def stage_a_file(self) -> None:
        self.todo = next(self.words)
        (self.root / "todo.txt").write_bytes(self.todo)
        run_git(self.root, "add", "todo.txt")
        self.is_staged = True

    @rule()
    def stage_everything(self) -> None:
        """And the wiki looks before they go on: what is staged and changed again is for `test_writers`."""
        self.note()
        run_git(self.root, "add", "--all")
        self.follow()

    @precondition(lambda self: self.is_staged)
    @rule()
    def commit_the_file(self) -> None:
        run_git(self.root, "commit", "--quiet", "--message=mine")
        self.is_staged = False
        if not self.is_pending:
            assert at_head(self.root) == versions(on_disk(self.root)), "a person's commit took a page of ours back"

    @precondition(lambda self: self.is_pending)
    @rule()
    def commit_everything(self) -> None:
        run_git(self.root, "add", "--all")
        run_git(self.root, "commit", "--quiet", "--allow-empty", "--message=all of it")
        self.is_staged = False

    # What the wiki does

    @rule(title=st.sampled_from(TITLES), type_=st.sampled_from(TYPES), project=st.sampled_from(["", "shop"]))
    def remember(self, title: str, type_: str, project: str) -> None:
        text = f"It is {next(self.words).decode()}. [[alpha]]\n\n- [fact] one\n"
        before = self.note()
        done = self.wiki.remember(Wish(Memory(text, title=title, type=type_), project))
        assert done.path not in before
        self.follow()

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick)
    def edit(self, pick: int) -> None:
        self.note()
        self.wiki.edit(self.page(pick), (Append(f"More: {next(self.words).decode()}"),))
        self.follow()

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick)
    def archive(self, pick: int) -> None:
        self.move_or_clash(lambda path: self.wiki.archive(path), self.page(pick), None)

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick, place=st.sampled_from(PLACES))
    def move(self, pick: int, place: str) -> None:
        self.move_or_clash(lambda path: self.wiki.move(path, place), self.page(pick), place)

    def move_or_clash(self, verb, path, place) -> None:
        before = self.note()
        try:
            done = verb(path)
        except Clash:
            assert versions(on_disk(self.root)) == versions(before)
        else:
            assert done.path in on_disk(self.root)
            if done.path != path:
                assert done.path not in before
                assert path not in on_disk(self.root)
        self.follow()

    @precondition(lambda self: on_disk(self.root))
    @rule(pick=pick, which=pick)
    def restore(self, pick: int, which: int) -> None:
        self.note()
        path = self.page(pick)
        past = [entry for entry in self.wiki.log(path, None).versions if entry.version]
        self.bring_back(path, past[which % len(past)].version)

    @rule(which=pick)
    def restore_what_is_gone(self, which: int) -> None:
        self.note()
        self.wiki.catch_up()
        names = run_git(self.root, "log", "--name-only", "--format=", "-z").split("\0")
        gone = sorted({name for name in names if name.endswith(".md")} - on_disk(self.root).keys())
        if gone:
            path = gone[which % len(gone)]
            past = [entry for entry in self.wiki.log(path, None).versions if entry.version]
            self.bring_back(path, past[which % len(past)].version)

    def bring_back(self, path: str, version: str) -> None:
        try:
            done = self.wiki.restore(path, version)
        except Clash:
            return
        assert done.version == version
        assert versions(on_disk(self.root))[done.path] == version
        self.follow()

    @rule()
    def recall(self) -> None:
        before = self.note()
        self.find(before)
        assert versions(on_disk(self.root)) == versions(before)
        self.follow()

    @rule()
    def look(self) -> None:
        self.note()
        self.follow()

    # What becomes of the machine

    @rule()
    def restart(self) -> None:
        self.wiki.close()
        self.wiki = self.open()

    @rule()
    def drop_the_index_while_closed(self) -> None:
        self.wiki.close()
        shutil.rmtree(self.wiki.vault.own_folder / "index")
        self.wiki = self.open()

    @precondition(lambda self: not os.environ.get("NODROP"))
    @rule()
    def drop_the_index_while_open(self) -> None:
        shutil.rmtree(self.wiki.vault.own_folder / "index")

    # What always holds

    @invariant()
    def all_is_well(self) -> None:
        if self.is_pending:
            return
        assert_agrees(self.wiki)
        assert not self.written - in_history(self.root)
        assert staged(self.root) == ({"todo.txt"} if self.is_staged else set())
        if self.todo:
            assert (self.root / "todo.txt").read_bytes() == self.todo
        self.find(on_disk(self.root))

    def teardown(self) -> None:
        self.follow()
        self.all_is_well()
        pages, answers = self.state()
        self.wiki.reindex()
        assert self.state() == (pages, answers)
        for line in run_git(self.root, "log", "--format=%H %s", "--", "todo.txt").splitlines():
            assert line[41:] in {"mine", "all of it"}
        self.wiki.close()

    # The means

    def state(self):
        pages = self.wiki.index.words.pages(Filter())
        questions = ["heading", "chose", "alpha", "More", "日本語"]
        answers = [self.wiki.recall(Question(text, budget=20_000, limit=100)) for text in questions]
        return pages, [sorted((hit.path, hit.first_line, hit.text, hit.version) for hit in a.hits) for a in answers]

    def find(self, pages: dict[str, bytes]) -> None:
        words = {path: found.decode() for path, data in pages.items() for found in WORD.findall(data)}
        for path, word in list(words.items())[-3:]:
            hits = self.wiki.recall(Question(word, limit=30, budget=20_000)).hits
            assert path in {name for hit in hits for name in (hit.path, *hit.copies)}, (path, word)

    def page(self, pick: int) -> str:
        pages = sorted(on_disk(self.root))
        return pages[pick % len(pages)]

    def save(self, place: str, data: bytes, how: str) -> None:
        file = self.root / place
        self.is_pending = True
        file.parent.mkdir(parents=True, exist_ok=True)
        if how == "beside":
            file.with_suffix(".tmp").write_bytes(data)
            file.with_suffix(".tmp").replace(file)
            return
        if how == "unlink":
            file.unlink(missing_ok=True)
        file.write_bytes(data)

    def note(self) -> dict[str, bytes]:
        """What is on disk when the wiki is asked for something must not be lost from then on."""
        found = on_disk(self.root)
        self.written |= set(versions(found).values())
        return found

    def follow(self) -> None:
        self.wiki.catch_up()
        self.note()
        self.is_pending = False


def test_whatever_is_done_nothing_is_lost_and_the_index_agrees(tmp_path: Path) -> None:
    Machine.folders = (tmp_path / str(number) for number in itertools.count())
    run_state_machine_as_test(Machine, settings=PROFILE)


PROFILE = settings(
    max_examples=int(os.environ.get("N", 20)),
    stateful_step_count=int(os.environ.get("S", 10)),
    deadline=None,
    derandomize=not os.environ.get("R"),
    report_multiple_bugs=False,
    phases=[Phase.generate] if os.environ.get("R") else list(Phase),
    database=None,
)
