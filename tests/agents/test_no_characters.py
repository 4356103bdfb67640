"""Bytes that are no UTF-8, and half surrogate pairs, end no session, and leave no call without an answer."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from process import Http, Raw, http, raw
from talk import call

from memory_wiki.faces.mcp.server import MemoryServer

ODD = (
    b"---\ntitle: Zebra \xff\ntype: prompt\ntags: [a\xff]\n---\n",
    b"# Zebra \xff\n\n- [fact] zebra \xff #t\xff [[l\xff]] ^a\xff\n",
    b"zebra \xff {{a}}\n",
)
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("read_page", {"page": "notes/odd-1.md"}),
    ("recall", {"question": "zebra"}),
    ("list_pages", {}),
    ("timeline", {}),
    ("brief", {}),
    ("history", {"page": "notes/odd-1.md"}),
    ("edit_page", {"page": "notes/odd-1.md", "append": "more"}),
    ("write_page", {"page": "notes/odd-1.md", "text": "x", "version": "abcdef1"}),
    ("edit_page", {"page": "notes/odd-0.md", "version": "abcdef1", "pin": True}),
]


@pytest.fixture
def odd(root: Path) -> Path:
    (root / "notes").mkdir()
    for number, data in enumerate(ODD):
        (root / "notes" / f"odd-{number}.md").write_bytes(data)
    return root


@pytest.fixture(params=["own", "handed over"])
def client(odd: Path, request: pytest.FixtureRequest) -> Iterator[Raw]:
    with ExitStack() as stack:
        if request.param != "own":
            stack.enter_context(http(odd))
        yield stack.enter_context(raw(odd))


def test_a_page_that_is_no_utf8_ends_no_session(client: Raw) -> None:
    for tool, arguments in CALLS:
        found = client.call(tool, **arguments)
        assert "content" in found
        assert bool(found.get("isError")) == ("version" in arguments)
    text = client.call("read_page", page="notes/odd-2.md")["structuredContent"]["text"]
    assert text == "zebra \ufffd {{a}}\n"
    uris = [each["uri"] for each in client.ask("resources/list")["result"]["resources"]]
    assert "memory://page/notes/odd-0.md" in uris
    for uri in (*uris, "memory://recent"):
        assert client.ask("resources/read", uri=uri)["result"]["contents"]
    assert client.ask("prompts/list")["result"]["prompts"]


def test_a_page_that_is_no_utf8_is_plain_json_too(odd: Path) -> None:
    with http(odd) as served:
        for tool, arguments in CALLS:
            assert served.tool(tool, **arguments)[0] == (409 if "version" in arguments else 200)


def test_half_a_surrogate_pair_is_told(client: Raw) -> None:
    asked = {"name": "recall", "arguments": {"question": "half \ud83d"}}
    client.line(json.dumps({"jsonrpc": "2.0", "id": "odd", "method": "tools/call", "params": asked}))
    assert "half a surrogate pair" in client.answer("odd")["error"]["message"]
    assert not client.call("status").get("isError")


def test_half_a_surrogate_pair_is_told_of_any_argument(server: MemoryServer) -> None:
    for arguments in ({"tags": ["\ud83d"]}, {"folder": "\ud83d"}, {"types": ["note", "x\ud83d"]}):
        found = call(server, "list_pages", **arguments)
        assert found.text.startswith(f"bad-input: {next(iter(arguments))}: it holds half a surrogate pair")


def test_half_a_surrogate_pair_is_told_in_plain_json(root: Path) -> None:
    with http(root) as served:
        told(served, "recall", question="x", types=["\ud83d"])
        told(served, "status", project="\ud83d")
        told(served, "list_pages", folder="\ud83d")


def told(served: Http, tool: str, **arguments: Any) -> None:  # noqa: ANN401 - JSON
    status, found = served.tool(tool, **arguments)
    assert (status, found["error"]["code"]) == (400, "bad-input")
