"""What a link points to, by Obsidian's rules, and how links follow a page that moves.

Pure: which pages there are is asked through `Named`. Where several pages answer to a target, these come first, in
this order: the one whose whole path it is; those in the source's folder or below; the shorter path; the alphabet.
An alias counts only where no file has the name. Case and Unicode form never matter.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from posixpath import dirname, join, normpath, relpath
from urllib.parse import quote

from memory_wiki.page.elements import Link
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath, folded, stem

Named = Callable[[str], Sequence[PagePath]]
"""The pages whose stem or one of whose aliases is this key; all three `folded`."""

NEVER_IN_LINKS = re.compile(r"[\[\]|#^\\\r\n\ud800-\udfff]")
_NOT_IN_PROPERTIES = re.compile(rf"{NEVER_IN_LINKS.pattern}|['\"]")  # whichever quotes the value
_ENCODED = re.compile(r"[^\w./~!$&'+,;=@-]")  # in a Markdown target; letters of any script stay readable
_PUNCTUATION = re.compile(r"""[!-,./:-@\[-^`{-~\s]+""")  # what Obsidian passes over in headings: not `-` and `_`


def resolve(target: str, source: PagePath, named: Named) -> PagePath | None:
    """The page that `[[target]]` means in the page `source`, if there is one; "" is the page itself."""
    if not target:
        return source
    wanted = _with_suffix(folded(target))
    if target.startswith(("./", "../")):
        return _exact(_beside(source, wanted), named)
    wanted = wanted.lstrip("/")
    named_so = _stems(wanted, named)
    return (
        _exact(wanted, named)
        or _nearest([path for path in named_so if folded(path).endswith(f"/{wanted}")], source)
        or _nearest([path for path in named(folded(target)) if path not in named_so], source)
    )


def destination(link: Link, source: PagePath, named: Named) -> PagePath | None:
    """The page that `link` means in the page `source`; a Markdown link counts from that page's folder first."""
    return _from_folder(link, source, named) or resolve(link.target, source, named)


def _from_folder(link: Link, source: PagePath, named: Named) -> PagePath | None:
    """The page that a Markdown link means to every other tool: relative to the folder it stands in."""
    if link.style == "wiki" or not link.target or link.target.startswith("/"):
        return None
    return _exact(_beside(source, _with_suffix(folded(link.target))), named)


def _with_suffix(target: str) -> str:
    return target if target.endswith(".md") else f"{target}.md"


def _beside(source: PagePath, target: str) -> str:
    return normpath(join(folded(dirname(source)), target))


def _stems(wanted: str, named: Named) -> list[PagePath]:
    """The pages whose file has this name; `named` knows aliases too."""
    key = stem(wanted)
    return [path for path in named(key) if folded(stem(path)) == key]


def _exact(wanted: str, named: Named) -> PagePath | None:
    return min((path for path in _stems(wanted, named) if folded(path) == wanted), default=None)


def _nearest(paths: Iterable[PagePath], source: PagePath) -> PagePath | None:
    folder = f"{dirname(source)}/" if "/" in source else ""
    return min(paths, key=lambda path: (not path.startswith(folder), len(path), path), default=None)


def shortest(path: PagePath, named: Named) -> str:
    """The shortest link text that means this page and no other, wherever it stands: `name`, or `folder/name`."""
    others = [folded(other) for other in _stems(folded(path), named) if other != path]
    parts = path[: -len(".md")].split("/")
    for count in range(1, len(parts)):
        text = "/".join(parts[-count:])
        ending = folded(f"/{text}.md")
        if not any(f"/{other}".endswith(ending) for other in others):
            return text
    return "/".join(parts)


def repoint(page: Page, moved: Mapping[PagePath, PagePath], before: Named, after: Named) -> str | None:
    """The text of `page` in which links still mean what they meant before pages moved; None where they do anyway.

    `page` has its path from before. Only targets change: heading, block, alias and `!` stay.
    """
    pieces, done = [], 0
    for link in sorted(page.links, key=lambda link: link.start):
        target = _repointed(link, page.path, moved, before, after)
        if target is not None:
            start, end = page.body_start + link.start, page.body_start + link.end
            pieces += [page.text[done:start], target]
            done = end
    return "".join([*pieces, page.text[done:]]) if pieces else None


def _repointed(
    link: Link, source: PagePath, moved: Mapping[PagePath, PagePath], before: Named, after: Named
) -> str | None:
    """Another target for `link`, where it needs one and can have one."""
    meant = destination(link, source, before)
    here = moved.get(source, source)
    if meant is None:
        return _moved_along(link, source, here)
    wanted = moved.get(meant, meant)
    find = _from_folder if _from_folder(link, source, before) else destination
    if find(link, here, after) == wanted:
        return None
    if link.style == "markdown":
        return _relative(wanted, here)
    target = shortest(wanted, after)
    never = _NOT_IN_PROPERTIES if link.start < 0 else NEVER_IN_LINKS
    return None if never.search(target) or resolve(target, here, after) != wanted else target


def _moved_along(link: Link, source: PagePath, here: PagePath) -> str | None:
    """The same file, seen from the folder where the page now is: `../img/a.png` is no page, and stays where it is."""
    if dirname(source) == dirname(here) or not link.target.startswith(("./", "../")):
        return None
    return _relative(normpath(join(dirname(source), link.target)), here)


def _relative(path: str, source: PagePath) -> str:
    """`path` as a Markdown target in the page `source`."""
    relative = relpath(path, dirname(source) or ".")
    return _ENCODED.sub(lambda char: quote(char.group(), errors="surrogateescape"), relative)


def has_target(page: Page, link: Link) -> bool:
    """Whether the page that `link` points to has its heading or block."""
    if link.block:
        return any(found.id.lower() == link.block.lower() for found in page.markup.block_ids)
    if not link.heading:
        return True
    headings = [heading.text for heading in page.markup.headings]
    if link.style == "markdown" and folded(link.heading) in map(_anchor, headings):
        return True
    keys = iter([_heading_key(heading) for heading in headings])
    return all(_heading_key(part) in keys for part in link.heading.split("#"))


def _anchor(heading: str) -> str:
    """A heading's anchor as GitHub and most other renderers make it."""
    return re.sub(r"[^\w\- ]", "", folded(heading)).replace(" ", "-")


def _heading_key(text: str) -> str:
    """What two headings share that Obsidian takes for the same."""
    return _PUNCTUATION.sub(" ", folded(text)).strip()
