"""Our own server, as agents start it or reach it; the one place that knows how."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import process

NAME = "memory-wiki"
"""Of the server in the agents' settings, and of our command, which lies beside this Python."""
_COMMAND = str(Path(sys.executable).with_name(NAME))


@dataclass(frozen=True, slots=True)
class Stdio:
    """A server that an agent starts for itself."""

    command: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Http:
    """A server that runs already; an agent shows it a token."""

    url: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


Server = Stdio | Http


def stdio(vault: Path) -> Stdio:
    return Stdio(_COMMAND, ("mcp", "--vault", str(vault)))


@contextmanager
def http(vault: Path) -> Iterator[Http]:
    """Serves the vault until the test is over."""
    with process.http(vault) as served:
        yield Http(served.url, served.token)
