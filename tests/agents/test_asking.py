"""A person is asked before a page is replaced by an old version of it, where the client can ask."""

from typing import Any

import pytest
from mcp import Client
from mcp_types import ElicitResult
from talk import ERAS, Said, call, said, talk

from memory_wiki.faces.mcp.server import MemoryServer

POSTGRES = "projects/shop/decisions/postgres.md"
ANSWERS = [
    (ElicitResult(action="accept", content={"go_on": True}), True),
    (ElicitResult(action="accept", content={"go_on": False}), False),
    (ElicitResult(action="decline"), False),
    (ElicitResult(action="cancel"), False),
]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("answer", "agrees"), ANSWERS)
def test_the_person_decides(server: MemoryServer, era: str, answer: ElicitResult, agrees: bool) -> None:
    first = call(server, "read_page", page=POSTGRES).data
    call(server, "edit_page", page=POSTGRES, append="More.")
    asked: list[str] = []

    async def ask(_context: Any, params: Any) -> ElicitResult:  # noqa: ANN401 - of either kind
        asked.append(params.message)
        return answer

    async def restoring(client: Client) -> Said:
        return said(await client.call_tool("restore_page", {"page": POSTGRES, "version": first["version"]}))

    found = talk(server, restoring, era, elicitation_callback=ask)
    assert asked == [f"Replace {POSTGRES}, as it is now, by its version {first['version']}?"]
    assert (call(server, "read_page", page=POSTGRES).data["text"] == first["text"]) is agrees
    if not agrees:
        assert found.text == "refused: the person at the client did not agree; nothing was changed"


def test_what_is_not_there_is_not_asked_about(server: MemoryServer) -> None:
    async def ask(_context: Any, _params: Any) -> ElicitResult:  # noqa: ANN401 - of either kind
        raise AssertionError

    async def restoring(client: Client) -> Said:
        return said(await client.call_tool("restore_page", {"page": "nothing like it", "version": "ffffffff"}))

    assert talk(server, restoring, elicitation_callback=ask).text.startswith("page-not-found: ")
