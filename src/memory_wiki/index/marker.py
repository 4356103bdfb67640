"""What the word index remembers of the history that it agrees with. Pure."""

import json
from dataclasses import dataclass

from memory_wiki.page.path import PagePath


@dataclass(frozen=True, slots=True)
class Marker:
    """The commit that the index agrees with, but for `loose` pages, which are of no commit or could not be read.

    `language` is the one that pages of unknown language were taken for.
    """

    head: str = ""
    loose: frozenset[PagePath] = frozenset()
    language: str = ""

    @staticmethod
    def load(text: str) -> "Marker":
        """A marker that is missing, or not ours, agrees with no commit: everything is compared."""
        try:
            found = json.loads(text)
            return Marker(found["head"], frozenset(map(PagePath, found["loose"])), found["language"])
        except (ValueError, TypeError, KeyError):
            return Marker()

    def dump(self) -> str:
        return json.dumps({"head": self.head, "loose": sorted(self.loose), "language": self.language})
