"""What tests of hostile input share: a page that must come to no harm, and ways to look whether it did."""

from collections.abc import Mapping

from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath
from memory_wiki.recall.recall import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish

HERON = PagePath("global/notes/heron.md")


def with_heron(wiki: Wiki) -> bytes:
    """Remembers a page that nothing may harm; gives its bytes."""
    wiki.remember(Wish(Memory("A grey heron waits.", title="Heron"), ""))
    return heron(wiki)


def heron(wiki: Wiki) -> bytes:
    return wiki.read(HERON).page.data


def put(wiki: Wiki, pages: Mapping[str, bytes]) -> None:
    """Pages from other hands."""
    for name, data in pages.items():
        (wiki.vault.root / name).write_bytes(data)


def found(wiki: Wiki, question: str) -> set[str]:
    return {hit.path for hit in wiki.recall(Question(question)).found}


def problems(wiki: Wiki) -> dict[str, set[str]]:
    """The codes of what `check` says, by path."""
    codes: dict[str, set[str]] = {}
    for item in wiki.check().found:
        codes.setdefault(item.path, set()).add(item.problem.code)
    return codes
