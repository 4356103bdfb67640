"""An index that can't follow the pages is no reason to say that there are none."""

import pytest
from talk import call, server_of

from memory_wiki.errors import IndexBroken
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.index.words import Words
from memory_wiki.wiki import Wiki

WHY = "the index could not be written: No space left on device; mend that and try again"


def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the index takes nothing in."""

    def fails(*_args: object) -> None:
        raise IndexBroken(WHY)

    monkeypatch.setattr(Words, "update", fails)


def test_an_index_that_lacks_what_changed_says_so(
    server: MemoryServer, wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call(server, "recall", question="where are orders kept").data["quotes"]
    full(monkeypatch)
    (wiki.vault.root / "walrus.md").write_text("# Walrus\n\nA walrus dives for clams.\n", encoding="utf-8")
    found = call(server, "recall", question="where are orders kept")
    assert found.data["missing"]["what changed last"] == WHY
    assert f"without what changed last: {WHY}" in found.text
    assert f"what changed last can't be found yet: {WHY}" in call(server, "read_page", page="the walrus").text


def test_an_empty_index_does_not_say_that_there_is_no_page(wiki: Wiki, monkeypatch: pytest.MonkeyPatch) -> None:
    full(monkeypatch)
    (wiki.vault.root / "walrus.md").write_text("# Walrus\n\nA walrus dives for clams.\n", encoding="utf-8")
    server = server_of(wiki)
    for tool, arguments in (("recall", {"question": "walrus"}), ("list_pages", {}), ("timeline", {})):
        found = call(server, tool, **arguments)
        assert WHY in found.text
        assert WHY in str(found.data)
        assert "no page" not in found.text
    assert "walrus dives" in call(server, "read_page", page="walrus.md").text
