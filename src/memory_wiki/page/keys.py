"""The front matter keys that we know, each read as its type; one of another type is a problem, and not there."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from memory_wiki.page.frontmatter import FrontMatter
from memory_wiki.page.instant import instant
from memory_wiki.page.path import folded
from memory_wiki.page.problem import Problem


@dataclass(frozen=True, slots=True)
class Keys:
    """Reads keys by name, the first that is given; `problems` grows with each that cannot be meant."""

    front: FrontMatter
    problems: list[Problem] = field(default_factory=list)

    def text(self, *names: str) -> str:
        """Text on one line; numbers and dates count, as nobody quotes `title: 1984`."""
        name, value = self._given(names)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int | float | date):
            self._complain(name, 'should be text; put it in quotes, like "this"')
            return ""
        return " ".join(str(value).split())

    def words(self, *names: str, separators: str) -> tuple[str, ...]:
        """A list of texts, or one text cut at the `separators`."""
        name, value = self._given(names)
        if isinstance(value, str):
            value = re.split(f"[{separators}]", value)
        if value is None:
            return ()
        if not isinstance(value, list) or any(isinstance(word, list | dict) for word in value):
            self._complain(name, "should be a list of words, like [this, that]")
            return ()
        return tuple(" ".join(str(word).split()) for word in value if word is not None)

    def moment(self, *names: str) -> datetime | None:
        """A date or time, in UTC."""
        name, value = self._given(names)
        found = instant(value)
        if value is not None and found is None:
            self._complain(name, "should be a date, like 2026-11-30 or 2026-11-30T12:00:00Z")
        return found

    def share(self, name: str, default: float) -> float:
        """A number from 0 to 1."""
        _, value = self._given((name,))
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self._complain(name, "should be a number from 0 to 1")
            return default
        return float(value)

    def truth(self, name: str) -> bool:
        """`true` or `false`, and false where the key is not given."""
        _, value = self._given((name,))
        if value is not None and not isinstance(value, bool):
            self._complain(name, "should be true or false")
        return value is True

    def _given(self, names: Iterable[str]) -> tuple[str, object]:
        """The first of the keys that has a value; an empty one counts as none."""
        for name in names:
            value = self.front.values.get(name)
            if value not in (None, "", []):
                return name, value
        return "", None

    def _complain(self, name: str, why: str) -> None:
        self.problems.append(Problem("key-type", f"{name} {why}", self.front.line_of(name), "warning"))


def unique(words: Iterable[str]) -> tuple[str, ...]:
    """The words that say something, each once whatever its case, as first spelt."""
    seen: dict[str, str] = {}
    for word in words:
        if word:
            seen.setdefault(folded(word), word)
    return tuple(seen.values())
