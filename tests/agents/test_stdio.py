"""Servers over pipes: several on one vault, and clients that cancel, go, or speak no protocol."""

import signal
from contextlib import nullcontext
from pathlib import Path

import pytest
from mcp import Client
from process import http, parameters, raw
from talk import ERAS, Said, said, talk

from kit import PATIENCE, run_git
from memory_wiki.wiki import Wiki
from proof import assert_agrees

MANY = 300
KEYS = ("Actor", "Agent", "Session")


@pytest.mark.parametrize("era", ERAS)
def test_an_agent_remembers_and_a_later_one_recalls(root: Path, era: str) -> None:
    async def first(client: Client) -> Said:
        return said(await client.call_tool("remember", {"text": "Orders are kept in Postgres.", "project": "shop"}))

    async def later(client: Client) -> Said:
        return said(await client.call_tool("recall", {"question": "where are orders kept"}))

    assert not talk(parameters(root), first, era).is_error
    found = talk(parameters(root), later, era)
    assert found.data["quotes"][0]["text"].rstrip() == "Orders are kept in Postgres."


def test_each_server_sees_what_others_write(root: Path) -> None:
    with raw(root) as one, raw(root) as other, Wiki.open(root, root) as person:
        one.call("remember", text="Orders are kept in Postgres.", title="Orders", project="shop")
        assert other.call("recall", question="orders")["structuredContent"]["quotes"][0]["title"] == "Orders"
        version = other.call("read_page", page="Orders")["structuredContent"]["version"]
        other.call("edit_page", page="Orders", version=version, old="Postgres", new="SQLite")
        conflict = one.call("edit_page", page="Orders", version=version, old="Postgres", new="MySQL")
        assert conflict["isError"]
        assert conflict["content"][0]["text"].startswith("conflict: ")
        file = root / person.read("Orders").page.path
        file.write_text(file.read_text(encoding="utf-8") + "By hand.\n", encoding="utf-8")
        for client in (one, other):
            assert client.call("read_page", page="Orders")["structuredContent"]["text"].endswith("SQLite.\nBy hand.\n")
        assert_agrees(person)


def test_a_client_that_goes_leaves_whole_pages(root: Path) -> None:
    with raw(root) as client:
        items = [{"text": f"Fact number {n}.", "title": f"Fact {n}"} for n in range(MANY)]
        client.send("tools/call", name="remember", arguments={"items": items, "project": "shop"})
        assert client.hang_up() == 0
    with Wiki.open(root, root) as wiki:
        assert not wiki.check().found
        assert run_git(root, "status", "--porcelain") == ""
        assert_agrees(wiki)


def test_a_cancelled_call_leaves_whole_pages_and_the_server_lives_on(root: Path) -> None:
    with raw(root) as client:
        items = [{"text": f"Fact number {n}.", "title": f"Fact {n}"} for n in range(MANY)]
        number = client.send("tools/call", name="remember", arguments={"items": items, "project": "shop"})
        client.notify("notifications/cancelled", requestId=number, reason="no longer wanted")
        assert not client.call("status").get("isError")
        assert client.hang_up() == 0
    with Wiki.open(root, root) as wiki:
        assert not wiki.check().found
        assert_agrees(wiki)


def test_what_is_no_protocol_ends_no_server(root: Path) -> None:
    with raw(root) as client:
        for line in ("no JSON", "[]", "{}", '{"jsonrpc":"2.0","id":7}', "[" * 10_000, "\ud7ff\x00", ""):
            client.line(line)
            assert not client.call("status").get("isError")


@pytest.mark.parametrize("is_handed_over", [False, True])
def test_a_launcher_says_who_writes(root: Path, monkeypatch: pytest.MonkeyPatch, is_handed_over: bool) -> None:
    with http(root) if is_handed_over else nullcontext() as served:
        if served:
            assert served.ask("/readyz")[0] == 200
        for what, who in (("ACTOR", "grace"), ("AGENT", "our-agent"), ("SESSION", "s-1")):
            monkeypatch.setenv(f"MEMORY_WIKI_{what}", who)
        with raw(root) as client:
            client.call("remember", text="Orders are kept in Postgres.", project="shop")
    said = [run_git(root, "log", "-1", f"--format=%(trailers:key={key},valueonly)") for key in KEYS]
    assert [each.strip() for each in said] == ["grace", "our-agent", "s-1"]


def test_a_signal_ends_it_in_order(root: Path) -> None:
    with raw(root) as client:
        client.call("remember", text="Orders are kept in Postgres.", project="shop")
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(PATIENCE) == 0
    with Wiki.open(root, root) as wiki:
        assert_agrees(wiki)


def test_without_a_vault_a_persons_own_is_made(home: Path) -> None:
    async def asking(client: Client) -> Said:
        return said(await client.call_tool("status", {}))

    target = parameters(home)
    target.args = [each for each in target.args if each not in {"--vault", str(home)}]
    found = talk(target, asking)
    assert Path(found.data["vault"]) == home / ".local" / "share" / "memory-wiki" / "vault"
