"""How verbs come to the pages that they are about, and to what is said of one written."""

from typing import TYPE_CHECKING

from memory_wiki.errors import PageExists, PageNotFound
from memory_wiki.index.entries import Filter
from memory_wiki.page.change import Plan
from memory_wiki.page.path import PagePath, folded
from memory_wiki.vault.history import brought_by
from memory_wiki.wiki.opened import Opened

if TYPE_CHECKING:
    from memory_wiki.page.links import Named
    from memory_wiki.page.page import Page
    from memory_wiki.vault.past import Past
    from memory_wiki.wiki.answers import Written


class Finding(Opened):
    """From names to pages."""

    def _unmet(self, wanted: Filter) -> tuple[str, ...]:
        from memory_wiki.wiki.unmet import unmet

        if self.behind:
            return (f"What changed last can't be found yet: {self.behind}.",)
        return unmet(wanted, self.index.words, self.chance.now().astimezone())

    def _do(self, plan: Plan) -> "Written":
        from memory_wiki.wiki.writing import written_of

        return written_of(self.write(lambda _taken: plan))

    def _find(self, name: str) -> PagePath:
        from memory_wiki.wiki.find import find, find_even_gone

        try:
            return find(name, self.vault, self.index.words)
        except PageNotFound:
            if self.behind:
                raise PageNotFound(name, f"what changed last can't be found yet: {self.behind}") from None
            gone = find_even_gone(name, self.vault, self.index.words)
            if self.vault.is_left_out(gone):
                raise PageNotFound(name, brought_by(gone)) from None
            is_there = self.vault.exists(gone)
            hint = f"it is {gone} now" if is_there else f"it went away: `memory-wiki restore {gone}` brings it back"
            raise PageNotFound(name, hint) from None

    def _find_even_gone(self, name: str) -> PagePath:
        from memory_wiki.wiki.find import find_even_gone

        return find_even_gone(name, self.vault, self.index.words)

    def _page(self, path: PagePath) -> "Page":
        try:
            return self._read(path)
        except PageNotFound:
            if self.vault.is_left_out(path):
                raise PageNotFound(path, brought_by(path)) from None
            raise

    def _read(self, path: PagePath) -> "Page":
        from memory_wiki.page.page import parse

        return parse(path, self.vault.read(path))

    def _refuse_taken(self, page: "Page", to: PagePath) -> None:
        """For a name that some systems take for another page's; whether it is just that one, the vault sees."""
        taken = (path for path in self.index.words.with_folded_path(folded(to)) if path not in {page.path, to})
        if other := next(taken, None):
            raise PageExists(other)

    def _at(self, path: PagePath, revision: str) -> "Past":
        from memory_wiki.wiki.versions import past_at

        return past_at(self.vault, path, revision, self.chance.now().astimezone())

    def _around(self, page: "Page", to: PagePath) -> "tuple[list[Page], tuple[Named, Named]]":
        from memory_wiki.wiki.around import around

        return around(page, to, self.index.words, self._read)
