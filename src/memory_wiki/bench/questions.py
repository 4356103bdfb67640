"""Questions of one's own about one's own pages: a line each, `question<TAB>pages`, any of which answers. Pure."""

from collections.abc import Collection

from memory_wiki.bench.material import Ask
from memory_wiki.errors import BadInput

HEADER = "question\tpages"


def read(text: str, pages: Collection[str]) -> tuple[Ask, ...]:
    """Paths stand apart by `|`; the header may be missing. Raises `BadInput` for a line that is none."""
    return tuple(
        _ask(line, number, pages)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not (number == 1 and line.strip() == HEADER)
    )


def _ask(line: str, number: int, pages: Collection[str]) -> Ask:
    question, tab, named = line.partition("\t")
    paths = tuple(path.strip() for path in named.split("|") if path.strip())
    if not tab or not question.strip() or not paths:
        raise BadInput(f"line {number} is no question, a tab and the paths of pages")
    if missing := [path for path in paths if path not in pages]:
        raise BadInput(f"line {number} names {missing[0]!r}, and the vault has no such page")
    return Ask(question.strip(), "page", paths, paths)
