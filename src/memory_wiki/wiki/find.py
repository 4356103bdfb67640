"""From what a person calls a page to its path."""

import difflib
import re

from memory_wiki.errors import Ambiguous, BadPath, PageNotFound
from memory_wiki.index.entries import EVERYTHING
from memory_wiki.index.words import Words
from memory_wiki.page.links import resolve
from memory_wiki.page.path import PagePath, file_name, folded, page_path, stem
from memory_wiki.vault.past import Gone, deleted, moved_to
from memory_wiki.vault.vault import Vault

ROOT = PagePath("-.md")  # links in a question are read as from a page at the top
NEAR = 3  # pages that are named where none is called so
FEW = 20_000  # pages, up to which each name is compared: a second at most


def find(name: str, vault: Vault, words: Words) -> PagePath:
    """A page by path, id, title, file name or alias, `[[…]]` around it or not; raises `PageNotFound`, `Ambiguous`."""
    name = bare_name(name)
    if not name:
        raise PageNotFound(name)
    if (path := _as_path(name)) and words.page(path):
        return path
    if len(found := words.with_id(name)) > 1:
        raise Ambiguous(name, sorted(found))
    if found:
        return found[0]
    if "/" not in name and (called := _called(name, path, words)):
        if len(called) > 1:
            raise Ambiguous(name, sorted(called))
        return called.pop()
    if path := resolve(name, ROOT, words.named):
        return path
    if len(found := words.titled(folded(name))) == 1:  # with a slash in it, a title may look like a path
        return found[0]
    if (path := _as_path(name)) and _is_there(vault, path):
        return path
    raise PageNotFound(name)


def _called(name: str, path: PagePath | None, words: Words) -> set[PagePath]:
    """Pages that have this file name, alias or title; else those whose file name such a title would get."""
    exact = {*words.named(folded(stem(path or f"{name}.md"))), *words.titled(folded(name))}
    return exact or {*words.named(folded(file_name(name, "")))}


def find_even_gone(name: str, vault: Vault, words: Words) -> PagePath:
    """A page by whatever it is called, else by the path or file name that it had; raises `PageNotFound`, `Ambiguous`.

    A path means the page that is or last was there, before any other of that name. A page that was only moved is
    found where it is now.
    """
    bare = bare_name(name)
    path = _as_path(bare)
    is_path = path is not None and ("/" in bare or path == bare) and words.page(path) is None
    if is_path and path and (gone := next(deleted(vault.history, [path]), None)):
        return _where_now(gone, vault, words)
    try:
        return find(name, vault, words)
    except PageNotFound:
        if path and vault.is_left_out(path):
            return path
        keys = {folded(stem(path or f"{bare}.md")), folded(file_name(bare, ""))}
    for missing, version in vault.look().differs.items():  # gone from the folder, and not committed so
        if version is None and (missing == path or ("/" not in bare and folded(stem(missing)) in keys)):
            return missing
    for gone in deleted(vault.history) if "/" not in bare else ():
        if folded(stem(gone.path)) in keys:
            return _where_now(gone, vault, words)
    meant = near(bare, words)
    raise PageNotFound(name, f"did you mean {' or '.join(meant)}?") if meant else PageNotFound(name)


def near(name: str, words: Words) -> list[PagePath]:
    """Pages whose name is a slip away, or whose title says the same words; at most `NEAR`."""
    have = words.have()
    stems = {folded(stem(path)): path for path in have} if len(have) <= FEW else {}
    wanted = folded(stem(_as_path(name) or PagePath(f"{name}.md")))
    slips = [stems[found] for found in difflib.get_close_matches(wanted, stems, n=NEAR, cutoff=0.75)]
    asked = words.forms(re.sub(r"[-_]+", " ", wanted))
    titled = [hit.path for hit in words.search(asked, EVERYTHING, 2 * NEAR, ("title",))]
    return list(dict.fromkeys([*slips, *titled]))[:NEAR]


def _where_now(gone: Gone, vault: Vault, words: Words) -> PagePath:
    """The path of a page that went from its own: another one, if it was moved there."""
    first, left = gone.path, {gone.path}
    while (to := moved_to(vault.history, gone)) and to not in left:
        if words.page(to):
            return to
        left.add(to)
        following = next(deleted(vault.history, [to]), None)
        if following is None:
            break
        gone, first = following, following.path
    return first


def bare_name(name: str) -> str:
    """A name without what is put around it in a link, or before it in a shell."""
    name = name.strip().removeprefix("./")
    if name.startswith("[[") and name.endswith("]]"):
        name = re.split(r"[|#]", name[2:-2], maxsplit=1)[0].strip()
    return name


def _as_path(name: str) -> PagePath | None:
    try:
        return page_path(name)
    except BadPath:
        return None


def _is_there(vault: Vault, path: PagePath) -> bool:
    """Whether a page that the index does not have is in the folder, and the vault's."""
    try:
        vault.read(path)
    except PageNotFound:
        return False
    if vault.is_ignored(path):
        raise BadPath(path, "git ignores it, so it is no page of this vault; see `git check-ignore -v`")
    return True
