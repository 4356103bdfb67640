"""Changes that other hands made to the folder, as the commit that records them. Pure."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

from memory_wiki.page.change import PAGES_NAMED, one_line
from memory_wiki.page.path import PagePath, Version


def describe(
    now: Mapping[PagePath, Version | None], before: Mapping[PagePath, Version], text_of: Callable[[PagePath], bytes]
) -> str:
    """The message: `edit: title` for one page, `edit: 12 pages` for more; `Source: outside` says whose doing."""
    gone = {before[path] for path, version in now.items() if version is None and path in before}
    new = {version for path, version in now.items() if path not in before}
    verbs = {path: _verb(before.get(path), version, gone, new) for path, version in now.items()}
    shown = [path for path in now if verbs[path] != "moved"]
    kinds = {verbs[path] for path in shown}
    verb = kinds.pop() if len(kinds) == 1 else "edit"
    title = _title(shown[0], text_of) if len(shown) == 1 else f"{len(shown)} pages"
    lines = [f"Op: {verb}", *(f"Page: {one_line(path)}" for path in shown[:PAGES_NAMED])]
    if len(shown) > PAGES_NAMED:
        lines.append(f"Pages: {len(shown)}")
    return f"{verb}: {one_line(title)}\n\n" + "\n".join([*lines, "Source: outside"]) + "\n"


def _title(path: PagePath, text_of: Callable[[PagePath], bytes]) -> str:
    from memory_wiki.page.page import parse

    return parse(path, text_of(path)).title


def _verb(
    was: Version | None, now: Version | None, gone: AbstractSet[Version], new: AbstractSet[Version | None]
) -> str:
    """What became of one path; "moved" for the old name of a page whose text is under a new one."""
    if now is None:
        return "moved" if was in new else "remove"
    if was is not None:
        return "edit"
    return "move" if now in gone else "add"
