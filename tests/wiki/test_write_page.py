"""A program writes whole pages: at the version that it read, inside the fence, and never what can't be read again."""

import pytest

from kit import run_git
from memory_wiki.errors import BadPage, BadPath, BadRevision, Conflict, PageExists, PageNotFound
from memory_wiki.page.memory import Memory
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish


def test_a_new_page_is_just_what_was_given_and_is_found(wiki: Wiki) -> None:
    text = "---\ntitle: Walrus\nid: W1\n---\nWalruses dive.\r\n\n"
    done = wiki.write_page("projects/sea/notes/walrus", text, "")
    assert (done.verb, done.path, done.title) == ("remember", "projects/sea/notes/walrus.md", "Walrus")
    assert (wiki.vault.root / done.path).read_bytes() == text.encode()
    assert [hit.path for hit in wiki.recall(Question("walruses")).hits] == [done.path]
    assert run_git(wiki.vault.root, "log", "-1", "--format=%s") == "remember: Walrus"


def test_a_page_is_replaced_at_the_version_that_was_read(wiki: Wiki) -> None:
    first = wiki.write_page("a", "one\n", "")
    done = wiki.write_page("a", "# Two\n", first.version[:8])
    assert (done.verb, done.title, wiki.read("a").page.text) == ("edit", "Two", "# Two\n")
    assert wiki.write_page("a", "# Two\n", done.version).commit == ""
    with pytest.raises(Conflict) as refusal:
        wiki.write_page("a", "three\n", first.version)
    assert (refusal.value.wanted, refusal.value.found) == (first.version, done.version)
    with pytest.raises(BadRevision):
        wiki.write_page("a", "three\n", "ab")
    with pytest.raises(PageNotFound):
        wiki.write_page("b", "three\n", first.version)


def test_a_new_page_never_takes_anothers_place_also_where_only_case_differs(wiki: Wiki) -> None:
    wiki.write_page("notes/a", "one\n", "")
    for name in ("notes/a", "notes/A.md"):
        with pytest.raises(PageExists):
            wiki.write_page(name, "two\n", "")


@pytest.mark.parametrize(
    "path",
    ["../a", "/etc/a", "a/../../b", ".obsidian/a", "x/.git/a", "CLAUDE.md", "deep/agents.md", "con", "a\0b", "out/a"],
)
def test_no_page_is_made_outside_the_fence(wiki: Wiki, path: str) -> None:
    (wiki.vault.root / "out").symlink_to(wiki.vault.root.parent)
    with pytest.raises(BadPath):
        wiki.write_page(path, "text\n", "")
    assert not (wiki.vault.root.parent / "a.md").exists()


def test_no_page_is_made_where_git_would_ignore_it(wiki: Wiki) -> None:
    (wiki.vault.root / ".gitignore").write_text("private/\n", encoding="utf-8")
    with pytest.raises(BadPath, match="ignores"):
        wiki.write_page("private/a", "text\n", "")


@pytest.mark.parametrize(
    "text", ["", " \n", "---\na: [\n---\n", "---\nnever ends\n", "a\0b", "\ud800", "x" * 9_000_000]
)
def test_what_could_not_be_read_as_a_page_is_refused(wiki: Wiki, text: str) -> None:
    with pytest.raises(BadPage):
        wiki.write_page("new", text, "")
    old = wiki.write_page("a", "---\ntitle: A\n---\n", "")
    with pytest.raises(BadPage):
        wiki.write_page("a", text, old.version)
    assert wiki.read("a").page.version == old.version


def test_a_page_that_is_broken_already_may_be_mended_by_and_by(wiki: Wiki) -> None:
    (wiki.vault.root / "a.md").write_text("---\na: [\nb: {\n---\n", encoding="utf-8")
    done = wiki.write_page("a", "---\na: []\nb: {\n---\n", wiki.read("a").page.version)
    assert wiki.write_page("a", "---\na: []\n---\n", done.version).commit


def test_no_page_takes_the_id_of_another(wiki: Wiki) -> None:
    one = wiki.remember(Wish(Memory("one")))
    text = wiki.read(one.path).page.text
    with pytest.raises(BadPage, match=one.path):
        wiki.write_page("copy", text, "")
    assert wiki.write_page(one.path, text + "more\n", one.version).commit


def test_a_page_that_changed_by_hand_meanwhile_is_a_conflict(wiki: Wiki) -> None:
    first = wiki.write_page("a", "one\n", "")
    (wiki.vault.root / "a.md").write_text("by hand\n", encoding="utf-8")
    with pytest.raises(Conflict):
        wiki.write_page("a", "two\n", first.version)
    assert wiki.read("a").page.text == "by hand\n"
