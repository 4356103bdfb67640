"""What the machine and its like have found, each shrunk to the steps it takes."""

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from kit import run_git
from memory_wiki.errors import Ambiguous, BadMemory, BadPath, Conflict, MemoryWikiError, PageNotFound, Refused
from memory_wiki.index.entries import Filter
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.recall.recall import Question
from memory_wiki.vault import files
from memory_wiki.vault.lock import FileLock, acquired
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from proof import assert_agrees, at_head, in_history, staged


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
    wiki.catch_up()
    before = wiki.index.words.pages(Filter())
    wiki.edit(path, (Append("More."),))
    run_git(wiki.vault.root, "switch", "--quiet", "--create", "side", "HEAD~1")
    wiki.catch_up()
    assert wiki.index.words.pages(Filter()) == before


def test_a_batch_of_none_writes_nothing(wiki: Wiki) -> None:
    assert wiki.remember_each([]) == ()


def save(wiki: Wiki, **files: str | None) -> None:
    """By hand, and caught up with."""
    for name, text in files.items():
        file = wiki.vault.root / f"{name}.md"
        file.unlink() if text is None else file.write_text(text, encoding="utf-8")
    wiki.catch_up()


def blobs(wiki: Wiki) -> set[str]:
    return in_history(wiki.vault.root)


def test_bytes_that_git_was_told_not_to_look_at_are_in_history_before_ours_take_their_place(wiki: Wiki) -> None:
    save(wiki, p="one\n")
    run_git(wiki.vault.root, "update-index", "--assume-unchanged", "p.md")
    (wiki.vault.root / "p.md").write_text("two\n", encoding="utf-8")
    wiki.edit("p", (Append("three"),))
    assert version_of(b"two\n") in blobs(wiki)


def test_an_ignored_page_is_no_page_of_the_vault(wiki: Wiki) -> None:
    (wiki.vault.root / ".gitignore").write_text("draft.md\n", encoding="utf-8")
    save(wiki, draft="secret\n")
    with pytest.raises(BadPath, match="git ignores it"):
        wiki.edit("draft.md", (Append("more"),))
    assert (wiki.vault.root / "draft.md").read_bytes() == b"secret\n"


def test_a_page_in_a_repository_of_its_own_is_not_touched(wiki: Wiki) -> None:
    (wiki.vault.root / "sub").mkdir()
    run_git(wiki.vault.root / "sub", "init", "-q")
    (wiki.vault.root / "sub" / "p.md").write_text("nested\n", encoding="utf-8")
    with pytest.raises(BadPath, match="repository of its own"):
        wiki.edit("sub/p.md", (Append("more"),))


def test_a_deletion_undone_off_a_branch_is_found_again(wiki: Wiki) -> None:
    save(wiki, p="walrus\n")
    run_git(wiki.vault.root, "checkout", "-q", "--detach")
    save(wiki, p=None)
    run_git(wiki.vault.root, "checkout", "-q", "--", "p.md")
    assert [hit.path for hit in wiki.recall(Question("walrus")).hits] == ["p.md"]


def test_a_commit_from_before_a_move_never_gives_the_page_that_had_the_name_then(wiki: Wiki) -> None:
    save(wiki, x="A\n", y="B\n")
    before = wiki.vault.history.head()
    save(wiki, y=None)
    save(wiki, x=None, y="A\n")
    assert wiki.read("y", before).page.body == "A\n"


def test_a_deleted_page_is_restored_though_another_has_the_very_same_text(wiki: Wiki) -> None:
    save(wiki, a="same\n", b="same\n")
    save(wiki, a=None)
    assert wiki.restore("a.md").path == "a.md"


def test_a_life_goes_on_behind_a_merge_that_brought_a_renamed_page(wiki: Wiki) -> None:
    root = wiki.vault.root
    save(wiki, a="1\n2\n3\n4\n5\n")
    run_git(root, "checkout", "-q", "-b", "side")
    run_git(root, "mv", "a.md", "b.md")
    run_git(root, "commit", "-q", "-m", "renamed")
    save(wiki, b="1\n2\n3\n4\n5\n6\n")
    run_git(root, "checkout", "-q", "main")
    save(wiki, other="x\n")
    run_git(root, "merge", "-q", "--no-edit", "side")
    wiki.catch_up()
    assert [entry.path for entry in wiki.log("b", None).versions] == ["b.md", "b.md", "a.md"]


def test_a_short_page_keeps_its_life_through_the_archive_and_back(wiki: Wiki) -> None:
    save(wiki, a="hi\n", link="[it](a.md)\n")
    wiki.archive("a")
    assert len(wiki.log("archive/a.md", None).versions) == 2
    assert wiki.restore("archive/a.md").path == "a.md"
    assert (wiki.vault.root / "link.md").read_bytes() == b"[it](a.md)\n"


def test_a_move_takes_no_other_pages_links(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "deep").mkdir()
    (root / "deep" / "note.md").write_text("the note\n", encoding="utf-8")
    save(wiki, foo="foo\n", link="[[note]]\n")
    wiki.move("foo", "note.md")
    assert (root / "link.md").read_bytes() == b"[[deep/note]]\n"


def test_pages_of_different_ids_are_never_one_however_alike(wiki: Wiki) -> None:
    text = "".join(f"line {n}\n" for n in range(20))
    save(wiki, cats=f"---\nid: X1\n---\n{text}")
    save(wiki, cats=None, dogs=f"---\nid: X2\n---\n{text}")
    assert [entry.path for entry in wiki.log("dogs", None).versions] == ["dogs.md"]


def test_the_one_current_page_comes_before_a_hundred_archived_ones(wiki: Wiki) -> None:
    (wiki.vault.root / "archive").mkdir()
    for n in range(100):
        (wiki.vault.root / "archive" / f"{n}.md").write_text(f"walrus walrus walrus {n * 7919}\n", encoding="utf-8")
    save(wiki, live="one walrus among many other words that say little of it\n")
    hits = wiki.recall(Question("walrus")).hits
    assert (hits[0].path, hits[1].status, len(hits)) == ("live.md", "archived", 10)


def test_the_fact_that_answers_is_not_chosen_by_its_stop_words(wiki: Wiki) -> None:
    save(wiki, zoo="- [fact] This is the best of the zoo ^f1\n- [fact] Zebras cost ten coins ^f2\n")
    assert wiki.recall(Question("what is the price of the zebras")).hits[0].fact == "f2"


def test_dates_that_python_cannot_hold_stop_nobody(wiki: Wiki) -> None:
    root = wiki.vault.root
    for when in ("1700000000 +5130", "99999999999999 +0000", "1700000000 -7530"):
        (root / "a.md").write_text(f"walrus of {when}\n", encoding="utf-8")
        data = f"tree {run_git(root, 'write-tree')}\nauthor A <a@b> {when}\ncommitter A <a@b> {when}\n\nx\n"
        file = root.parent / "commit"
        file.write_text(data.replace("\nauthor", f"\nparent {run_git(root, 'rev-parse', 'HEAD')}\nauthor", 1), "utf-8")
        made = run_git(root, "hash-object", "-t", "commit", "--literally", "-w", str(file))
        run_git(root, "update-ref", "HEAD", made)
        assert wiki.recall(Question("walrus")).hits
        assert wiki.log("a", None).versions
    assert wiki.reindex() == 1


def test_two_names_of_one_title_are_ambiguous_and_one_is_found_by_its_title(wiki: Wiki) -> None:
    save(wiki, foo="---\ntitle: Bar\n---\na\n", hh="# Heading title\n")
    assert wiki.read("Bar").page.path == "foo.md"
    assert wiki.read("heading title").page.path == "hh.md"
    save(wiki, bar="---\ntitle: Baz\n---\nb\n")
    with pytest.raises(Ambiguous):
        wiki.read("Bar")


def test_what_is_asked_for_wins_over_what_the_text_says(wiki: Wiki) -> None:
    text = "---\ntitle:\ntype: ''\ntags: [a]\n---\nBody.\n"
    done = wiki.remember(Wish(Memory(text, title="Asked", type="fact", tags=("b",)), ""))
    assert (
        (wiki.vault.root / done.path)
        .read_text(encoding="utf-8")
        .startswith("---\ntitle: Asked\ntype: fact\ntags: [b]\n")
    )


def test_a_recall_answers_while_another_writes(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    save(wiki, a="walrus\n")
    monkeypatch.setattr("memory_wiki.wiki.opened.PATIENCE", 0.1)
    monkeypatch.setattr("memory_wiki.index.index.PATIENCE", 0.1)
    with Wiki.open(wiki.vault.root, wiki.vault.root) as other, other.vault.locked():
        (wiki.vault.root / "b.md").write_text("zebra\n", encoding="utf-8")
        assert wiki.recall(Question("walrus")).hits
        assert "another process" in wiki.catch_up().left


def test_a_persons_git_settings_change_nothing_of_what_is_read(wiki: Wiki) -> None:
    root = wiki.vault.root
    save(wiki, a="1\n2\n3\n")
    save(wiki, a=None, b="1\n2\n3\n")
    life = wiki.log("b", None)
    settings = {
        "log.follow": "true", "log.showRoot": "false", "log.diffMerges": "combined", "log.showSignature": "true",
        "diff.orderFile": "/nonexistent", "i18n.logOutputEncoding": "latin1", "core.quotePath": "true",
        "status.showUntrackedFiles": "no", "color.ui": "always", "format.pretty": "oneline", "diff.renames": "copies",
        "diff.noprefix": "true", "log.date": "relative", "log.decorate": "full", "core.abbrev": "4",
    }  # fmt: skip
    for name, value in settings.items():
        run_git(root, "config", name, value)
        assert wiki.log("b", None) == life, name
        save(wiki, c=f"{name} walrus\n")
        assert wiki.recall(Question("walrus")).hits, name
        run_git(root, "config", "--unset", name)
    assert not wiki.prove().differing


def test_nothing_is_imported_from_where_one_happens_to_stand(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    trap = wiki.vault.root / "frontmatter.py"
    trap.write_text("open('sprung', 'w')\n", encoding="utf-8")
    monkeypatch.chdir(wiki.vault.root)
    for n in range(310):
        (wiki.vault.root / f"{n}.md").write_text("x\n", encoding="utf-8")
    wiki.catch_up()
    assert not (wiki.vault.root / "sprung").exists()


def test_the_language_of_the_settings_is_that_of_pages_that_do_not_tell(root: Path) -> None:
    (root / "a.md").write_text("Häuser\n", encoding="utf-8")
    found = {}
    for language in ("en", "de"):
        (root / "memory-wiki.toml").write_text(f'language = "{language}"\n', encoding="utf-8")
        with Wiki.open(root, root) as wiki:
            wiki.catch_up()
            found[language] = wiki.index.words.languages()
    assert found == {"en": {"en"}, "de": {"de"}}


def test_a_filter_in_gits_attributes_is_never_passed_by(wiki: Wiki) -> None:
    (wiki.vault.root / ".gitattributes").write_text("*.md filter=crypt\n", encoding="utf-8")
    with pytest.raises(Refused, match="filter"):
        wiki.remember(wish("P"))
    assert "attributes" in {found.problem.code for found in wiki.check().found}


def test_a_move_is_followed_whatever_spaces_its_path_holds(wiki: Wiki) -> None:
    (wiki.vault.root / "my  note.md").write_text("hi\n", encoding="utf-8")
    wiki.catch_up()
    wiki.edit("my  note.md", (Append("ho"),))
    wiki.move("my  note.md", "other  one.md")
    assert [entry.path for entry in wiki.log("other  one.md", None).versions] == ["other  one.md", *["my  note.md"] * 2]


def test_a_strangers_trailers_lead_nowhere(wiki: Wiki) -> None:
    root = wiki.vault.root
    save(wiki, evil="x\n", one="y\n")
    (root / "new.md").write_text("z\n", encoding="utf-8")
    run_git(root, "add", "new.md")
    run_git(root, "rm", "-q", "one.md")
    run_git(root, "commit", "-q", "-m", "x\n\nPage: ../../x.md\nMoved-From: one.md")
    run_git(root, "commit", "-q", "--allow-empty", "-m", "x\n\nPage: evil.md\nMoved-From: ../../etc/passwd")
    assert len(wiki.log("evil", None).versions) == 1
    assert wiki.restore("one.md").path == "one.md"


@pytest.mark.parametrize(
    "junk", ["[]", '"x"', "{", '{"x.md": 5}', '{"../../x.md": null}', '{"a\\u0000.md": null}', '{"a.md": "zz"}']
)
def test_what_a_clone_brings_as_our_own_notes_stops_nobody(wiki: Wiki, junk: str) -> None:
    (wiki.vault.own_folder / "unstaged.json").write_text(junk, encoding="utf-8")
    wiki.remember(wish("P"))
    assert not wiki.prove().differing


def test_a_page_that_was_moved_is_said_to_be_where_it_is(wiki: Wiki) -> None:
    save(wiki, a="hi\n")
    wiki.move("a.md", "b/c.md")
    with pytest.raises(PageNotFound, match=r"it is b/c\.md now"):
        wiki.read("a.md")


def test_two_memories_of_a_batch_never_share_an_id(wiki: Wiki) -> None:
    text = "---\nid: X1\n---\nbody\n"
    with pytest.raises(BadMemory, match="memory 2"):
        wiki.remember_each([Wish(Memory(text, title="A"), ""), Wish(Memory(text, title="B"), "")])


def test_a_copy_in_the_archive_is_folded_into_the_current_page(wiki: Wiki) -> None:
    (wiki.vault.root / "archive").mkdir()
    (wiki.vault.root / "archive" / "two.md").write_text("a walrus on the ice of the north\n", encoding="utf-8")
    save(wiki, one="a walrus on the ice of the north\n")
    (hit,) = wiki.recall(Question("walrus")).hits
    assert (hit.path, hit.copies) == ("one.md", ("archive/two.md",))


def test_a_page_only_intended_to_be_added_is_not_taken_back_by_the_persons_next_commit(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "new.md").write_text("new\n", encoding="utf-8")
    run_git(root, "add", "-N", "new.md")
    wiki.catch_up()
    (root / "code.txt").write_text("x", encoding="utf-8")
    run_git(root, "add", "code.txt")
    run_git(root, "commit", "-q", "-m", "mine")
    assert run_git(root, "show", "HEAD:new.md") == "new"


def test_a_move_that_meets_a_save_midway_leaves_everything_as_it_was(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = wiki.vault.root
    save(wiki, target="t\n", one="[it](target.md)\n", two="[it](target.md)\n")
    replace, calls = files.replace, iter(range(9))

    def save_before_the_second(places: files.Places, path: PagePath, staged: Path) -> None:
        if next(calls) == 0:
            replace(places, path, staged)
            (root / "one.md").write_text("saved\n", encoding="utf-8")
        else:
            replace(places, path, staged)

    monkeypatch.setattr(files, "replace", save_before_the_second)
    with pytest.raises(Conflict):
        wiki.move("target", "x/target.md")
    assert [(root / f"{name}.md").read_text(encoding="utf-8") for name in ("target", "one", "two")] == [
        *("t\n", "saved\n", "[it](target.md)\n")
    ]


def test_a_page_deleted_and_not_committed_so_comes_back(root: Path) -> None:
    (root / "memory-wiki.toml").write_text("commit_outside_edits = false\n", encoding="utf-8")
    (root / "p.md").write_text("text\n", encoding="utf-8")
    run_git(root, "add", "p.md")
    run_git(root, "commit", "-q", "-m", "p")
    with Wiki.open(root, root) as wiki:
        (root / "p.md").unlink()
        assert wiki.restore("p").path == "p.md"
        (root / "p.md").write_text("changed\n", encoding="utf-8")
        assert (wiki.prove().differing, wiki.prove().uncommitted) == ((), ("p.md",))


def test_a_title_with_a_slash_is_a_name_too(wiki: Wiki) -> None:
    done = wiki.remember(Wish(Memory("x", title="a/b c"), ""))
    assert wiki.read("a/b c").page.path == done.path


@pytest.mark.parametrize("name", ["Screenshot 10.00\u202fPM.md", "می\u200cخواهم.md", "a\u00a0b.md", "👩\u200d💻.md"])
def test_a_name_with_characters_that_do_not_print_is_not_taken_back_by_the_persons_next_commit(
    name: str, wiki: Wiki
) -> None:
    root = wiki.vault.root
    (root / name).write_text("saved\n", encoding="utf-8")
    wiki.catch_up()
    (root / "todo.txt").write_text("buy milk\n", encoding="utf-8")
    run_git(root, "add", "todo.txt")
    run_git(root, "commit", "--quiet", "--message=mine")
    assert name in at_head(root)


def test_a_note_that_a_full_disk_cut_off_swallows_no_other(wiki: Wiki) -> None:
    root = wiki.vault.root
    (wiki.vault.own_folder / "unstaged.jsonl").write_text('{"parent": "", "pa', encoding="utf-8")
    wiki.remember(wish("P"))
    assert staged(root) == set()


def test_a_branch_that_is_locked_for_a_moment_holds_a_write_up_no_longer(wiki: Wiki) -> None:
    lock = wiki.vault.root / ".git" / "HEAD.lock"
    lock.touch()
    threading.Timer(0.05, lock.unlink).start()
    assert wiki.remember(wish("P")).commit
    assert_agrees(wiki)


def test_what_a_shell_says_of_another_repository_leads_no_write_there(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    run_git(other, "init", "--quiet")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    done = wiki.remember(wish("P"))
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_WORK_TREE")
    assert run_git(wiki.vault.root, "rev-parse", "HEAD") == done.commit


def test_many_long_paths_fit_into_what_the_system_lets_git_be_asked(wiki: Wiki) -> None:
    folder = wiki.vault.root.joinpath(*(letter * 150 for letter in "abcdef"))
    folder.mkdir(parents=True)
    for number in range(400):
        (folder / f"{number}.md").write_text("deep\n", encoding="utf-8")
    wiki.catch_up()
    assert_agrees(wiki)


@pytest.mark.parametrize("watches", [False, True])
def test_settings_that_change_while_a_wiki_is_open_are_obeyed(watches: bool, wiki: Wiki) -> None:
    root = wiki.vault.root
    if watches:
        wiki.watch()
    head = run_git(root, "rev-parse", "HEAD")
    settings = root / "memory-wiki.toml"
    settings.write_text("commit_outside_edits = false\n", encoding="utf-8")
    (root / "p.md").write_text("Not to be committed: walrus\n", encoding="utf-8")
    assert wiki.recall(Question("walrus")).hits
    assert run_git(root, "rev-parse", "HEAD") == head
    settings.write_text("commit_outside_edits = true\n", encoding="utf-8")
    assert wiki.catch_up().pages == ("p.md",)


def test_memories_of_which_one_has_no_place_are_written_but_for_that_one(wiki: Wiki) -> None:
    (wiki.vault.root / "projects" / "shop").mkdir(parents=True)
    (wiki.vault.root / "projects" / "shop" / "errors").write_text("no folder\n", encoding="utf-8")
    told: list[int] = []
    wishes = [Wish(Memory("About it.", title=kind, type=kind), "shop") for kind in ("note", "error", "fact")]
    with pytest.raises(MemoryWikiError):
        wiki.remember_each(wishes, lambda done, _: told.append(done))
    assert told == [2]
    assert_agrees(wiki)
    assert {"projects/shop/notes/note.md", "projects/shop/facts/fact.md"} <= at_head(wiki.vault.root).keys()


def test_a_batch_is_written_also_while_another_process_indexes(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_wiki.index.index.LOCK_SECONDS", 0.1)
    wiki.catch_up()
    with acquired(FileLock(wiki.vault.own_folder / "index.lock"), 1, "we"):
        assert len(wiki.remember_each([wish("P"), wish("Q")])) == 2
    assert_agrees(wiki)


def test_what_git_has_checked_out_halfway_is_not_committed_though_its_lock_is_gone(wiki: Wiki) -> None:
    """Git replaces its index a moment before it moves HEAD."""
    root = wiki.vault.root
    (root / "p.md").write_text("of main\n", encoding="utf-8")
    wiki.catch_up()
    (root / "p.md").write_text("of the other branch\n", encoding="utf-8")
    run_git(root, "add", "p.md")
    os.utime(root / ".git" / "index", (time.time() + 0.2,) * 2)  # replaced just now, and for as long as we look
    head = run_git(root, "rev-parse", "HEAD")
    started = time.monotonic()
    wiki.catch_up()
    assert run_git(root, "rev-parse", "HEAD^") == head
    assert time.monotonic() - started > 0.2
