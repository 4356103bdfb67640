"""What goes wrong says what to do next, whichever door it was asked at."""

import json
import os
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from mcp import Client, MCPError
from process import COMMAND, http, raw
from talk import call, talk

from kit import PATIENCE
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.wiki import Wiki


@pytest.mark.parametrize("uri", ["memory://recent", "memory://page/postgres", "memory://project/shop/brief"])
def test_a_resource_of_a_vault_that_has_gone_says_why(server: MemoryServer, wiki: Wiki, uri: str) -> None:
    away = wiki.vault.root.rename(wiki.vault.root.with_name("away"))

    async def reading(client: Client) -> None:
        with pytest.raises(MCPError, match=r"git-failed: .* No such file or directory"):
            await client.read_resource(uri)
        with pytest.raises(MCPError, match="git-failed: "):
            await client.list_resources()
        with pytest.raises(MCPError, match="git-failed: "):
            await client.list_prompts()

    talk(server, reading)
    away.rename(wiki.vault.root)


def test_a_resource_that_may_be_several_names_them(server: MemoryServer) -> None:
    for folder in ("a", "b"):
        call(server, "write_page", page=f"{folder}/same", text="# Same\n")

    async def reading(client: Client) -> None:
        with pytest.raises(MCPError, match=r"ambiguous: 'same' may mean a/same.md, b/same.md"):
            await client.read_resource("memory://page/same")

    talk(server, reading)


def test_settings_that_can_not_be_meant_are_told_while_a_server_runs(server: MemoryServer, wiki: Wiki) -> None:
    file = wiki.vault.root / "memory-wiki.toml"
    good = file.read_bytes()
    file.write_text("budget = [broken\n", encoding="utf-8")
    assert "memory-wiki.toml is no valid TOML" in call(server, "status").text
    assert call(server, "recall", question="where are orders kept").data["quotes"]
    file.write_bytes(good)
    assert "memory-wiki.toml" not in call(server, "status").text


def test_plain_json_names_tools_and_addresses(root: Path) -> None:
    with http(root) as served:
        assert "`list_pages` shows" in served.tool("read_page", page="nothing like it")[1]["error"]["message"]
        for path, status in (("/nothing", 404), ("/api/v1/recall", 405)):
            code, body, _ = served.ask(path)
            assert code == status
            assert "/api/v1/TOOL by POST" in json.loads(body)["error"]["message"]


@pytest.mark.parametrize("command", ["mcp", "serve"])
def test_a_project_that_is_no_name_is_refused_at_once(root: Path, command: str) -> None:
    asked = [*COMMAND, command, "--vault", str(root), "--project", "!!!"]
    done = subprocess.run(
        asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "'!!!' names no project" in done.stderr


def test_the_first_server_that_ends_leaves_the_door_of_the_second(root: Path) -> None:
    door = root / ".memory-wiki" / "serve.sock"
    with http(root) as first:
        assert first.ask("/readyz")[0] == 200
        with http(root) as second:
            assert second.ask("/readyz")[0] == 200
            first.process.terminate()
            first.process.wait(PATIENCE)
            with raw(root) as client:
                assert not client.call("status").get("isError")
                assert second.tool("status")[0] == 200
            assert door.exists()
    assert not door.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can listen as somebody else")
def test_nothing_is_handed_over_to_another_person(root: Path) -> None:
    heard = []
    with socket.socket(socket.AF_UNIX) as listener:
        (root / ".memory-wiki").mkdir(exist_ok=True)
        listener.bind(str(root / ".memory-wiki" / "serve.sock"))
        os.seteuid(65534)
        try:
            listener.listen()  # whose process it is, is noted here
        finally:
            os.seteuid(0)

        def listening() -> None:
            other, _ = listener.accept()
            with other:
                heard.append(other.recv(100))

        threading.Thread(target=listening, daemon=True).start()
        with raw(root) as client:
            assert not client.call("status").get("isError")
    assert heard in ([], [b""])


def test_an_error_names_arguments_and_no_options(server: MemoryServer) -> None:
    dates = call(server, "recall", question="x", since="2026-01-02", until="2026-01-01")
    assert dates.text.startswith("bad-input: since 2026-01-02 is later than until 2026-01-01")
    assert "say which version with `version`: `history`" in call(server, "restore_page", page="Postgres").text


@pytest.mark.parametrize("sent", ["Größe".encode(), "Größe".encode("latin-1"), "日本".encode()])
def test_a_header_may_be_in_utf8_or_latin1(root: Path, sent: bytes) -> None:
    meant = "größe" if sent[0] == ord("G") else "日本"
    body = b'{"text": "Orders are kept in Postgres."}'
    with http(root) as served:
        head = f"POST /api/v1/remember HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        head += f"Authorization: {served.bearer['Authorization']}\r\nConnection: close\r\nMemory-Wiki-Project: "
        with socket.create_connection(("127.0.0.1", int(served.base.rpartition(":")[2]))) as client:
            client.sendall(head.encode() + sent + b"\r\n\r\n" + body)
            with client.makefile("rb") as answer:
                found = json.loads(answer.read().partition(b"\r\n\r\n")[2])
    assert found["changes"][0]["page"] == f"projects/{meant}/notes/orders-are-kept-in-postgres.md"
