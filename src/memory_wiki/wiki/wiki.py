"""Wiki: one vault, its index and who is asking, and what can be done with them.

Each verb that reads catches up with the folder first, so no answer is about a page as it was, and writes no page. A
verb that writes looks at what it touches. Effects go page, commit, index. What a recall does not need is imported by
the verbs that do.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from memory_wiki.errors import (
    BadInput,
    PageNotFound,
)
from memory_wiki.index.entries import Filter
from memory_wiki.index.index import Progress, Proof, silent
from memory_wiki.page.change import Actor
from memory_wiki.page.path import new_page_path, page_path
from memory_wiki.page.place import archived, is_archived
from memory_wiki.recall.answer import Answer, Question
from memory_wiki.recall.recall import recall
from memory_wiki.vault.locate import open_vault
from memory_wiki.wiki.about import with_projects
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.changing import refuse_instructions
from memory_wiki.wiki.sessions import Sessions

if TYPE_CHECKING:
    from memory_wiki.page.page import Page
    from memory_wiki.wiki.answers import Commits, Diff, Life, Pages, Reading, Report, Status, Timeline, Written
    from memory_wiki.wiki.remembering import Wish


class Wiki(Sessions):
    """An open vault; use it in a `with`, or close it."""

    @staticmethod
    def open(root: Path, here: Path, actor: Actor | None = None, chance: Chance | None = None) -> "Wiki":
        """Raises `VaultNotFound` for a folder that is no vault, `VaultTooNew`, `BadConfig`."""
        return Wiki(open_vault(root), here, actor, chance)

    def remember(self, wish: "Wish") -> "Written":
        """Writes a new page; never over another one. Durable when this returns, and found by the next recall."""
        from memory_wiki.wiki.writing import remember

        return remember(self, wish)

    def remember_each(self, wishes: "Sequence[Wish]", told: Progress = silent) -> "tuple[Written, ...]":
        """Writes new pages, one commit each; all are durable, and found by recall, when this returns.

        Raises `BadMemory` with nothing written. A failure of git or the disk leaves the groups that `told` counted.
        """
        from memory_wiki.wiki.writing import remember_each

        return remember_each(self, wishes, told)

    def recall(self, question: Question) -> Answer:
        """Passages that answer, quoted from the files as they are now."""
        self.catch_up()
        project = self.project if question.project is None else question.project
        asked = replace(question, project=project)
        budget = question.budget or self.vault.config.budget
        now = self.chance.now().astimezone()
        words, read = self.index.words, self.vault.read
        answer = recall(asked, budget, words, read, now, self.senses(asked))
        if self.behind:
            answer = replace(answer, missing=(("what changed last", self.behind), *answer.missing))
        if answer.is_filtered_out:
            return replace(answer, unmet=self._unmet(asked.filter))
        return with_projects(answer, words, read)

    def embed(self) -> int:
        """Gives every passage that has none its vector; gives how many. Raises `ModelNotFound`, `ModelBroken`."""
        self.catch_up()
        return self.embed_now(lambda: True)

    def timeline(self, topic: str, wanted: Filter, limit: int) -> "Timeline":
        """What happened, the oldest first: pages by when they were created, or the passages about a topic."""
        from memory_wiki.wiki.timeline import timeline_of

        if not topic.strip():  # else recall does
            self.catch_up()
        found = timeline_of(topic, wanted, limit, self.index.words, self.recall)
        return found if found.moments else replace(found, unmet=self._unmet(replace(wanted, by_own_time=True)))

    def read(self, name: str, at: str = "") -> "Reading":
        """A page by path, id, title or alias, as it is or, with `at`, as it was at a version, commit or date."""
        from memory_wiki.wiki.answers import Reading
        from memory_wiki.wiki.versions import page_of

        self.catch_up()
        if not at:
            return Reading(self._page(self._find(name)), None)
        past = self._at(self._find_even_gone(name), at)
        return Reading(page_of(self.vault, past), past)

    def pages(self, wanted: Filter, limit: int | None) -> "Pages":
        """Pages by path."""
        from memory_wiki.wiki.answers import Pages

        self.catch_up()
        found = tuple(self.index.words.pages(wanted, limit))
        return Pages(found, () if found else self._unmet(wanted))

    def recent(self, wanted: Filter, limit: int) -> "Pages":
        """Pages by when they last changed, the newest first."""
        from memory_wiki.wiki.answers import Pages

        self.catch_up()
        found = tuple(self.index.words.newest(wanted, limit))
        return Pages(found, () if found else self._unmet(wanted))

    def log(self, name: str, limit: int | None) -> "Life":
        """A page's versions, newest first, under whatever names it had, also when it is gone."""
        from memory_wiki.vault.past import versions_of
        from memory_wiki.wiki.answers import Life

        self.catch_up()
        path = self._find_even_gone(name)
        return Life(path, tuple(islice(versions_of(self.vault.history, path), limit)))

    def log_all(self, limit: int | None) -> "Commits":
        """The vault's commits, newest first."""
        from memory_wiki.wiki.answers import Commits

        self.catch_up()
        return Commits(tuple(self.vault.history.log(limit=limit)))

    def diff(self, name: str, old: str = "", new: str = "") -> "Diff":
        """What changed between two versions: by default since the one before, and up to the page as it is."""
        from memory_wiki.wiki.versions import diff_of

        self.catch_up()
        path = self._find_even_gone(name)
        return diff_of(self.vault, path, (old, new), self.chance.now().astimezone())

    def restore(self, name: str, to: str = "") -> "Written":
        """Brings an old version back on top, as a new commit; without `to`, a page gone or archived as it was last."""
        from memory_wiki.lifecycle import restore
        from memory_wiki.wiki.answers import Written
        from memory_wiki.wiki.versions import last_past, page_of

        self.catch_up()
        path = self._find_even_gone(name)
        refuse_instructions(path)
        if not to and self.vault.exists(path) and not is_archived(path):
            raise BadInput(f"{path} is there; say which version with --to: `memory-wiki log {path}` lists them")
        past = self._at(path, to) if to else last_past(self.vault, path)
        old = page_of(self.vault, past)
        now = self._page(path) if self.vault.exists(path) else None
        around = self._around(now or old, restore.place(old, now))
        plan = restore.plan(restore.Old(old, past.commit.id), now, *around)
        if plan is None:
            return Written("restore", path, old.title, old.version, "")
        return self._do(plan)

    def move(self, name: str, to: str) -> "Written":
        """Gives a page another path, and re-points the links that would otherwise lose it."""
        from memory_wiki.lifecycle import move
        from memory_wiki.wiki.answers import Written

        self.catch_up()
        page = self._page(self._find(name))
        folder = f"{to.rstrip('/')}/" if to.endswith("/") or self.vault.is_folder(to) else ""
        target = page_path(f"{folder}{page.path.rpartition('/')[2]}") if folder else new_page_path(to)
        if target == page.path:
            return Written("move", page.path, page.title, page.version, "")
        self._refuse_taken(page, target)
        return self._do(move.plan(page, target, *self._around(page, target)))

    def archive(self, name: str) -> "Written":
        """Puts a page away, where it is found last and marked; nothing is deleted."""
        from memory_wiki.lifecycle import move
        from memory_wiki.wiki.answers import Written

        self.catch_up()
        page = self._page(self._find(name))
        if page.status == "archived" and is_archived(page.path):
            return Written("archive", page.path, page.title, page.version, "")
        self._refuse_taken(page, archived(page.path))
        return self._do(move.archive(page, *self._around(page, archived(page.path))))

    def check(self) -> "Report":
        """What is wrong with pages, links, names and settings. Reads every page."""
        from memory_wiki.wiki.answers import Report
        from memory_wiki.wiki.checking import check_pages, check_vault

        seen = self.catch_up().seen
        paths = sorted(self.vault.pages(seen).keys() - seen.unreadable.keys())
        pages: list[Page] = []
        for done, path in enumerate(paths, 1):
            with suppress(PageNotFound):  # left out by a sparse checkout, or gone just now
                pages.append(self._read(path))
            self.listener.progress(done, len(paths))
        return Report(len(pages), (*check_vault(self.vault, seen), *check_pages(pages)))

    def prove(self) -> Proof:
        """Whether file, HEAD and index have each page in the same version. Reads every page, and trusts no cache."""
        return self.index.prove(self.catch_up().seen)

    def status(self) -> "Status":
        """Where one stands, and what is not as it should be."""
        from memory_wiki.wiki.checking import status_of

        caught = self.catch_up()
        return status_of(self.vault, self.index, caught, self.project, self.meaning)

    def reindex(self) -> int:
        """Builds the index anew from the pages; gives how many. Who recalls meanwhile finds what the old one has."""
        self._keep_outside()
        return len(self.index.rebuild(self.listener.progress).come)
