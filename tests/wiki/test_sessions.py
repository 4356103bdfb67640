"""What a session is told at its start, and what it says of pages."""

import json
import stat

import pytest

from kit import run_git
from memory_wiki.errors import BadInput, PageNotFound, Refused
from memory_wiki.page.edit import DropKey, SetKey
from memory_wiki.page.memory import Memory
from memory_wiki.recall.answer import Question
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish


def remember(wiki: Wiki, text: str, type_: str, project: str = "shop", **more: bool) -> str:
    return wiki.remember(Wish(Memory(text, type=type_, **more), project)).path  # type: ignore[arg-type]


def test_a_brief_has_what_a_session_should_know(wiki: Wiki) -> None:
    pinned = remember(wiki, "The till is offline on Mondays.", "fact", pinned=True)
    wish = remember(wiki, "Always answer in short sentences.", "", "")
    handoff = remember(wiki, "Left to do: migrate the orders.", "handoff")
    text = "# Database\n\nWe chose Postgres. Two services write at once."
    decision = remember(wiki, text, "decision")
    session = remember(wiki, "Fixed the pool.", "session")
    error = remember(wiki, "The build fails without libpq.", "error")
    remember(wiki, "We chose SQLite for posts.", "decision", "blog")
    old = remember(wiki, "We chose MySQL.", "decision")
    wiki.edit(old, (SetKey("status", "superseded"),))
    found = wiki.brief("shop")
    assert [(item.section, item.path) for item in found.items] == [
        ("project", "projects/shop/project.md"),
        ("pinned", pinned),
        ("asked for from now on", wish),
        ("open handoffs", handoff),
        ("decisions", decision),
        ("last sessions", session),
        ("also", error),
    ]
    quoted = next(item for item in found.items if item.path == decision)
    assert quoted.text == "We chose Postgres."
    assert quoted.version == wiki.read(decision).page.version


def test_without_a_project_it_has_what_holds_for_all(wiki: Wiki) -> None:
    remember(wiki, "We chose Postgres.", "decision")
    wish = remember(wiki, "Always answer in short sentences.", "", "")
    assert [item.path for item in wiki.brief().items] == [wish]


def test_feedback_that_helps_commits_nothing(wiki: Wiki) -> None:
    page = remember(wiki, "We chose Postgres.", "decision")
    before = run_git(wiki.vault.root, "rev-parse", "HEAD")
    noted = wiki.feedback(page, "useful")
    assert not noted.asks_review
    assert run_git(wiki.vault.root, "rev-parse", "HEAD") == before
    (log,) = (wiki.vault.own_folder / "uses").iterdir()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700
    use = json.loads(log.read_text(encoding="utf-8"))
    assert (use["page"], use["verdict"], use["version"], use["by"]) == (page, "useful", noted.version, "ada")


def test_what_is_wrong_is_marked_and_still_found_first(wiki: Wiki) -> None:
    page = remember(wiki, "Orders are kept in Postgres.", "decision")
    other = remember(wiki, "Orders of paper are kept in the cellar.", "note")
    noted = wiki.feedback(page, "wrong", "SQLite\nby now")
    assert noted.asks_review
    read = wiki.read(page).page
    assert (read.status, read.version) == ("disputed", noted.version)
    assert read.values["review"] == "wrong: SQLite by now (ada via claude-code, 2026-11-30)"
    assert run_git(wiki.vault.root, "log", "-1", "--format=%s") == f"flag: {read.title}"
    hits = wiki.recall(Question("where are orders kept in Postgres", project="shop")).hits
    assert [(hit.path, hit.status) for hit in hits] == [(page, "disputed"), (other, "active")]
    assert [item.path for item in wiki.brief("shop").items if item.section == "to be reviewed"] == [page]
    wiki.edit(page, (SetKey("status", "active"), DropKey("review")))
    assert not [item for item in wiki.brief("shop").items if item.section == "to be reviewed"]


def test_feedback_that_can_not_be_meant(wiki: Wiki) -> None:
    page = remember(wiki, "We chose Postgres.", "decision")
    with pytest.raises(BadInput, match="say useful, wrong or stale"):
        wiki.feedback(page, "meh")
    with pytest.raises(PageNotFound):
        wiki.feedback("nothing like it", "useful")
    assert not (wiki.vault.own_folder / "uses").exists()


def test_a_link_in_place_of_our_log_is_not_followed(wiki: Wiki, tmp_path_factory: pytest.TempPathFactory) -> None:
    page = remember(wiki, "We chose Postgres.", "decision")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (wiki.vault.own_folder / "uses").symlink_to(elsewhere)
    with pytest.raises(Refused):
        wiki.feedback(page, "wrong")
    assert not list(elsewhere.iterdir())
    assert wiki.read(page).page.status == "active"
