"""The server over HTTP: who is let in, plain JSON, what operators watch, and how it ends."""

import asyncio
import json
import os
import signal
import socket
import stat
import subprocess
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from process import COMMAND, HELLO, Http, http, raw
from prometheus_client.parser import text_string_to_metric_families
from talk import ERAS, Said, said

from kit import ADA, PATIENCE, START
from memory_wiki.faces.http.guard import MOST_BYTES
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from proof import assert_agrees


@asynccontextmanager
async def connected(served: Http, era: str) -> AsyncIterator[Client]:
    async with (
        asyncio.timeout(PATIENCE),
        httpx2.AsyncClient(headers=served.bearer) as web,
        Client(streamable_http_client(served.url, http_client=web), mode=era) as client,
    ):
        yield client


@pytest.fixture
def served(root: Path) -> Iterator[Http]:
    with http(root) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    """One server, and its vault, of all tests that neither end it nor count what is in it."""
    home = tmp_path_factory.mktemp("shared")
    root = home / ".local" / "share" / "memory-wiki" / "vault"  # where a person's own is made at once
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    env = {**kept, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "MEMORY_WIKI_MODEL": "none"}
    root.parent.mkdir(parents=True)
    make(root, ADA, START)
    with http(root, env=env) as found:
        yield found


def test_who_is_let_in(shared: Http) -> None:
    assert shared.ask("/healthz", headers={})[0] == 200
    assert shared.ask("/readyz", headers={})[0] == 200
    for path in ("/mcp", "/metrics", "/api/v1/openapi.json", "/nothing"):
        status, body, headers = shared.ask(path, headers={})
        assert (status, json.loads(body)["error"]["code"]) == (401, "no-token")
        assert headers["www-authenticate"].startswith("Bearer")
    for wrong in ("", "x", shared.token[:-1], f"{shared.token}x"):
        assert shared.ask("/metrics", headers={"Authorization": f"Bearer {wrong}"})[0] == 401
    assert shared.ask("/metrics", headers={"Authorization": f"Basic {shared.token}"})[0] == 401
    assert shared.ask("/metrics")[0] == 200
    # a page in a browser, whether it rebinds a name of its own or asks from its own origin
    assert shared.ask("/metrics", headers={**shared.bearer, "Host": "evil.example"})[0] == 421
    assert shared.ask("/healthz", headers={"Host": "evil.example"})[0] == 421
    assert shared.ask("/metrics", headers={**shared.bearer, "Origin": "https://evil.example"})[0] == 403
    assert shared.ask("/metrics", headers={**shared.bearer, "Origin": "null"})[0] == 403
    assert shared.ask("/metrics", headers={**shared.bearer, "Origin": "http://localhost:5173"})[0] == 200
    assert shared.tool("remember", text="x" * MOST_BYTES)[0] == 413


def test_a_body_without_a_length_is_bounded_too(shared: Http) -> None:
    pieces = (b"x" * 1_000_000 for _ in range(MOST_BYTES // 1_000_000 + 2))
    found = httpx2.post(f"{shared.base}/api/v1/recall", content=pieces, headers=shared.bearer)
    assert found.status_code == 413
    assert shared.tool("status")[0] == 200


def test_a_project_in_a_header_is_a_name_and_no_path(shared: Http) -> None:
    headers = {**shared.bearer, "Memory-Wiki-Project": "../Shop"}
    _, found = shared.tool("remember", headers, text="Paths are no projects.")
    assert found["changes"][0]["page"] == "projects/shop/notes/paths-are-no-projects.md"
    assert shared.tool("recall", {**shared.bearer, "Memory-Wiki-Project": "../.."}, question="x")[0] == 400


def test_the_token_is_kept_from_others(served: Http, root: Path, home: Path) -> None:
    (file,) = (home / ".local" / "share" / "memory-wiki" / "tokens").iterdir()
    assert file.read_text(encoding="ascii").strip() == served.token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(served.token) >= 32
    with http(root) as again:
        assert again.token == served.token


def test_plain_json(shared: Http) -> None:
    assert shared.tool("remember", text="Orders are kept in Postgres.", title="Orders", project="shop")[0] == 200
    status, found = shared.tool("recall", question="where are orders kept")
    assert (status, found["quotes"][0]["title"]) == (200, "Orders")
    headers = {**shared.bearer, "Memory-Wiki-Project": "shop", "Memory-Wiki-Agent": "curl"}
    assert shared.tool("remember", headers, text="The pool has 20 connections.", title="Pool")[0] == 200
    page = shared.tool("read_page", page="Pool")[1]
    assert page["page"].startswith("projects/shop/")
    assert " via curl\n" in page["text"]
    wrong: list[tuple[str, dict[str, Any], int]] = [
        ("recall", {}, 400),
        ("recal", {"question": "x"}, 400),
        ("read_page", {"page": "nothing"}, 404),
        ("write_page", {"page": "projects/shop/notes/pool.md", "text": "x"}, 409),
        ("write_page", {"page": "../x.md", "text": "x"}, 400),
    ]
    for tool, arguments, status in wrong:
        code, body = shared.tool(tool, **arguments)
        assert (code, bool(body["error"]["message"])) == (status, True)
    assert shared.ask("/api/v1/recall", b"{")[0] == 400
    assert shared.ask("/api/v1/recall", b"[" * 100_000)[0] == 400


def test_it_describes_itself(shared: Http) -> None:
    found = json.loads(shared.ask("/api/v1/openapi.json")[1])
    assert found["openapi"].startswith("3.1")
    operation = found["paths"]["/api/v1/recall"]["post"]
    assert operation["requestBody"]["content"]["application/json"]["schema"]["required"] == ["question"]
    assert "$ref" not in json.dumps(found)


def test_operators_see_calls_and_sizes(served: Http) -> None:
    served.tool("remember", text="Orders are kept in Postgres.", project="shop")
    served.tool("read_page", page="nothing")
    families = text_string_to_metric_families(served.ask("/metrics")[1])
    samples = [sample for family in families for sample in family.samples]
    found = {(each.name, each.labels.get("tool"), each.labels.get("outcome")): each.value for each in samples}
    assert found["memory_wiki_calls_total", "remember", "ok"] == 1
    assert found["memory_wiki_calls_total", "read_page", "page-not-found"] == 1
    assert found["memory_wiki_call_seconds_count", "remember", None] == 1
    assert found["memory_wiki_pages", None, None] == 2


@pytest.mark.parametrize("era", ERAS)
def test_agents_speak_mcp_with_a_token(shared: Http, era: str) -> None:
    async def working() -> tuple[Said, Said, Said]:
        async with connected(shared, era) as client:
            brief = said(await client.call_tool("brief", {"project": "shop"}))
            written = said(await client.call_tool("remember", {"text": "Drafts are reviewed on Fridays."}))
            return brief, written, said(await client.call_tool("recall", {"question": "when are drafts reviewed"}))

    brief, written, found = asyncio.run(working())
    if era == "legacy":
        assert not written.is_error
        assert found.data["quotes"][0]["page"].startswith("projects/shop/")
    else:  # such a client keeps no session, which the brief says
        assert "give this `project` with each call" in brief.text
        assert written.text.startswith("bad-input: which project is this for?")


def test_two_sessions_in_two_projects_never_cross(shared: Http) -> None:
    async def working(client: Client, project: str) -> set[str]:
        await client.call_tool("brief", {"project": project})
        texts = (f"Fact {n} of {project}." for n in range(10))
        found = [said(await client.call_tool("remember", {"text": text})) for text in texts]
        return {each.data["changes"][0]["page"].split("/")[1] for each in found}

    async def both() -> list[set[str]]:
        async with connected(shared, "legacy") as one, connected(shared, "legacy") as other:
            return list(await asyncio.gather(working(one, "shop"), working(other, "blog")))

    assert asyncio.run(both()) == [{"shop"}, {"blog"}]


def test_an_agents_own_server_is_handed_over(served: Http, root: Path) -> None:
    with raw(root) as one, raw(root, "--project", "blog") as other:
        one.call("brief", project="shop")
        one.call("remember", text="Orders are kept in Postgres.")
        other.call("remember", text="Posts are kept in SQLite.")
        found = one.call("recall", question="where are orders and posts kept")["structuredContent"]["quotes"]
        assert [quote["project"] for quote in found] == ["shop"]
        found = other.call("recall", question="where are orders and posts kept")["structuredContent"]["quotes"]
        assert [quote["project"] for quote in found] == ["blog"]
        assert one.hang_up() == 0
        served.process.terminate()
        assert other.process.wait(PATIENCE) == 0
    assert not (root / ".memory-wiki" / "serve.sock").exists()


def test_a_client_that_hangs_up_amid_an_answer_takes_nobody_along(served: Http, root: Path) -> None:
    assert served.ask("/readyz")[0] == 200
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
    lists = [{"jsonrpc": "2.0", "id": number, "method": "tools/list", "params": {}} for number in range(2, 20)]
    greeted = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    for sent in (b"", b"{}\n", b"\n".join(json.dumps(each).encode() for each in ({}, hello, greeted, *lists)) + b"\n"):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(root / ".memory-wiki" / "serve.sock"))
            client.sendall(sent)

    async def listing() -> int:
        async with connected(served, "legacy") as client:
            return len((await client.list_tools()).tools)

    with raw(root) as after:
        assert not after.call("status").get("isError")
    assert asyncio.run(listing()) == 12


def test_a_server_that_was_killed_hands_over_to_none(root: Path) -> None:
    with http(root) as killed:
        assert killed.ask("/readyz")[0] == 200
        killed.process.kill()
        killed.process.wait(PATIENCE)
        assert (root / ".memory-wiki" / "serve.sock").exists()
    with raw(root) as client:
        assert not client.call("status").get("isError")
    with http(root), raw(root) as client:
        assert not client.call("status").get("isError")


def test_what_was_begun_is_finished_when_it_is_told_to_end(root: Path) -> None:
    with http(root) as served, ThreadPoolExecutor(1) as pool:
        items = [{"text": f"Fact number {n}.", "title": f"Fact {n}"} for n in range(200)]
        asked = pool.submit(served.tool, "remember", items=items, project="shop")
        while not list(root.glob("projects/shop/notes/*.md")):
            assert not asked.done() or asked.result()[0] == 200
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(PATIENCE) == 0
        status, found = asked.result(PATIENCE)
        assert status == 200
        assert len(found["changes"]) == 200
    with Wiki.open(root, root) as wiki:
        assert_agrees(wiki)


@pytest.mark.parametrize(
    ("options", "told"),
    [(["--host", "0.0.0.0", "--no-token"], "without a token"), (["--host", "198.51.100.1"], "can't listen")],  # noqa: S104
)
def test_what_can_not_be_served_is_told(root: Path, options: list[str], told: str) -> None:
    command = [*COMMAND, "serve", "--vault", str(root), "--port", "0", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode in {6, 7}
    assert told in done.stderr


def test_a_port_that_is_taken_is_told(served: Http, root: Path) -> None:
    port = served.base.rpartition(":")[2]
    command = [*COMMAND, "serve", "--vault", str(root), "--port", port]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 7
    assert f"can't listen to 127.0.0.1:{port}" in done.stderr
    assert "another --port" in done.stderr


def test_without_a_token_it_warns(root: Path) -> None:
    with http(root, "--no-token") as served:
        assert served.tool("recall", {}, question="x")[0] == 200
        assert served.ask("/metrics", headers={"Host": "evil.example"})[0] == 421


def test_who_hangs_up_or_stalls_amid_a_body_leaves_no_traceback(root: Path) -> None:
    with http(root) as found:
        address = ("127.0.0.1", int(found.base.rpartition(":")[2]))
        head = "POST /api/v1/status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n"
        with socket.create_connection(address) as gone, socket.create_connection(address) as stalls:
            for client, authorization in (
                (gone, found.bearer["Authorization"]),
                (stalls, found.bearer["Authorization"]),
            ):
                client.sendall(f"{head}Authorization: {authorization}\r\n\r\n{{".encode())
            gone.close()
            assert found.tool("status")[0] == 200
            found.process.send_signal(signal.SIGTERM)  # which waits five seconds for what is under way
            stalls.settimeout(PATIENCE)
            assert b" 503 " in stalls.recv(1_000)
        assert found.process.wait(PATIENCE) == 0
        assert found.process.stderr is not None
        assert "Traceback" not in found.process.stderr.read()


def test_metrics_are_shown_of_a_vault_that_has_gone(root: Path) -> None:
    with http(root) as found:
        assert found.tool("status")[0] == 200
        root.rename(root.with_name("elsewhere"))
        assert found.tool("status")[0] == 500
        status, text, _ = found.ask("/metrics")
        root.with_name("elsewhere").rename(root)
    assert status == 200
    assert 'memory_wiki_calls_total{outcome="git-failed",tool="status"} 1.0' in text
    assert "memory_wiki_pages" not in text


def test_more_clients_than_a_shell_allows_files_are_served(root: Path) -> None:
    limits = pytest.importorskip("resource")
    soft, hard = limits.getrlimit(limits.RLIMIT_NOFILE)
    if soft < 512:
        pytest.skip("this system lets us have too few clients")
    limits.setrlimit(limits.RLIMIT_NOFILE, (200, hard))
    with ExitStack() as clients:
        try:
            found = clients.enter_context(http(root))
        finally:
            limits.setrlimit(limits.RLIMIT_NOFILE, (soft, hard))
        address = ("127.0.0.1", int(found.base.rpartition(":")[2]))
        for _ in range(300):
            clients.enter_context(socket.create_connection(address))
        assert found.tool("status")[0] == 200
