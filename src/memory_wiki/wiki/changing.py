"""The verbs that change the text of a page. `Wiki` has the others.

Effects go page, commit, index. No page is changed at another version than the one that was read.
"""

from contextlib import suppress
from typing import TYPE_CHECKING

from memory_wiki.errors import BadPage, BadPath, BadRevision, Conflict, PageExists
from memory_wiki.page.change import Create, Plan, Replace
from memory_wiki.page.path import PagePath, folded, is_instructions, new_page_path, page_path
from memory_wiki.wiki.finding import Finding

if TYPE_CHECKING:
    from memory_wiki.page.edit import Edit
    from memory_wiki.page.page import Page
    from memory_wiki.wiki.answers import Written

TRIES = 20  # of a change that is for whatever the page says, while other processes write that page


class Changing(Finding):
    """An open vault of which pages are changed."""

    def edit(self, name: str, edits: "tuple[Edit, ...]", expected: str | None = None) -> "Written":
        """Changes only the bytes meant; with `expected`, raises `Conflict` unless the page has that version.

        A fact that is added gets an id. Without `expected` it is done on whatever the page says by then.
        """
        self.catch_up()
        path = self._find(name)
        refuse_instructions(path)
        if expected is not None:
            return self._edit(path, edits, expected)
        with self.turns.of(path):
            for _ in range(TRIES):
                with suppress(Conflict):  # by another process
                    return self._edit(path, edits, None)
            return self._edit(path, edits, None)

    def _edit(self, path: PagePath, edits: "tuple[Edit, ...]", expected: str | None) -> "Written":
        from memory_wiki.page.edit import edited, with_fact_ids
        from memory_wiki.wiki.answers import Written

        page = self._page(path)
        if expected is not None:
            _refuse_other(page, expected)
        data = edited(page, with_fact_ids(page, edits, self.chance.new_fact_id))
        if data == page.data:
            return Written("edit", page.path, page.title, page.version, "")
        return self._do(Plan("edit", page.title, (Replace(page.path, data, page.version),)))

    def write_page(self, name: str, text: str, expected: str) -> "Written":
        """A page's whole new text, in place of the version `expected`; where that is "", a new page at this path.

        Raises `Conflict`, `PageExists`, `BadPath`, and `BadPage` for what could not be read as a page any more.
        """
        if expected:
            return self._write_page(name, text, expected)
        with self.turns.of(folded(page_path(name))):  # two at once may differ by case alone
            return self._write_page(name, text, "")

    def _write_page(self, name: str, text: str, expected: str) -> "Written":
        from memory_wiki.page.edit import rewritten
        from memory_wiki.page.page import parse
        from memory_wiki.wiki.answers import Written

        self.catch_up()
        old = self._page(self._find(name)) if expected else None
        if old is not None:
            _refuse_other(old, expected)
        path = old.path if old else self._free(name)
        refuse_instructions(path)
        page = parse(path, rewritten(text, old))
        if others := [other for other in (self.index.words.with_id(page.id) if page.id else ()) if other != path]:
            raise BadPage(f"its id is that of {others[0]}; edit that page, or drop the id from this text")
        if old is None:
            return self._do(Plan("remember", page.title, (Create(path, page.data),)))
        if page.data == old.data:
            return Written("edit", path, page.title, page.version, "")
        return self._do(Plan("edit", page.title, (Replace(path, page.data, old.version),)))

    def _free(self, name: str) -> PagePath:
        """The path for a new page; raises `BadPath`, or `PageExists` where anything has that name."""
        path = new_page_path(name)
        if self.vault.exists(path):
            raise PageExists(path)
        if taken := self.index.words.with_folded_path(folded(path)):
            raise PageExists(taken[0])
        if self.vault.is_ignored(path):
            raise BadPath(path, "git ignores it, so it would be no page of this vault; see `git check-ignore -v`")
        return path


def refuse_instructions(path: PagePath) -> None:
    """For what agents take for instructions of their person's."""
    if is_instructions(path):
        raise BadPath(path, "agents would take it for their person's instructions; choose another page, or a new name")


def _refuse_other(page: "Page", expected: str) -> None:
    """Unless the page has the version, of which the first digits are enough."""
    from memory_wiki.vault.past import LEAST_PREFIX

    if len(expected) < LEAST_PREFIX:
        raise BadRevision(expected, f"it takes at least {LEAST_PREFIX} digits")
    if not page.version.startswith(expected):
        raise Conflict(page.path, wanted=expected, found=page.version)
