"""Pages as resources and prompts, and who hears when they change."""

from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import ResourceTemplateReference
from talk import ERAS, call, talk, until

from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.faces.mcp.uris import BRIEF, PAGE, page_uri
from memory_wiki.page.memory import Memory
from memory_wiki.page.path import PagePath
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish

POSTGRES = PagePath("projects/shop/decisions/postgres.md")


async def text_of(client: Client, uri: str) -> str:
    (found,) = (await client.read_resource(uri)).contents
    return str(getattr(found, "text", ""))


@pytest.mark.parametrize("era", ERAS)
def test_a_page_is_read_as_it_is(server: MemoryServer, wiki: Wiki, era: str) -> None:
    async def reading(client: Client) -> str:
        return await text_of(client, page_uri(POSTGRES))

    assert talk(server, reading, era) == wiki.read(POSTGRES).page.text


def test_names_in_any_script_are_addressed(server: MemoryServer) -> None:
    path = PagePath("projects/shop/notes/数据库 заметка.md")
    call(server, "write_page", page=path, text="# 数据库\n")

    async def reading(client: Client) -> str:
        return await text_of(client, page_uri(path))

    assert talk(server, reading) == "# 数据库\n"


def test_the_newest_pages_are_listed_and_projects_have_a_brief(server: MemoryServer) -> None:
    async def reading(client: Client) -> tuple[list[str], list[str], str, str]:
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        templates = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        brief = await text_of(client, "memory://project/shop/brief")
        return listed, templates, brief, await text_of(client, "memory://recent")

    listed, templates, brief, recent = talk(server, reading)
    assert page_uri(POSTGRES) in listed
    assert templates == [PAGE, BRIEF]
    assert f"[[{POSTGRES}]]" in brief
    assert f"[[{POSTGRES}]]" in recent


@pytest.mark.parametrize(
    "uri", ["memory://page/nothing.md", "memory://page/../../etc/passwd", "memory://project/x/brief"]
)
def test_what_is_not_there_is_an_error(server: MemoryServer, uri: str) -> None:
    async def reading(client: Client) -> str:
        return await text_of(client, uri)

    with pytest.raises(MCPError):
        talk(server, reading)


def test_addresses_are_completed(server: MemoryServer) -> None:
    async def completing(client: Client) -> tuple[list[str], list[str]]:
        paths = await client.complete(ResourceTemplateReference(uri=PAGE), {"name": "path", "value": "POSTG"})
        slugs = await client.complete(ResourceTemplateReference(uri=BRIEF), {"name": "slug", "value": "s"})
        return paths.completion.values, slugs.completion.values

    assert talk(server, completing) == ([POSTGRES], ["shop"])


def test_who_subscribed_hears_when_a_person_saves_the_page(server: MemoryServer, wiki: Wiki) -> None:
    heard: list[str] = []
    file = wiki.vault.root / POSTGRES

    async def hear(message: Any) -> None:  # noqa: ANN401 - a notification of any kind
        heard.append(str(getattr(getattr(message, "params", None), "uri", "")))

    async def waiting(client: Client) -> None:
        with pytest.warns(MCPDeprecationWarning):  # as of a protocol that most clients do not speak yet
            await client.session.subscribe_resource(page_uri(POSTGRES))
        wiki.watch()
        file.write_text(file.read_text(encoding="utf-8") + "\nBy hand.\n", encoding="utf-8")
        await until(lambda: page_uri(POSTGRES) in heard)

    talk(server, waiting, "legacy", message_handler=hear)


def test_who_listens_hears_when_another_call_writes(server: MemoryServer) -> None:
    async def listening(client: Client) -> str:
        async with client.listen(resource_subscriptions=[page_uri(POSTGRES)]) as stream:
            await client.call_tool("edit_page", {"page": POSTGRES, "append": "More."})
            await client.call_tool("status", {})  # which catches up
            async for event in stream:
                return str(getattr(event, "uri", ""))
        return ""

    assert talk(server, listening, "2026-07-28") == page_uri(POSTGRES)


def add_prompt(wiki: Wiki, project: str = "shop") -> None:
    text = "Review {{ branch }} as {{role}} would.\n"
    wiki.remember(Wish(Memory(text, "Review a branch", "prompt"), project))


@pytest.mark.parametrize("era", ERAS)
def test_a_page_of_type_prompt_is_a_prompt(server: MemoryServer, wiki: Wiki, era: str) -> None:
    add_prompt(wiki)

    async def asking(client: Client) -> tuple[dict[str, list[str]], str]:
        listed = (await client.list_prompts()).prompts
        found = await client.get_prompt("shop:review-a-branch", {"branch": "main", "role": "Grace"})
        holes = {prompt.name: [each.name for each in prompt.arguments or []] for prompt in listed}
        return holes, str(getattr(found.messages[0].content, "text", ""))

    holes, text = talk(server, asking, era)
    assert holes == {
        "remember-this-session": ["focus"],
        "review-memory": [],
        "catch-me-up": ["since"],
        "shop:review-a-branch": ["branch", "role"],
    }
    assert text == "Review main as Grace would."


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("shop:review-a-branch", {"branch": "main"}, "needs role"),
        ("shop:review-a-branch", {"branch": "main", "role": "x", "rolle": "y"}, "takes no rolle"),
        ("shop:no-such", {}, "no prompt"),
    ],
)
def test_a_prompt_that_can_not_be_filled_says_why(
    server: MemoryServer, wiki: Wiki, name: str, given: dict[str, str], told: str
) -> None:
    add_prompt(wiki)

    async def asking(client: Client) -> None:
        await client.get_prompt(name, given)

    with pytest.raises(MCPError, match=told):
        talk(server, asking)


def test_arguments_are_put_in_once(server: MemoryServer, wiki: Wiki) -> None:
    add_prompt(wiki, "")

    async def asking(client: Client) -> str:
        found = await client.get_prompt("review-a-branch", {"branch": "{{role}}", "role": "x"})
        return str(getattr(found.messages[0].content, "text", ""))

    assert talk(server, asking) == "Review {{role}} as x would."
