"""A server over a vault with two projects."""

import pytest
from talk import server_of

from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish


@pytest.fixture
def server(wiki: Wiki) -> MemoryServer:
    wiki.remember(
        Wish(Memory("Orders are kept in Postgres 16, as two services write.", "Postgres", "decision"), "shop")
    )
    wiki.remember(Wish(Memory("Posts are kept in SQLite, as one service writes.", "SQLite", "decision"), "blog"))
    wiki.remember(Wish(Memory("Ada works on Tuesdays.", "Ada's days", "fact"), ""))
    return server_of(wiki)
