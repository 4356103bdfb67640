"""From memories to plans: which project, which name, which page. Reads the index, writes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from memory_wiki.errors import BadInput, BadMemory, BadPage
from memory_wiki.index.children import Children
from memory_wiki.index.words import Words
from memory_wiki.page.change import Actor, Create, Plan
from memory_wiki.page.memory import Birth, Composed, Memory, compose, compose_each
from memory_wiki.page.path import PagePath, file_name, folded, is_instructions
from memory_wiki.page.place import folder_for, project_page, slug_for
from memory_wiki.vault.job import Taken
from memory_wiki.vault.vault import Vault
from memory_wiki.wiki.chance import Chance
from memory_wiki.wiki.linking import with_targets
from memory_wiki.wiki.project import Standing, new_project_page, standing_at

NUMBERED = 9  # namesakes told apart by a number; beyond, by the page's id, so that no name is searched for long


@dataclass(frozen=True, slots=True)
class Wish:
    """A memory, and the project it is for: a name, "" for all projects, None for the one that one stands in."""

    memory: Memory
    project: str | None = None
    once: bool = False
    """Nothing is written where a page of that project and type, which still holds, says the same already."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A page that has no name yet, and the project it is for."""

    page: Composed
    project: Standing


class Planner:
    """Plans memories one after another, so that each knows the names the ones before it took."""

    def __init__(self, vault: Vault, words: Words, actor: Actor, chance: Chance, here: Path) -> None:
        self._vault = vault
        self._words = words
        self._actor = actor
        self._chance = chance
        self._here = here
        self._taken: Taken = {}
        self._is_known = words.known()
        self._namesakes: dict[str, PagePath] = {}
        self._ids: set[str] = set()

    def draft(self, wish: Wish) -> Draft:
        """Raises `BadPage` where it can't become a page."""
        birth = self._birth()
        return self._draft(wish, birth, compose(self._linked(wish.memory), birth))

    def draft_each(self, wishes: Sequence[Wish], children: Children) -> list[Draft]:
        """One draft a wish; raises `BadMemory` for the first that can't become a page."""
        asked = [(self._linked(wish.memory), self._birth()) for wish in wishes]
        drafts = []
        composed = children.map(compose_each, asked)
        for number, (wish, (_, birth), page) in enumerate(zip(wishes, asked, composed, strict=True)):
            try:
                if isinstance(page, BadInput):
                    raise page
                drafts.append(self._draft(wish, birth, page))
            except BadInput as error:
                raise BadMemory(number, error) from None
        return drafts

    def plan(self, draft: Draft, taken: Taken) -> Plan:
        """A plan whose first change makes the page, under a name that is free and not `taken` by plans before it.

        The caller holds the lock, so that it stays free.
        """
        page = draft.page
        folder = folder_for(page.type, draft.project.slug, self._now())
        name = file_name(page.title, f"{file_name(page.type, 'page')}-{_tail(page.id)}")
        path = self._free(folder, f"{name}-page" if is_instructions(f"{name}.md") else name, page.id, taken)
        changes = (Create(path, page.data), *self._project(draft.project, taken))
        taken |= {folded(change.path): change.path for change in changes}
        return Plan("remember", page.title, changes)

    def namesake(self, draft: Draft) -> PagePath | None:
        """The page that has the name that a planned one would have had."""
        return self._namesakes.get(draft.page.id)

    def _linked(self, memory: Memory) -> Memory:
        return with_targets(memory, self._vault, self._words)

    def _birth(self) -> Birth:
        now = self._now()
        return Birth(self._chance.new_id(now), now, self._actor.byline, self._chance.new_fact_id)

    def _draft(self, wish: Wish, birth: Birth, page: Composed) -> Draft:
        if page.id != birth.id and (found := self._words.with_id(page.id)):
            raise BadPage(f"its id is that of {found[0]}; edit that page, or drop the id from this text")
        if page.id in self._ids:
            raise BadPage(f"its id {page.id} is that of a memory before it; drop it from this text")
        self._ids.add(page.id)
        return Draft(page, self._standing if wish.project is None else Standing(_slug(wish.project), None))

    def _now(self) -> datetime:
        """The time, as pages tell it: to the second."""
        return self._chance.now().replace(microsecond=0)

    @cached_property
    def _standing(self) -> Standing:
        return standing_at(self._here, self._vault, self._words)

    def _project(self, project: Standing, taken: Taken) -> tuple[Create, ...]:
        """The page of a project that is met for the first time."""
        path = project_page(project.slug) if project.slug else None
        if path is None or self._vault.exists(path) or self._owner(path, taken) is not None:
            return ()
        self._taken[folded(path)] = path
        now = self._now()
        return (
            Create(
                path, new_project_page(project.slug, project.code, self._chance.new_id(now), now, self._actor.byline)
            ),
        )

    def _free(self, folder: str, name: str, id_: str, taken: Taken) -> PagePath:
        """A path that no page has, nor one that differs only by case."""
        for candidate in _names(name, id_):
            path = PagePath(f"{folder}/{candidate}.md")
            owner = self._owner(path, taken)
            if owner is None:
                self._taken[folded(path)] = path
                return path
            self._namesakes.setdefault(id_, owner)
        raise BadInput(f"no free name for {name!r} in {folder}; give another --title")

    def _owner(self, path: PagePath, taken: Taken) -> PagePath | None:
        key = folded(path)
        if key in self._taken or key in taken:
            return self._taken.get(key) or taken[key]
        found = self._words.with_folded_path(key) if self._is_known(key) else ()
        is_taken = self._vault.exists(path) or self._vault.is_left_out(path)
        owner = found[0] if found else path if is_taken else None
        if owner is not None:
            self._taken[key] = owner  # a project's page is asked for with each of its memories
        return owner


def _slug(project: str) -> str:
    if project and not any(char.isalnum() for char in project):
        raise BadInput(f"{project!r} names no project; give a name with letters in it")
    return slug_for(project) if project else ""


def _names(name: str, id_: str) -> Iterator[str]:
    yield name
    yield from (f"{name}-{n}" for n in range(2, NUMBERED + 1))
    yield f"{name}-{_tail(id_)}"
    yield f"{name}-{id_.lower()}"


def _tail(id_: str) -> str:
    return file_name(id_[-6:], "x")
