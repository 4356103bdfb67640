"""What the verbs promise: remember, recall, read, edit, restore, move, archive, list, log, diff."""

from pathlib import Path

import pytest

from kit import ADA, Clock, run_git
from memory_wiki.errors import Ambiguous, BadInput, BadPage, Conflict, PageExists, PageNotFound
from memory_wiki.index.entries import Filter
from memory_wiki.page.change import Actor
from memory_wiki.page.edit import AddFact, Append, Body, DropKey, Retract, SetKey, Swap
from memory_wiki.page.memory import Memory
from memory_wiki.page.page import parse
from memory_wiki.recall.recall import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.remembering import Wish


def remember(wiki: Wiki, text: str, project: str | None = None, **given: object) -> Written:
    return wiki.remember(Wish(Memory(text, **given), project))  # type: ignore[arg-type]


def found(wiki: Wiki, question: str, **filters: object) -> list[str]:
    return [hit.path for hit in wiki.recall(Question(question, Filter(**filters))).hits]  # type: ignore[arg-type]


def on_disk(wiki: Wiki, path: str) -> str:
    return (wiki.vault.root / path).read_bytes().decode()


def test_a_memory_becomes_a_readable_page_of_its_own(wiki: Wiki) -> None:
    done = remember(wiki, "We chose Postgres.\n\n- [decision] Orders live in Postgres", type="decision", tags=("db",))
    assert done.path == "global/decisions/we-chose-postgres.md"
    assert on_disk(wiki, done.path) == (
        "---\n"
        "title: We chose Postgres\n"
        "id: 01KB0000000000000000000001\n"
        "type: decision\n"
        "tags: [db]\n"
        "created: 2026-11-30T12:00:02Z\n"
        "by: ada via claude-code\n"
        "---\n"
        "We chose Postgres.\n\n- [decision] Orders live in Postgres ^f0002\n"
    )


def test_a_recall_straight_after_a_write_sees_it(wiki: Wiki) -> None:
    done = remember(wiki, "walruses sleep on ice")
    assert found(wiki, "where do walruses sleep?") == [done.path]


def test_a_whole_page_keeps_what_its_front_matter_says(wiki: Wiki) -> None:
    page = "---\n# mine\nid: MINE\ntype: recipe\nservings: 4\n---\nStir.\n"
    done = remember(wiki, page, title="Soup")
    assert on_disk(wiki, done.path).startswith("---\n# mine\nid: MINE\ntype: recipe\nservings: 4\n")
    assert done.path == "global/notes/soup.md"


@pytest.mark.parametrize(
    "name",
    ["Pool size", "pool-size", "global/notes/pool-size.md", "Basin", "01KB0000000000000000000001", "[[pool-size|x]]"],
)
def test_a_memory_links_to_a_page_by_whatever_it_is_called(wiki: Wiki, name: str) -> None:
    remember(wiki, "---\naliases: [Basin]\n---\ntwenty", title="Pool size")
    done = remember(wiki, "forty", links=(name, "Pool size", "Still to come", ""))
    assert on_disk(wiki, done.path).endswith("forty\n\n- related [[pool-size]]\n- related [[Still to come]]\n")


def test_a_memory_links_once_to_what_its_text_links_to(wiki: Wiki) -> None:
    remember(wiki, "twenty", "shop", title="Pool")
    text = "See [[Pool|the pool]], [it](a%20b.md) and [[gone]].\n"
    done = wiki.remember_each([Wish(Memory(text, links=("pool", "a b", "Gone", "projects/shop/project")))])[0]
    assert on_disk(wiki, done.path).endswith(f"{text}\n- related [[project]]\n")


def test_a_link_names_the_folder_where_two_pages_share_a_name_and_is_no_guess(wiki: Wiki) -> None:
    remember(wiki, "x", "shop", title="Pool")
    remember(wiki, "y", "atlas", title="Pool")
    done = remember(wiki, "z", links=("projects/shop/notes/pool", "Pool"))
    assert on_disk(wiki, done.path).endswith("- related [[shop/notes/pool]]\n- related [[Pool]]\n")


def test_two_memories_of_one_title_never_share_a_page_and_it_is_said(wiki: Wiki) -> None:
    first = remember(wiki, "one", title="Pool size")
    second = remember(wiki, "two", title="pool  SIZE!")
    assert (second.path, second.namesake) == ("global/notes/pool-size-2.md", first.path)
    assert first.namesake is None


def test_many_namesakes_are_told_apart_without_a_long_search(wiki: Wiki) -> None:
    paths = {done.path for done in wiki.remember_each([Wish(Memory("x", title="Same")) for _ in range(14)])}
    assert len(paths) == 14


@pytest.mark.parametrize("text", ["", "   \n", "---\ntitle: x\ntitle: y\n---\n", "---\n- a\n---\n", "a\0b", "\ud800"])
def test_what_cannot_become_a_page_is_refused_and_writes_nothing(wiki: Wiki, text: str) -> None:
    head = wiki.vault.look().head
    with pytest.raises(BadPage):
        remember(wiki, text)
    assert wiki.vault.look().head == head


def test_a_batch_with_a_bad_memory_writes_none_of_it(wiki: Wiki) -> None:
    with pytest.raises(BadPage):
        wiki.remember_each([Wish(Memory("good")), Wish(Memory(""))])
    assert wiki.pages(Filter(), None).pages == ()


def test_a_new_project_gets_its_page_in_the_same_commit(wiki: Wiki) -> None:
    done = remember(wiki, "x", "Shop Backend")
    assert (done.path, done.also) == ("projects/shop-backend/notes/x.md", ("projects/shop-backend/project.md",))
    assert remember(wiki, "y", "shop-backend").also == ()


def test_a_checkout_meets_its_project_by_remote_whatever_its_folder_is_called(
    root: Path, tmp_path: Path, clock: Clock
) -> None:
    paths = []
    for name, url in [
        ("one", "git@github.com:acme/shop.git"),
        ("two", "https://github.com/Acme/shop"),
        ("3", "https://x.org/b/shop"),
    ]:
        folder = tmp_path / name
        folder.mkdir()
        run_git(folder, "init", "-q")
        run_git(folder, "remote", "add", "origin", url)
        with Wiki.open(root, folder, ADA, clock.chance) as wiki:
            paths.append(remember(wiki, f"memory of {name}").path)
    assert [path.split("/")[1] for path in paths] == ["shop", "shop", "b-shop"]


def test_inside_the_vault_one_stands_in_the_project_of_the_folder(root: Path, clock: Clock) -> None:
    (root / "projects" / "shop" / "notes").mkdir(parents=True)
    with Wiki.open(root, root / "projects" / "shop" / "notes", ADA, clock.chance) as wiki:
        assert wiki.project == "shop"


def test_recall_quotes_the_file_with_its_place_version_and_fact(wiki: Wiki) -> None:
    text = "# Pool\n\nIntro.\n\n## Limits\n\n- [fact] Capped at 20 walruses ^f1\n- [fact] Zebras are free ^f2\n"
    (wiki.vault.root / "pool.md").write_text(text, encoding="utf-8")
    hit = wiki.recall(Question("zebras")).hits[0]
    assert (hit.path, hit.headings, hit.fact) == ("pool.md", ("Pool", "Limits"), "f2")
    assert hit.text == "\n".join(text.split("\n")[hit.first_line - 1 : hit.last_line])
    assert hit.version == run_git(wiki.vault.root, "rev-parse", "HEAD:pool.md")


def test_recall_fills_its_budget_and_no_more(wiki: Wiki) -> None:
    wiki.remember_each([Wish(Memory(f"Walrus number {n} lives on floe {n * 7}. " * 12)) for n in range(12)])
    for budget in (60, 200, 1000):
        answer = wiki.recall(Question("walrus floe", budget=budget))
        assert 0 < answer.tokens <= budget
        assert answer.left_out > 0


def test_near_copies_are_folded_into_one_hit(wiki: Wiki) -> None:
    text = "The order service keeps its orders in Postgres sixteen on the machine called walrus, port 5432"
    paths = {remember(wiki, text, title=f"Copy {n}").path for n in range(3)}
    (hit,) = wiki.recall(Question("walrus postgres")).hits
    assert {hit.path, *hit.copies} == paths


def test_superseded_and_archived_pages_come_last_and_say_so(wiki: Wiki) -> None:
    old = remember(wiki, "walrus walrus walrus", title="Walrus, the walrus").path
    gone = remember(wiki, "a walrus of old, walrus indeed", title="Walrus of old").path
    new = remember(wiki, "only once is a walrus named here, among many other words that say little").path
    wiki.edit(old, (SetKey("status", "superseded"),))
    archived = wiki.archive(gone).path
    hits = wiki.recall(Question("walrus")).hits
    assert hits[0].path == new
    assert {(hit.path, hit.status) for hit in hits[1:]} == {(old, "superseded"), (archived, "archived")}


def test_recall_writes_no_page_and_no_commit(wiki: Wiki) -> None:
    remember(wiki, "a walrus")
    before = (run_git(wiki.vault.root, "rev-parse", "HEAD"), run_git(wiki.vault.root, "status", "--porcelain"))
    for _ in range(3):
        found(wiki, "walrus")
    assert (run_git(wiki.vault.root, "rev-parse", "HEAD"), run_git(wiki.vault.root, "status", "--porcelain")) == before


def test_every_filter_holds_and_all_hold_together(wiki: Wiki) -> None:
    a = remember(wiki, "walrus one", "shop", type="decision", tags=("db/pool", "x"), title="A").path
    b = remember(wiki, "walrus two", "atlas", type="fact", tags=("db",), title="B").path
    assert found(wiki, "walrus", projects=("shop",)) == [a]
    assert found(wiki, "walrus", types=("fact",)) == [b]
    assert set(found(wiki, "walrus", tags=("db",))) == {a, b}
    assert found(wiki, "walrus", tags=("db", "x")) == [a]
    assert found(wiki, "walrus", folders=("projects/atlas",)) == [b]
    assert found(wiki, "walrus", folders=(a,)) == [a]
    assert set(found(wiki, "walrus", author="lovelace")) == {a, b}
    assert found(wiki, "walrus", author="grace") == []
    assert found(wiki, "walrus", projects=("shop",), types=("fact",)) == []


@pytest.mark.parametrize(
    "name",
    [
        "global/notes/pool-size.md",
        "global/notes/pool-size",
        "Pool size",
        "pool-size",
        "[[Pool Size]]",
        "Basin",
        "01KB0000000000000000000001",
    ],
)
def test_a_page_answers_to_path_title_file_name_alias_and_id(wiki: Wiki, name: str) -> None:
    remember(wiki, "---\naliases: [Basin]\n---\ntwenty", title="Pool size")
    assert wiki.read(name).page.path == "global/notes/pool-size.md"


def test_a_name_that_two_pages_answer_to_is_never_guessed(wiki: Wiki) -> None:
    remember(wiki, "x", "shop", title="Pool")
    remember(wiki, "y", "atlas", title="Pool")
    with pytest.raises(Ambiguous) as refusal:
        wiki.edit("Pool", (Append("z"),))
    assert refusal.value.paths == ("projects/atlas/notes/pool.md", "projects/shop/notes/pool.md")


def test_edits_change_only_the_bytes_meant(wiki: Wiki) -> None:
    original = b"\xef\xbb\xbf---\r\ntitle: 'Pool'   # keep me\r\nnumber: 0123\r\n---\r\nOne.\r\nTwo.\r\n"
    (wiki.vault.root / "pool.md").write_bytes(original)
    wiki.edit("pool", (Swap("Two.", "Three.\nFour."), SetKey("status", "superseded"), Append("Last.")))
    assert (wiki.vault.root / "pool.md").read_bytes() == original.replace(b"Two.", b"Three.\r\nFour.").replace(
        b"0123\r\n", b"0123\r\nstatus: superseded\r\n"
    ) + b"Last.\r\n"
    wiki.edit("pool", (DropKey("status"), Body("New.")))
    assert (wiki.vault.root / "pool.md").read_bytes() == original.split(b"One.")[0] + b"New.\r\n"


def test_a_fact_that_is_added_gets_an_id_that_the_page_does_not_have(wiki: Wiki) -> None:
    (wiki.vault.root / "a.md").write_text("- [fact] one ^f0001\n", encoding="utf-8")
    wiki.edit("a", (AddFact("fact", "two"), AddFact("fact", "three ^mine"), AddFact("fact", "four", id="f7")))
    assert on_disk(wiki, "a.md") == (
        "- [fact] one ^f0001\n- [fact] two ^f0002\n- [fact] three ^mine\n- [fact] four ^f7\n"
    )
    wiki.edit("a", (Retract("f0002", "2026-11-30"),))
    assert "two (until:: 2026-11-30) ^f0002\n" in on_disk(wiki, "a.md")


@pytest.mark.parametrize(("old", "said"), [("absent", "does not stand"), ("e", "stands 3 times"), ("", "is empty")])
def test_a_passage_to_replace_must_stand_there_once(wiki: Wiki, old: str, said: str) -> None:
    (wiki.vault.root / "a.md").write_text("eee\n", encoding="utf-8")
    with pytest.raises(BadInput, match=said):
        wiki.edit("a", (Swap(old, "x"),))
    assert on_disk(wiki, "a.md") == "eee\n"


def test_an_edit_of_an_expected_version_refuses_any_other(wiki: Wiki) -> None:
    version = remember(wiki, "one", title="A").version
    done = wiki.edit("A", (Append("two"),), version[:8])
    with pytest.raises(Conflict):
        wiki.edit("A", (Append("three"),), version)
    assert wiki.read("A").page.version == done.version


def test_an_edit_that_changes_nothing_commits_nothing(wiki: Wiki) -> None:
    remember(wiki, "one", title="A")
    wiki.edit("A", (SetKey("status", "done"),))
    assert wiki.edit("A", (SetKey("status", "done"),)).commit == ""


def test_restore_brings_the_very_bytes_back_as_a_new_commit(wiki: Wiki) -> None:
    done = remember(wiki, "one", title="A")
    old = on_disk(wiki, done.path)
    wiki.edit("A", (Body("two"),))
    back = wiki.restore("A", done.version[:8])
    assert on_disk(wiki, done.path) == old
    assert (
        run_git(wiki.vault.root, "log", "-1", "--format=%s|%(trailers:key=Version,valueonly)").strip()
        == f"restore: A|{done.version}"
    )
    assert wiki.restore("A", done.version).commit == ""
    assert wiki.restore("A", "HEAD^").version != back.version


@pytest.mark.parametrize("date", ["@{2026-11-30T15:00Z}", "2026-11-30T15:00Z", "3 hours ago"])
def test_restore_takes_a_date(wiki: Wiki, clock: Clock, date: str) -> None:
    first = remember(wiki, "one", title="A")
    clock.at = clock.at.replace(day=30, hour=18)
    wiki.edit("A", (Body("two"),))
    assert wiki.restore("A", date).version == first.version


def test_a_deleted_page_comes_back_by_path_or_name(wiki: Wiki) -> None:
    for name in ("Pool size", "global/notes/pool-size.md"):
        done = wiki.remember(Wish(Memory("twenty", title="Pool size"))) if name == "Pool size" else None
        (wiki.vault.root / "global/notes/pool-size.md").unlink()
        back = wiki.restore(name)
        assert back.path == "global/notes/pool-size.md"
        assert done is None or back.version == done.version


def test_an_archived_page_comes_out_of_the_archive(wiki: Wiki) -> None:
    done = remember(wiki, "one", title="A")
    away = wiki.archive("A")
    assert away.path == f"archive/{done.path}"
    assert parse(away.path, (wiki.vault.root / away.path).read_bytes()).status == "archived"
    back = wiki.restore("A", done.version)
    assert (back.path, back.version, back.was) == (done.path, done.version, away.path)


def test_a_moved_page_is_restored_where_it_is_now(wiki: Wiki) -> None:
    done = remember(wiki, "one", title="A")
    wiki.move("A", "elsewhere/b.md")
    wiki.edit("elsewhere/b.md", (Body("two"),))
    assert wiki.restore("elsewhere/b", done.commit).path == "elsewhere/b.md"
    assert [entry.path for entry in wiki.log("elsewhere/b", None).versions][-1] == done.path


def test_restore_of_a_page_that_is_there_asks_which_version(wiki: Wiki) -> None:
    remember(wiki, "one", title="A")
    with pytest.raises(BadInput, match="--to"):
        wiki.restore("A")


def test_a_move_repoints_only_the_links_that_would_be_lost(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "pool.md").write_text("the pool\n", encoding="utf-8")
    (root / "by-name.md").write_text("see [[pool]] and [[pool#x|that]]\n", encoding="utf-8")
    (root / "by-path.md").write_text("see [it](pool.md) and [[other]]\n", encoding="utf-8")
    moved = wiki.move("pool", "deep/pool.md")
    assert (on_disk(wiki, "by-name.md"), on_disk(wiki, "by-path.md")) == (
        "see [[pool]] and [[pool#x|that]]\n",
        "see [it](deep/pool.md) and [[other]]\n",
    )
    assert moved.also == ("by-path.md",)
    wiki.move("deep/pool", "deep/basin.md")
    assert on_disk(wiki, "by-name.md") == "see [[basin]] and [[basin#x|that]]\n"


def test_a_link_in_front_matter_follows_a_move_and_is_checked_like_any_other(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "old.md").write_text("old\n", encoding="utf-8")
    (root / "new.md").write_text("---\nsupersedes: \"[[old]]\"\nsee: ['[[gone]]']\n---\nnew\n", encoding="utf-8")
    wiki.move("old", "ancient.md")
    assert on_disk(wiki, "new.md") == "---\nsupersedes: \"[[ancient]]\"\nsee: ['[[gone]]']\n---\nnew\n"
    assert [(item.problem.code, item.problem.line) for item in wiki.check().found] == [("dangling-link", 3)]


def test_a_move_never_takes_another_pages_place(wiki: Wiki) -> None:
    remember(wiki, "one", title="A")
    remember(wiki, "two", title="B")
    with pytest.raises(PageExists):
        wiki.move("A", "global/notes/b.md")


def test_a_page_that_never_was_is_not_found(wiki: Wiki) -> None:
    for verb in (wiki.read, wiki.archive, wiki.restore, lambda name: wiki.log(name, 5)):
        with pytest.raises(PageNotFound):
            verb("never")


def test_a_page_is_read_as_it_was(wiki: Wiki) -> None:
    done = remember(wiki, "one", title="A")
    wiki.edit("A", (Body("two"),))
    assert wiki.read("A", done.version).page.body == "one\n"
    assert wiki.read("A").page.body == "two\n"


def test_a_diff_is_by_default_that_of_the_last_change(wiki: Wiki) -> None:
    first = remember(wiki, "one", title="A")
    wiki.edit("A", (Body("two"),))
    wiki.edit("A", (Body("three"),))
    assert "\n-two\n+three\n" in wiki.diff("A").text
    assert "\n-one\n+three\n" in wiki.diff("A", first.version).text
    assert "\n-one\n+two\n" in wiki.diff("A", first.version, "HEAD^").text
    assert wiki.diff("A", first.version, first.version).text == ""


def test_recent_lists_the_newest_first_and_list_by_path(wiki: Wiki) -> None:
    for title in ("B", "C", "A"):
        remember(wiki, title, title=title)
    wiki.edit("B", (Append("x"),))
    assert [Path(entry.path).stem for entry in wiki.recent(Filter(), 2).pages] == ["b", "a"]
    assert [Path(entry.path).stem for entry in wiki.pages(Filter(), None).pages] == ["a", "b", "c"]


def test_dates_filter_by_when_a_page_last_changed(wiki: Wiki, clock: Clock) -> None:
    old = remember(wiki, "walrus", title="Old").path
    clock.at = clock.at.replace(hour=20)
    new = remember(wiki, "walrus", title="New").path
    edge = clock.at.replace(hour=19)
    assert found(wiki, "walrus", since=edge) == [new]
    assert found(wiki, "walrus", until=edge) == [old]


def test_check_names_links_that_lead_nowhere_and_ids_that_two_pages_share(wiki: Wiki) -> None:
    root = wiki.vault.root
    (root / "a.md").write_text(
        "---\nid: X\n---\n# H\nsee [[gone]], [[b#No]], [[b#^f1]], [[#H]], ![[img.png]]\n", encoding="utf-8"
    )
    (root / "b.md").write_text("---\nid: X\n---\ntext ^f1\n", encoding="utf-8")
    (root / "broken.md").write_text("---\na: [\n---\n", encoding="utf-8")
    codes = {(item.path, item.problem.code, item.problem.level) for item in wiki.check().found}
    assert codes == {
        ("a.md", "dangling-link", "warning"),
        ("a.md", "dangling-target", "warning"),
        ("b.md", "same-id", "error"),
        ("broken.md", "front-matter", "error"),
    }


def test_an_agent_without_a_name_of_its_own_writes_for_the_person(root: Path, clock: Clock) -> None:
    with Wiki.open(root, root, Actor("", "codex"), clock.chance) as wiki:
        assert wiki.actor.byline == "Ada Lovelace via codex"
