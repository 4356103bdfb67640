"""Wiki: one vault, its index and who is asking, and what can be done with them.

Each verb catches up with the folder first, so no answer is about a page as it was; no verb that reads
writes a page. Effects go page, commit, index.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile, islice
from pathlib import Path
from types import TracebackType
from typing import Self

from memory_wiki import config
from memory_wiki.errors import BadInput, Broken, Conflict, VaultBusy, VaultNotFound
from memory_wiki.index.entries import Filter
from memory_wiki.index.index import Difference, Index, Progress
from memory_wiki.lifecycle import move, restore
from memory_wiki.page.change import Actor, Move, Plan, Replace
from memory_wiki.page.edit import Edit, edited
from memory_wiki.page.links import Named
from memory_wiki.page.page import Page, parse
from memory_wiki.page.path import PagePath, folded, page_path, stem
from memory_wiki.page.place import archived, is_archived
from memory_wiki.recall.recall import Answer, Question, recall
from memory_wiki.vault.past import Past, versions_of
from memory_wiki.vault.vault import Applied, Vault
from memory_wiki.wiki.answers import CaughtUp, Commits, Diff, Life, Pages, Reading, Report, Status, Written
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.checking import check_pages, check_vault, status_of
from memory_wiki.wiki.difference import unified
from memory_wiki.wiki.find import find, find_even_gone
from memory_wiki.wiki.project import standing_at
from memory_wiki.wiki.remembering import Planner, Wish
from memory_wiki.wiki.versions import last_past, page_of, past_at


class Wiki:
    """An open vault; use it in a `with`, or close it."""

    def __init__(self, vault: Vault, here: Path, actor: Actor | None = None, chance: Chance | None = None) -> None:
        """`here` is the directory one stands in; without an actor, the person that git's settings name."""
        self.vault = vault
        self.here = here.resolve()
        self.chance = chance or Chance()
        self.index = Index(vault, self.chance.now)
        self._actor = actor

    @staticmethod
    def open(root: Path, here: Path, actor: Actor | None = None, chance: Chance | None = None) -> "Wiki":
        """Raises `VaultNotFound` for a folder that is no vault, `VaultTooNew`, `BadConfig`."""
        if not (root / config.FILE).is_file():
            raise VaultNotFound(root)
        root = root.resolve()
        return Wiki(Vault(root, config.load(root)), here, actor, chance)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.index.close()
        self.vault.close()

    @property
    def actor(self) -> Actor:
        """On whose behalf writes are made."""
        given = self._actor or Actor("")
        return given if given.name else replace(given, name=self.vault.history.person.name)

    @property
    def project(self) -> str:
        """The slug of the project one stands in, "" for none."""
        return standing_at(self.here, self.vault, self.index.words).slug

    def catch_up(self, progress: Progress | None = None) -> CaughtUp:
        """Commits, as the person, what other hands changed, and indexes it; where it can't commit it says why."""
        caught = self._keep_outside()
        return replace(caught, indexed=self.index.follow(caught.seen, progress))

    def _keep_outside(self) -> CaughtUp:
        """The first half of catching up: history agrees with the folder, as far as git lets us."""
        self.vault.catch_index_up()
        seen = self.vault.look()
        left = self.vault.why_not_commit(seen) if seen.differs else ""
        if not seen.differs or left or not self.vault.config.commit_outside_edits:
            return CaughtUp("", (), left, seen)
        try:
            with self.vault.locked():
                seen = self.vault.look()
                if not seen.differs:
                    return CaughtUp("", (), "", seen)
                done = self.vault.keep_outside(seen, self.chance.now())
        except (Broken, VaultBusy) as error:
            return CaughtUp("", (), str(error), seen)
        return CaughtUp(done.commit, done.present or tuple(done.versions), "", done.seen)

    def remember(self, wish: Wish) -> Written:
        """Writes a new page; never over another one."""
        return self.remember_each([wish])[0]

    def remember_each(self, wishes: Sequence[Wish]) -> tuple[Written, ...]:
        """Writes new pages, one commit each; all are durable, and found by recall, when this returns."""
        self.catch_up()
        with self.vault.locked():
            planner = Planner(self.vault, self.index.words, self.actor, self.chance, self.here)
            planned = planner.plan_each(wishes)
            done = self._apply([each.plan for each in planned])
        return tuple(
            replace(_written(each.plan, one), namesake=each.namesake) for each, one in zip(planned, done, strict=True)
        )

    def recall(self, question: Question) -> Answer:
        """Passages that answer, quoted from the files as they are now."""
        self.catch_up()
        return recall(question, self.index.words, self.vault.read)

    def read(self, name: str, at: str = "") -> Reading:
        """A page by path, id, title or alias, as it is or, with `at`, as it was at a version, commit or date."""
        self.catch_up()
        if not at:
            return Reading(self._page(self._find(name)), None)
        past = self._at(self._find_even_gone(name), at)
        return Reading(page_of(self.vault, past), past)

    def edit(self, name: str, edits: tuple[Edit, ...], expected: str = "") -> Written:
        """Changes only the bytes meant; with `expected`, raises `Conflict` unless the page has that version."""
        self.catch_up()
        page = self._page(self._find(name))
        if expected and not page.version.startswith(expected):
            raise Conflict(page.path, wanted=expected, found=page.version)
        data = edited(page, edits)
        if data == page.data:
            return Written("edit", page.path, page.title, page.version, "")
        return self._do(Plan("edit", page.title, (Replace(page.path, data, page.version),)))

    def pages(self, wanted: Filter, limit: int | None) -> Pages:
        """Pages by path."""
        self.catch_up()
        return Pages(tuple(self.index.words.pages(wanted)[:limit]))

    def recent(self, wanted: Filter, limit: int) -> Pages:
        """Pages by when they last changed, the newest first."""
        self.catch_up()
        return Pages(tuple(self.index.words.newest(wanted, limit)))

    def log(self, name: str, limit: int | None) -> Life:
        """A page's versions, newest first, under whatever names it had, also when it is gone."""
        self.catch_up()
        path = self._find_even_gone(name)
        return Life(path, tuple(islice(versions_of(self.vault.history, path), limit)))

    def log_all(self, limit: int | None) -> Commits:
        """The vault's commits, newest first."""
        self.catch_up()
        return Commits(tuple(self.vault.history.log(limit=limit)))

    def diff(self, name: str, old: str = "", new: str = "") -> Diff:
        """What changed between two versions: by default since the one before, and up to the page as it is."""
        self.catch_up()
        path = self._find_even_gone(name)
        if new:
            after = page_of(self.vault, self._at(path, new))
        else:
            after = self._page(path) if self.vault.exists(path) else page_of(self.vault, last_past(self.vault, path))
        before = page_of(self.vault, self._at(path, old)) if old else self._before(path, after)
        return Diff(path, before.version if before else "", after.version, unified(before, after))

    def _before(self, path: PagePath, page: Page) -> Page | None:
        """The page as it was before it became so."""
        had_text = (entry for entry in versions_of(self.vault.history, path) if entry.version)
        older = dropwhile(lambda entry: entry.version != page.version, had_text)
        return next((page_of(self.vault, entry) for entry in older if entry.version != page.version), None)

    def restore(self, name: str, to: str = "") -> Written:
        """Brings an old version back on top, as a new commit; without `to`, a page gone or archived as it was last."""
        self.catch_up()
        path = self._find_even_gone(name)
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

    def move(self, name: str, to: str) -> Written:
        """Gives a page another path, and re-points the links that would otherwise lose it."""
        self.catch_up()
        page = self._page(self._find(name))
        target = page_path(f"{to}{page.path.rpartition('/')[2]}" if to.endswith("/") else to)
        if target == page.path:
            return Written("move", page.path, page.title, page.version, "")
        return self._do(move.plan(page, target, *self._around(page, target)))

    def archive(self, name: str) -> Written:
        """Puts a page away, where it is found last and marked; nothing is deleted."""
        self.catch_up()
        page = self._page(self._find(name))
        if page.status == "archived" and is_archived(page.path):
            return Written("archive", page.path, page.title, page.version, "")
        return self._do(move.archive(page, *self._around(page, archived(page.path))))

    def check(self, progress: Progress | None = None) -> Report:
        """What is wrong with pages, links, names and settings. Reads every page."""
        seen = self.catch_up().seen
        paths = sorted(self.vault.pages(seen).keys() - seen.unreadable.keys())
        pages: list[Page] = []
        for done, path in enumerate(paths, 1):
            pages.append(self._page(path))
            if progress is not None:
                progress(done, len(paths))
        return Report(len(pages), (*check_vault(self.vault, seen), *check_pages(pages)))

    def disagreement(self) -> Difference:
        """The proof that index, files and HEAD are equal: what differs, nothing for equal. Reads every page's name."""
        return self.index.disagreement(self.catch_up().seen)

    def status(self) -> Status:
        """Where one stands, and what is not as it should be."""
        caught = self.catch_up()
        return status_of(self.vault, self.index, caught, self.project)

    def reindex(self, progress: Progress | None = None) -> int:
        """Deletes the index and builds it from the pages; gives how many."""
        self._keep_outside()
        return len(self.index.rebuild(progress).come)

    def _do(self, plan: Plan) -> Written:
        with self.vault.locked():
            return _written(plan, self._apply([plan])[0])

    def _apply(self, plans: Sequence[Plan]) -> list[Applied]:
        done = self.vault.apply_each(plans, self.actor, self.chance.now())
        if done:
            self.index.follow(done[-1].seen)
        return done

    def _find(self, name: str) -> PagePath:
        return find(name, self.vault, self.index.words)

    def _find_even_gone(self, name: str) -> PagePath:
        return find_even_gone(name, self.vault, self.index.words)

    def _page(self, path: PagePath) -> Page:
        return parse(path, self.vault.read(path))

    def _at(self, path: PagePath, revision: str) -> Past:
        return past_at(self.vault, path, revision, self.chance.now().astimezone())

    def _around(self, page: Page, to: PagePath) -> tuple[list[Page], tuple[Named, Named]]:
        """The pages that link to a page by its name, and which pages have a name before and after its move."""
        words = self.index.words
        names = sorted({folded(stem(page.path)), folded(stem(to))})
        paths = dict.fromkeys(path for name in names for path in words.linking_to(name))
        linking = [self._page(path) for path in paths]

        def after(key: str) -> tuple[PagePath, ...]:
            kept = tuple(path for path in words.named(key) if path != page.path)
            names = {folded(stem(to)), *(folded(alias) for alias in page.aliases)}
            return (*kept, to) if key in names else kept

        return linking, (words.named, after)


def _written(plan: Plan, done: Applied) -> Written:
    first, *others = plan.changes
    path = first.to if isinstance(first, Move) else first.path
    version = done.versions[path]
    assert version is not None, "a plan's first change leaves its page in place"  # noqa: S101
    was = first.path if isinstance(first, Move) and first.path != path else None
    return Written(plan.verb, path, plan.title, version, done.commit, was, tuple(change.path for change in others))
