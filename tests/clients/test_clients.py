"""Real agents and our server: each finds it by its own means, and what one session remembers the next one recalls.

A stand-in plays the model; all else is as their users have it. `make test-clients` installs and runs them.
"""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from clients.agents import AGENTS, Agent
from clients.client import Client
from clients.model import Model, standing_in
from clients.server import Server, http, stdio
from kit import run_git

FACT = "The seal of the harbour ledger is kept at pier forty-seven."


@pytest.fixture(params=AGENTS, ids=lambda agent: agent.command)
def agent(request: pytest.FixtureRequest) -> Agent:
    assert isinstance(request.param, Agent)
    return request.param


@pytest.fixture
def vault(root: Path) -> Path:
    """One that finds by words alone, so that no server downloads a model."""
    settings = root / "memory-wiki.toml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace('model = "auto"', 'model = "none"'), encoding="utf-8")
    return root


@pytest.fixture(params=["stdio", "http"])
def server(request: pytest.FixtureRequest, vault: Path) -> Iterator[Server]:
    with nullcontext(stdio(vault)) if request.param == "stdio" else http(vault) as one:
        yield one


@pytest.fixture
def model() -> Iterator[Model]:
    with standing_in() as one:
        yield one


@pytest.fixture
def client(agent: Agent, home: Path, model: Model) -> Client:
    model.calls = agent.calls
    return Client(agent, home, model.address)


def test_an_agent_lists_our_server_as_connected(client: Client, server: Server) -> None:
    client.meets(server)
    said = client.lists()
    assert re.search(client.agent.connected, said), said


def test_an_agent_with_a_wrong_token_is_not_connected(client: Client, vault: Path) -> None:
    with http(vault) as server:
        client.meets(replace(server, token=server.token[::-1]))
        said = client.lists()
    assert not re.search(client.agent.connected, said), said


def test_what_one_session_remembers_the_next_one_recalls(
    client: Client, server: Server, model: Model, vault: Path
) -> None:
    client.meets(server)
    remembering = model.plays("remember", text=FACT, project="shop")
    said = client.is_asked("Keep in mind where the seal is.")
    assert remembering.results, (said, model.asked, remembering.offered)
    recalling = model.plays("recall", question="Where is the seal of the ledger?")
    said = client.is_asked("Where is the seal?")
    assert FACT in "\n".join(recalling.results), (said, model.asked, recalling.results)
    assert FACT in run_git(vault, "log", "-p", "--", "*.md")
    assert run_git(vault, "log", "-1", "--format=%(trailers:key=Agent,valueonly)").strip()
