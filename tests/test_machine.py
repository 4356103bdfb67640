"""One machine over the whole wiki: whatever is done to it, in whatever order, nothing is lost and the index agrees."""

import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import ClassVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from kit import ADA, PATIENCE, Clock, run_git
from memory_wiki.errors import BadPath, Clash
from memory_wiki.index.entries import Filter, PageEntry
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import Version
from memory_wiki.recall.recall import Question
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, at_head, in_history, on_disk, staged, versions
from toy import Toy, give, vectors

Pages = dict[str, bytes]
TITLES = ["Alpha", "alpha!", "Über uns", "日本語", "con", "index"]
PLACES = [
    *("Alpha.md", "alpha.md", "notes/Alpha.md", "global/notes/alpha.md", "archive/global/notes/alpha.md"),
    *("a b/c d.md", "日本/メモ.md", 'we"ird.md', "-x/LOG.MD"),
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
QUESTIONS = ["heading", "chose", "alpha", "more", "日本語", "über"]
WORD = re.compile(rb"\bzq[bdgkmp]{4}\b")

pick = st.integers(0, 30)
place = st.sampled_from(PLACES)
text = st.sampled_from(TEXTS)
how = st.sampled_from(["in place", "beside", "anew"])
there_are_pages = precondition(lambda self: bool(on_disk(self.root)))


class Machine(RuleBasedStateMachine):
    """A vault that is open three times, as by processes, one of which watches it and so looks only at pages in doubt.

    What is on disk when one is asked counts as written.
    """

    folders: ClassVar[Iterator[Path]]

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.root = make(next(self.folders), ADA, self.clock.now()).root
        self.wiki, self.other, self.third = self.opened(), self.opened(), self.opened()
        self.third.vault.watch()  # without the thread that would act on its own
        self.words = (b"zq" + "".join(letters).encode() for letters in itertools.product("bdgkmp", repeat=4))
        self.written: set[str] = set()
        self.todo = b""
        self.is_todo_staged = False
        self.is_unseen = False
        self.embedded: set[int] = set()

    def opened(self) -> Wiki:
        wiki = Wiki.open(self.root, self.root, ADA, self.clock.chance)
        give(wiki, Toy())
        return wiki

    def page(self, number: int) -> str:
        pages = sorted(on_disk(self.root))
        return pages[number % len(pages)]

    def noted(self) -> Pages:
        pages = on_disk(self.root)
        self.written |= set(versions(pages).values())
        return pages

    @invariant()
    def all_is_well(self) -> None:
        if self.is_unseen:
            return
        pages = self.noted()
        assert_agrees(self.wiki)
        assert in_history(self.root) >= self.written
        assert staged(self.root) == ({"todo.txt"} if self.is_todo_staged else set())
        self.find(pages, 2)
        assert vectors(self.wiki).lacking(self.embedded) == []
        assert self.wiki.vault.look() == self.other.vault.look() == self.third.vault.look()

    def find(self, pages: Pages, most: int) -> None:
        """The newest words are found in their pages."""
        places = sorted((word, path) for path, data in pages.items() for word in WORD.findall(data))
        for word, path in places[-most:]:
            hits = self.wiki.recall(Question(word.decode(), limit=100, budget=100_000)).found
            assert path in {name for hit in hits for name in (hit.path, *hit.copies)}, word

    def answers(self) -> tuple[list[PageEntry], list[set[tuple[Version, int, str]]]]:
        asked = [self.wiki.recall(Question(question, limit=100, budget=100_000)) for question in QUESTIONS]
        hits = [{(hit.version, hit.first_line, hit.text) for hit in answer.found} for answer in asked]
        return self.wiki.index.words.pages(Filter()), hits

    def teardown(self) -> None:
        self.look()
        self.all_is_well()
        self.find(on_disk(self.root), 100)
        kept = self.answers()
        self.wiki.reindex()
        assert self.answers() == kept
        assert set(run_git(self.root, "log", "--format=%s", "--", "todo.txt").split("\n")) <= {"mine", "all of it", ""}
        for wiki in (self.wiki, self.other, self.third):
            wiki.close()

    # A person at the folder

    @rule(place=place, text=text, how=how)
    def save(self, place: str, text: bytes, how: str) -> None:
        file = self.root / place
        file.parent.mkdir(parents=True, exist_ok=True)
        target = self.root / "saving.tmp" if how == "beside" else file
        if how == "anew":
            target.unlink(missing_ok=True)
        target.write_bytes(text % next(self.words))
        target.replace(file)
        self.is_unseen = True

    @there_are_pages
    @rule(pick=pick, text=text, how=how)
    def save_over(self, pick: int, text: bytes, how: str) -> None:
        self.save(self.page(pick), text, how)

    @there_are_pages
    @rule(pick=pick)
    def touch(self, pick: int) -> None:
        os.utime(self.root / self.page(pick))

    @there_are_pages
    @rule(pick=pick)
    def delete(self, pick: int) -> None:
        (self.root / self.page(pick)).unlink()
        self.is_unseen = True

    @there_are_pages
    @rule(pick=pick, place=place, added=st.sampled_from([b"", b"\nAnd so on\n"]))
    def rename(self, pick: int, place: str, added: bytes) -> None:
        source, target = self.root / self.page(pick), self.root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(source.read_bytes() + added)
        source.replace(target)  # also over another page, as `mv` does
        self.is_unseen = True

    @there_are_pages
    @rule(pick=pick)
    def swap(self, pick: int) -> None:
        one, other, spare = self.root / self.page(pick), self.root / self.page(pick + 1), self.root / "spare.tmp"
        one.rename(spare)
        if other.exists():
            other.rename(one)
        spare.rename(other)
        self.is_unseen = True

    # A person at git

    @rule()
    def stage_a_file(self) -> None:
        self.todo = next(self.words)
        (self.root / "todo.txt").write_bytes(self.todo)
        run_git(self.root, "add", "todo.txt")
        self.is_todo_staged = True

    @rule()
    def stage_everything(self) -> None:
        run_git(self.root, "add", "--all")
        self.look()  # what is staged and saved again before we look is for test_writers.py

    @precondition(lambda self: self.is_todo_staged)
    @rule()
    def commit_the_file(self) -> None:
        before = at_head(self.root)
        run_git(self.root, "commit", "--quiet", "--message=mine")
        assert at_head(self.root) == before
        assert run_git(self.root, "show", "HEAD:todo.txt").encode() == self.todo
        self.is_todo_staged = False

    @rule()
    def commit_everything(self) -> None:
        run_git(self.root, "add", "--all")
        run_git(self.root, "commit", "--quiet", "--allow-empty", "--message=all of it")
        self.is_todo_staged = False

    # The wiki

    @rule(title=st.sampled_from(TITLES), kind=st.sampled_from(["note", "session"]), project=st.sampled_from(["", "x"]))
    def remember(self, title: str, kind: str, project: str) -> None:
        body = f"It is {next(self.words).decode()}. [[alpha]]\n\n- [fact] one\n"
        before = self.noted()
        done = self.wiki.remember(Wish(Memory(body, title, kind), project))
        assert done.path not in before
        self.is_unseen = False

    @rule(titles=st.tuples(*[st.sampled_from(TITLES)] * 2), of_one=st.booleans())
    def remember_two_at_once(self, titles: tuple[str, str], *, of_one: bool) -> None:
        before, barrier = self.noted(), Barrier(2)
        wishes = [Wish(Memory(f"It is {next(self.words).decode()}.\n", title), "") for title in titles]

        def remember(wiki: Wiki, wish: Wish) -> str:
            barrier.wait(PATIENCE)
            return wiki.remember(wish).path

        with ThreadPoolExecutor(2) as pool:
            made = set(pool.map(remember, [self.wiki, self.wiki if of_one else self.other], wishes))
        assert on_disk(self.root).keys() - before.keys() == made
        assert len(made) == len(wishes)
        self.is_unseen = False

    @there_are_pages
    @rule(pick=pick)
    def edit(self, pick: int) -> None:
        path = self.page(pick)
        before = self.noted()[path]
        self.wiki.edit(path, (Append(f"More: {next(self.words).decode()}"),))
        assert on_disk(self.root)[path].startswith(before)
        self.is_unseen = False

    @there_are_pages
    @rule(pick=pick)
    def archive(self, pick: int) -> None:
        self.put(self.page(pick), self.wiki.archive)

    @there_are_pages
    @rule(pick=pick, place=place)
    def move(self, pick: int, place: str) -> None:
        self.put(self.page(pick), lambda path: self.wiki.move(path, place))

    def put(self, path: str, verb: Callable[[str], Written]) -> None:
        before = self.noted()
        try:
            done = verb(path)
        except (Clash, BadPath):
            assert on_disk(self.root) == before
        else:
            assert done.path in on_disk(self.root)
            assert done.path == path or (done.path not in before and path not in on_disk(self.root))
        self.is_unseen = False

    @there_are_pages
    @rule(pick=pick, which=pick)
    def restore(self, pick: int, which: int) -> None:
        self.bring_back(self.page(pick), which)

    @rule(pick=pick, which=pick)
    def restore_what_is_gone(self, pick: int, which: int) -> None:
        self.look()
        names = set(run_git(self.root, "log", "--name-only", "--format=", "-z").split("\0"))
        if gone := sorted(name for name in names - on_disk(self.root).keys() if name.lower().endswith(".md")):
            self.bring_back(gone[pick % len(gone)], which)

    def bring_back(self, path: str, which: int) -> None:
        before = self.noted()
        past = [entry.version for entry in self.wiki.log(path, None).versions if entry.version]
        version = past[which % len(past)]
        try:
            done = self.wiki.restore(path, version)
        except Clash:
            assert on_disk(self.root) == before
        else:
            assert versions(on_disk(self.root))[done.path] == done.version == version
        self.is_unseen = False

    @rule()
    def recall(self) -> None:
        before = self.noted()
        self.wiki.recall(Question("more"))
        assert on_disk(self.root) == before
        self.is_unseen = False

    @rule()
    def look(self) -> None:
        self.noted()
        self.wiki.catch_up()
        self.is_unseen = False

    @rule()
    def embed(self) -> None:
        """What is embedded stays so, whatever is done, until the index is dropped."""
        self.noted()
        self.wiki.embed()
        marks = self.wiki.index.words.marks()
        assert vectors(self.wiki).lacking(marks) == []
        self.embedded |= set(marks)
        self.is_unseen = False

    # What becomes of the machine

    @rule()
    def go_on_in_another_process(self) -> None:
        self.wiki, self.other, self.third = self.other, self.third, self.wiki

    @rule()
    def drop_the_index(self) -> None:
        shutil.rmtree(self.wiki.vault.own_folder / "index", ignore_errors=True)  # it may be gone already
        self.embedded.clear()

    @rule(meanwhile=st.sampled_from([lambda _: None, drop_the_index]))
    def restart(self, meanwhile: Callable[["Machine"], None]) -> None:
        watches = self.wiki.vault._watch is not None
        self.wiki.close()
        meanwhile(self)
        self.wiki = self.opened()
        if watches:
            self.wiki.vault.watch()

    @rule()
    def reindex(self) -> None:
        self.look()
        self.wiki.reindex()


def test_whatever_is_done_nothing_is_lost_and_the_index_agrees(tmp_path: Path) -> None:
    """Takes many seconds: each of a hundred steps and of the looks after it runs a dozen git processes."""
    Machine.folders = (tmp_path / str(number) for number in itertools.count())
    few = settings(max_examples=10, stateful_step_count=10, deadline=None, derandomize=True, database=None)
    run_state_machine_as_test(Machine, settings=settings(few, suppress_health_check=[HealthCheck.too_slow]))
