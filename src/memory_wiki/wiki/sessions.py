"""What an agent's session asks of a vault beside recalling and writing: its brief, and where to say what helped."""

from dataclasses import replace
from typing import TYPE_CHECKING

from memory_wiki.page.change import Plan, Replace
from memory_wiki.wiki.changing import Changing, refuse_instructions

if TYPE_CHECKING:
    from memory_wiki.recall.brief import Brief
    from memory_wiki.wiki.answers import Noted

BUDGET = 1_500
"""Tokens of a brief, where nothing else is asked for."""


class Sessions(Changing):
    """Verbs of sessions."""

    def projects(self) -> frozenset[str]:
        """The slugs of the projects that have a page."""
        self.catch_up()
        return self.index.words.projects()

    def brief(self, project: str | None = None, budget: int = BUDGET) -> "Brief":
        """What a session should know now of a project and of all, by default of the project one stands in."""
        from memory_wiki.wiki.briefing import brief_of

        self.catch_up()
        wanted = self.project if project is None else project
        return brief_of(wanted, budget, self.index.words, self.vault.read)

    def feedback(self, name: str, verdict: str, note: str = "") -> "Noted":
        """Keeps what a reader says of a page: `useful`, or `wrong` or `stale`, which marks it as one to be reviewed."""
        from memory_wiki.page.edit import edited
        from memory_wiki.wiki.answers import Noted
        from memory_wiki.wiki.feedback import note_use, review_of

        self.catch_up()
        page, now = self._page(self._find(name)), self.chance.now()
        noted = Noted(page.path, page.title, page.version, verdict, "")
        if noted.asks_review:
            refuse_instructions(page.path)
        note_use(self.vault.own_folder, page, verdict, self.actor, now)
        if not noted.asks_review:
            return noted
        with self.turns.of(page.path):
            page = self._page(page.path)
            data = edited(page, review_of(verdict, note, self.actor, now))
            done = self._do(Plan("flag", page.title, (Replace(page.path, data, page.version),)))
        return replace(noted, version=done.version, commit=done.commit)
