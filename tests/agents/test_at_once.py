"""Calls about one page that come at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from process import http, raw

from kit import PATIENCE
from memory_wiki.page.edit import Append
from memory_wiki.wiki import Wiki
from proof import assert_agrees

CLIENTS = 8
EACH = 5


def at_once(does: Callable[[int], object]) -> list[object]:
    """What each of several threads gives, all of which begin together."""
    ready = Barrier(CLIENTS)

    def doing(number: int) -> object:
        ready.wait(PATIENCE)
        return does(number)

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(doing, range(CLIENTS)))


def test_what_eight_clients_append_is_all_there(root: Path) -> None:
    with http(root) as served:
        page = served.tool("remember", text="The pool is 20.", title="Pool", project="shop")[1]["changes"][0]["page"]

        def append(number: int) -> set[int]:
            said = (f"line {number} {step}" for step in range(EACH))
            return {served.tool("edit_page", page=page, append=line)[0] for line in said}

        assert at_once(append) == [{200}] * CLIENTS
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    assert {f"line {number} {step}" for number in range(CLIENTS) for step in range(EACH)} <= set(lines)
    with Wiki.open(root, root) as wiki:
        assert_agrees(wiki)


def test_what_two_servers_append_is_all_there(root: Path, wiki: Wiki) -> None:
    page = wiki.write_page("notes/pool", "# Pool\n", "").path
    with raw(root) as one, raw(root) as two:
        for step in range(EACH):
            asked = [
                (each, each.send("tools/call", name="edit_page", arguments={"page": page, "append": f"{name} {step}"}))
                for name, each in (("one", one), ("two", two))
            ]
            wiki.edit(page, (Append(f"three {step}"),))
            assert not any(each.answer(number)["result"].get("isError") for each, number in asked)
    lines = (root / page).read_text(encoding="utf-8").splitlines()
    assert {f"{name} {step}" for name in ("one", "two", "three") for step in range(EACH)} <= set(lines)


def test_a_version_is_replaced_once(root: Path) -> None:
    with http(root) as served:
        version = served.tool("write_page", page="notes/pool.md", text="# Pool\n")[1]["version"]

        def replace(number: int) -> int:
            return served.tool("write_page", page="notes/pool.md", text=f"# Pool {number}\n", version=version)[0]

        assert sorted(map(str, at_once(replace))) == ["200"] + ["409"] * (CLIENTS - 1)


def test_no_two_new_pages_differ_by_case_alone(root: Path) -> None:
    with http(root) as served:

        def write(number: int) -> int:
            name = "notes/same.md" if number % 2 else "notes/Same.md"
            return served.tool("write_page", page=name, text=f"Text {number}.\n")[0]

        assert sorted(map(str, at_once(write))) == ["200"] + ["409"] * (CLIENTS - 1)
    with Wiki.open(root, root) as wiki:
        assert not wiki.check().found


def test_who_says_wrong_at_once_is_all_heard(root: Path) -> None:
    with http(root) as served:
        served.tool("write_page", page="notes/pool.md", text="# Pool\n")

        def judge(number: int) -> int:
            return served.tool("feedback", page="notes/pool.md", verdict="wrong", note=f"Reason {number}.")[0]

        assert at_once(judge) == [200] * CLIENTS
