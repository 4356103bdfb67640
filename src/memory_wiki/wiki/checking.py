"""What is wrong with a vault: pages, links, names. Reads pages, not the index, so that it also judges the index."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from memory_wiki.config import FILE
from memory_wiki.errors import MemoryWikiError
from memory_wiki.index.entries import Filter
from memory_wiki.index.index import Index
from memory_wiki.page.elements import Link
from memory_wiki.page.frontmatter import UNREAD, read
from memory_wiki.page.links import Named, destination, has_target
from memory_wiki.page.page import Page
from memory_wiki.page.path import PagePath, folded, stem
from memory_wiki.page.problem import Problem
from memory_wiki.page.text import decoded
from memory_wiki.vault.census import strangers
from memory_wiki.vault.look import Seen, unresolved
from memory_wiki.vault.vault import Vault
from memory_wiki.wiki.answers import Found, Status
from memory_wiki.wiki.listener import CaughtUp
from memory_wiki.wiki.meaning import Meaning

ATTACHMENTS = re.compile(
    r"\.(avif|base|bmp|canvas|csv|flac|gif|html?|jpe?g|json|m4a|mkv|mov|mp[34]|og[gv]|pdf|png|svg|txt|wav|web[mp])$",
    re.IGNORECASE,
)
"""Files that pages link to and that are no pages; whether they are there is not judged."""


def check_pages(pages: Sequence[Page]) -> Iterator[Found]:
    """Problems of pages, and between pages: links that lead nowhere, ids and names that two pages share."""
    by_path = {page.path: page for page in pages}
    named = _named(pages)
    for page in pages:
        yield from (Found(page.path, problem) for problem in page.problems)
        yield from _dangling(page, by_path, named)
    for page, other in _sharing(pages, lambda page: page.id):
        hint = f"in the copy, delete the line `id: {page.id}`"
        yield Found(page.path, Problem("same-id", f"it has the id of {other.path}; {hint}"))
    for page, other in _sharing(pages, lambda page: folded(page.path)):
        hint = "`memory-wiki move` one of them"
        yield Found(page.path, Problem("same-name", f"on some systems it is the same file as {other.path}; {hint}"))


def check_vault(vault: Vault, seen: Seen) -> Iterator[Found]:
    """Problems of settings, and of files that are named like pages and are none."""
    yield from (Found(FILE, problem) for problem in vault.config.problems)
    yield from (Found(path, Problem("unreadable", reason)) for path, reason in seen.unreadable.items())
    if seen.head and (reason := vault.why_not_commit(seen.branch)):
        yield Found(".", Problem("can-not-commit", reason, level="warning"))
    for page in sorted(seen.unmerged):
        yield Found(page, Problem("conflict", unresolved(page), level="warning"))
    if vault.attributes:
        asked = ", ".join(sorted(vault.attributes))
        hint = "add the line `*.md -text -filter -ident -working-tree-encoding` to .gitattributes"
        yield Found(".gitattributes", Problem("attributes", f"git changes pages by {asked}: {hint}", level="warning"))
    pages = vault.pages(seen)
    for path, reason in strangers(vault.root):
        if path not in pages and path not in seen.unreadable:
            yield Found(path, Problem("not-a-page", reason, level="warning"))


def _named(pages: Iterable[Page]) -> Named:
    by_key: dict[str, list[PagePath]] = defaultdict(list)
    for page in pages:
        for key in {folded(stem(page.path)), *(folded(alias) for alias in page.aliases)}:
            by_key[key].append(page.path)
    return lambda key: by_key.get(key, ())


def _dangling(page: Page, by_path: Mapping[PagePath, Page], named: Named) -> Iterator[Found]:
    for link in page.links:
        if _is_no_page(link):
            continue
        path = destination(link, page.path, named)
        if path is None:
            said = f"[[{link.target}]]" if link.style == "wiki" else f"({link.target})"
            yield Found(page.path, _lost("dangling-link", f"{said} leads to no page", link))
        elif not has_target(by_path[path], link):
            part = f"^{link.block}" if link.block else link.heading
            yield Found(page.path, _lost("dangling-target", f"{path} has no #{part}", link))


def _is_no_page(link: Link) -> bool:
    """Whether a link is to some other file: an attachment, or in standard Markdown whatever is not called `.md`."""
    is_other = link.style == "markdown" and bool(link.target) and not link.target.casefold().endswith(".md")
    return is_other or ATTACHMENTS.search(link.target) is not None


def _lost(code: str, message: str, link: Link) -> Problem:
    return Problem(code, f"{message}; mend the link, or write what it promises", link.line, "warning")


def _sharing(pages: Iterable[Page], key: Callable[[Page], str]) -> Iterator[tuple[Page, Page]]:
    """Each page whose key, "" apart, an earlier page has too; with that page."""
    first: dict[str, Page] = {}
    for page in pages:
        if value := key(page):
            other = first.setdefault(value, page)
            if other is not page:
                yield page, other


def _without_front_matter(vault: Vault, index: Index) -> Iterator[PagePath]:
    """Pages whose front matter is there and can't be read."""
    for entry in index.words.pages(Filter(has_problems=True)):
        with suppress(MemoryWikiError):
            if any(problem.code == UNREAD for problem in read(decoded(vault.read(entry.path))).problems):
                yield entry.path


def status_of(vault: Vault, index: Index, caught: CaughtUp, project: str, meaning: Meaning) -> Status:
    """Where one stands."""
    pages, passages = index.words.count()
    model, words_alone, embedded = meaning.state(index.words.marks())
    seen = caught.seen
    return Status(
        vault=str(vault.root),
        project=project,
        branch=seen.branch,
        head=seen.head,
        pages=pages,
        passages=passages,
        languages=tuple(sorted(index.words.languages())),
        uncommitted=tuple(seen.differs),
        unreadable=tuple(seen.unreadable.items()),
        front_matter=tuple(_without_front_matter(vault, index)),
        left=caught.left or vault.why_not_commit(seen.branch),
        settings=vault.config.problems,
        index_bytes=sum(file.stat().st_size for file in index.folder.rglob("*") if file.is_file()),
        model=model,
        words_alone=words_alone,
        embedded=embedded,
    )
