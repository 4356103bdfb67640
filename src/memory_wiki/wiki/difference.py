"""The difference of two versions of a page, in the form that people and `patch` know. Pure."""

import difflib
import re

from memory_wiki.page.page import Page


def unified(old: Page | None, new: Page) -> str:
    """A unified diff, "" where the texts are the same; a missing newline at the end is said as git says it."""
    if old is not None and old.data == new.data:
        return ""
    before = _lines(old.text) if old else []
    after = _lines(new.text)
    names = (f"{old.path}@{old.version[:12]}" if old else "/dev/null", f"{new.path}@{new.version[:12]}")
    return "".join(_ended(line) for line in difflib.unified_diff(before, after, *names))


def _lines(text: str) -> list[str]:
    """Lines as `diff` and `patch` know them: only a line feed ends one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
