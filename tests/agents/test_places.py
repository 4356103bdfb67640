"""Which project a call is for."""

from pathlib import Path

import pytest
from mcp import Client
from talk import ERAS, Said, call, rooted_in, said, server_of, talk

from kit import run_git
from memory_wiki.errors import BadInput, ProjectNotFound
from memory_wiki.faces.mcp.places import EVERY, Bindings, Place, Scope, folders_of
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.wiki import Wiki


def place(*folders: Path, bound: str | None = None, known: frozenset[str] = frozenset({"shop", "blog"})) -> Place:
    return Place(folders, bound, lambda: known, lambda folder: folder.name)


def test_a_given_project_wins_over_all_else(tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    assert place(tmp_path / "blog", bound="blog").scope("Shop") == Scope("shop", ("shop", ""))
    assert place(tmp_path / "blog", bound="blog").home("Shop") == "shop"


def test_where_the_client_stands_wins_over_what_its_session_said(tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    assert place(tmp_path / "blog", bound="shop").here() == "blog"
    assert place(bound="shop").here() == "shop"


def test_a_folder_of_another_machine_is_known_by_its_name(tmp_path: Path) -> None:
    assert place(tmp_path / "gone" / "Shop").here() == "shop"
    assert place(tmp_path / "gone" / "elsewhere").here() is None


def test_every_project_is_asked_for_by_a_star() -> None:
    assert place(bound="shop").scope(EVERY) == Scope("shop", ())
    assert place(bound="shop").home(EVERY) == ""


def test_without_a_project_all_is_found_and_nothing_is_written() -> None:
    assert place().scope("") == Scope("", ())
    with pytest.raises(BadInput, match=r"which project .* Known: blog, shop\."):
        place().home("")


def test_a_slip_makes_no_project() -> None:
    with pytest.raises(ProjectNotFound, match="did you mean shop"):
        place().home("shopp")
    with pytest.raises(ProjectNotFound, match="did you mean shop"):
        place().scope("shopp")
    assert place().home("warehouse") == "warehouse"


def test_a_project_that_another_call_makes_meanwhile_is_no_slip_of_itself() -> None:
    looks = iter([frozenset[str](), frozenset({"bench"}), frozenset({"bench"})])
    assert Place((), None, lambda: next(looks), lambda folder: folder.name).home("bench") == "bench"


def test_a_name_without_letters_is_no_project() -> None:
    with pytest.raises(BadInput, match="names no project"):
        place().home("///")


def test_roots_of_other_kinds_are_passed_over() -> None:
    assert folders_of(["https://example.org/x", "file:///home/ada/a%20b", "file://"]) == (Path("/home/ada/a b"),)


def test_the_session_used_least_is_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_wiki.faces.mcp.places.MOST_SESSIONS", 2)
    bindings = Bindings()
    for session in ("a", "b"):
        bindings.bind(session, f"project-{session}")
    assert bindings.of("a") == "project-a"
    bindings.bind("c", "project-c")
    assert [bindings.of(session) for session in ("a", "b", "c")] == ["project-a", None, "project-c"]


@pytest.mark.parametrize("era", ERAS)
def test_a_clients_roots_say_its_project(server: MemoryServer, tmp_path: Path, era: str) -> None:
    code = tmp_path / "shop"
    code.mkdir()
    run_git(code, "init", "-q")

    async def recalling(client: Client) -> Said:
        return said(await client.call_tool("recall", {"question": "where are posts and orders kept"}))

    found = talk(server, recalling, era, **rooted_in(code.as_uri()))
    assert [quote["project"] for quote in found.data["quotes"]] == ["shop"]


@pytest.mark.parametrize("era", ERAS)
def test_brief_settles_the_project_of_a_session(server: MemoryServer, era: str) -> None:
    async def working(client: Client) -> tuple[Said, Said]:
        await client.call_tool("brief", {"project": "blog"})
        written = said(await client.call_tool("remember", {"text": "Drafts are reviewed on Fridays."}))
        return written, said(await client.call_tool("recall", {"question": "where are posts and orders kept"}))

    written, found = talk(server, working, era)
    assert written.data["changes"][0]["page"].startswith("projects/blog/")
    assert {quote["project"] for quote in found.data["quotes"]} == {"blog"}


def test_the_directory_a_server_runs_in_says_nothing(root: Path, tmp_path: Path) -> None:
    code = tmp_path / "somewhere"
    code.mkdir()
    run_git(code, "init", "-q")
    with Wiki.open(root, code) as wiki:
        found = call(server_of(wiki), "remember", text="The tests run on Linux.")
    assert found.is_error
    assert found.text.startswith("bad-input: which project is this for?")


def test_what_the_launcher_says_holds_where_the_client_says_nothing(wiki: Wiki) -> None:
    found = call(server_of(wiki, "shop"), "remember", text="The tests run on Linux.")
    assert found.data["changes"][0]["page"].startswith("projects/shop/")
