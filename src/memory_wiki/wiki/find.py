"""From what a person calls a page to its path."""

from memory_wiki.errors import Ambiguous, BadPath, PageNotFound
from memory_wiki.index.words import Words
from memory_wiki.page.links import resolve
from memory_wiki.page.path import PagePath, file_name, folded, page_path, stem
from memory_wiki.vault.past import deleted
from memory_wiki.vault.vault import Vault

ROOT = PagePath("-.md")  # links in a question are read as from a page at the top


def find(name: str, vault: Vault, words: Words) -> PagePath:
    """A page by path, id, title, file name or alias, `[[…]]` around it or not; raises `PageNotFound`, `Ambiguous`."""
    name = name.strip().removeprefix("[[").removesuffix("]]").strip()
    if (path := _as_path(name)) and words.page(path):
        return path
    if len(found := words.with_id(name)) == 1:
        return found[0]
    for key in (folded(stem(path or f"{name}.md")), folded(file_name(name, ""))):
        candidates = words.named(key) if key and "/" not in name else ()
        if len(candidates) > 1:
            raise Ambiguous(name, sorted(candidates))
        if candidates:
            return candidates[0]
    if path := resolve(name, ROOT, words.named):
        return path
    if (path := _as_path(name)) and _is_there(vault, path):
        return path
    raise PageNotFound(name)


def find_gone(name: str, vault: Vault) -> PagePath:
    """A page that is no longer there, by the path or file name it had, the latest such; raises `PageNotFound`."""
    name = name.strip().removeprefix("[[").removesuffix("]]").strip()
    keys = {folded(stem(f"{name}.md" if not name.endswith(".md") else name)), folded(file_name(name, ""))}
    path = _as_path(name)
    for gone in deleted(vault.history):
        if gone == path or ("/" not in name and folded(stem(gone)) in keys):
            return gone
    raise PageNotFound(name, "no page of that name is there, nor was; `memory-wiki recent` shows what changed")


def _as_path(name: str) -> PagePath | None:
    try:
        return page_path(name)
    except BadPath:
        return None


def _is_there(vault: Vault, path: PagePath) -> bool:
    try:
        vault.read(path)
    except PageNotFound:
        return False
    return True
