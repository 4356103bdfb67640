"""What the machine and its like have found, each shrunk to the steps it takes."""

import shutil

from kit import run_git
from memory_wiki.index.entries import Filter
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees


def wish(title: str) -> Wish:
    return Wish(Memory(f"All about {title}.", title=title), "")


def test_an_index_dropped_while_open_is_made_anew(wiki: Wiki) -> None:
    wiki.remember(wish("P"))
    shutil.rmtree(wiki.index.folder.parent)
    assert_agrees(wiki)


def test_a_deleted_page_is_restored_by_its_path_also_where_others_share_its_name(wiki: Wiki) -> None:
    root = wiki.vault.root
    for name in ("p.md", "one/p.md", "other/p.md"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(f"About {name}\n", encoding="utf-8")
    wiki.catch_up()
    (root / "p.md").unlink()
    assert wiki.log("p.md", None).path == "p.md"
    assert wiki.restore("p.md").path == "p.md"
    assert (root / "p.md").read_text(encoding="utf-8") == "About p.md\n"


def test_a_page_that_git_takes_back_has_the_date_that_it_had(wiki: Wiki) -> None:
    path = wiki.remember(wish("P")).path
    before = wiki.index.words.pages(Filter())
    wiki.edit(path, (Append("More."),))
    run_git(wiki.vault.root, "switch", "--quiet", "--create", "side", "HEAD~1")
    wiki.catch_up()
    assert wiki.index.words.pages(Filter()) == before


def test_a_batch_of_none_writes_nothing(wiki: Wiki) -> None:
    assert wiki.remember_each([]) == ()
