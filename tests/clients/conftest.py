"""Says which agents are run, at which versions."""

from clients.agents import AGENTS


def pytest_report_header() -> list[str]:
    return [f"{agent.name} {agent.version}" for agent in AGENTS]
