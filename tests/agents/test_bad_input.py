"""What can't be meant is told, changes nothing, and ends no server."""

from typing import Any

import pytest
from talk import call

from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.wiki import Wiki

WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("recall", {}, "bad-input: question: field required"),
    ("recall", {"question": 5}, "bad-input: question: input should be a valid string, not 5"),
    ("recall", {"question": ""}, "bad-input: question: "),
    ("recall", {"question": "x", "limit": 1_000}, "bad-input: limit: input should be less than or equal to 50"),
    ("recall", {"question": "x", "limit": "many"}, "bad-input: limit: input should be a valid integer"),
    ("recall", {"question": "x", "since": "someday"}, "bad-input: 'someday' is no date"),
    ("recall", {"question": "x", "projct": "shop"}, "bad-input: recall takes no 'projct'; it takes question, project"),
    ("recall", {"question": "x", "project": "sopp"}, "project-not-found: no project 'sopp'; did you mean shop?"),
    ("brief", {"project": "../.."}, "bad-input: '../..' names no project"),
    ("recall", {"question": "x", "effort": "most"}, "bad-input: effort: "),
    ("remembr", {"text": "x"}, "bad-input: no tool 'remembr'; did you mean remember?"),
    ("remember", {"project": "shop"}, "bad-input: give either text, or items"),
    ("remember", {"text": "a", "items": [{"text": "b"}], "project": "shop"}, "bad-input: give either text, or items"),
    ("remember", {"items": [{"txt": "b"}], "project": "shop"}, "bad-input: items.0.text: field required"),
    ("remember", {"items": [{"text": " "}], "project": "shop"}, "bad-memory: "),
    ("remember", {"text": "a", "confidence": 2, "project": "shop"}, "bad-input: confidence: "),
    ("remember", {"text": "x" * 1_000_001, "project": "shop"}, "bad-input: text: string should have at most 1000000"),
    ("remember", {"text": "a", "valid_since": "someday", "project": "shop"}, "bad-page: "),
    ("read_page", {"page": "postgre"}, "page-not-found: no page 'postgre'; did you mean projects/shop/decisions/postg"),
    ("read_page", {"page": "nothing like it"}, "page-not-found: no page 'nothing like it'; `list_pages` shows"),
    ("read_page", {"page": "Postgres", "version": "ffffffff"}, "bad-revision: "),
    ("edit_page", {"page": "Postgres"}, "bad-input: say what to change"),
    ("edit_page", {"page": "Postgres", "add_fact": "no category"}, "bad-input: a fact is given as"),
    ("feedback", {"page": "Postgres", "verdict": "meh"}, "bad-input: verdict: "),
    ("history", {"page": "no such page at all"}, "page-not-found: "),
    ("restore_page", {"page": "Postgres"}, "bad-input: "),
]


@pytest.mark.parametrize(("tool", "arguments", "told"), WRONG, ids=[f"{n}-{row[0]}" for n, row in enumerate(WRONG)])
def test_what_can_not_be_meant_is_told(
    server: MemoryServer, wiki: Wiki, tool: str, arguments: dict[str, Any], told: str
) -> None:
    before = wiki.status().head
    found = call(server, tool, **arguments)
    assert found.is_error
    assert found.text.startswith(told), found.text
    assert "Traceback" not in found.text
    assert wiki.status().head == before
    assert not call(server, "status").is_error


@pytest.mark.parametrize(
    "text", ["nul \0 byte", "bell \x07", "escape \x1b[31m", "half \ud800 a pair", "\u202e backwards"]
)
def test_control_characters_are_kept_as_data_or_refused(server: MemoryServer, text: str) -> None:
    found = call(server, "remember", text=f"Odd: {text}", title="Odd", project="shop")
    if not found.is_error:
        read = call(server, "read_page", page=found.data["changes"][0]["page"])
        assert text in read.data["text"]
        assert text not in read.text or text.isprintable()
