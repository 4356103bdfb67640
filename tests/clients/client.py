"""One agent in a home of its own, run as a person would. No setting of the machine reaches it, and it no network."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL

from clients.agents import Agent
from clients.server import Server

INSTALLED = Path(os.environ.get("MEMORY_WIKI_CLIENTS", ""))
"""Where npm has put the agents; read before a test can change the environment."""
PATIENCE = 180.0  # seconds for a session, of which some agents take 20 to start
NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: who is not asked for on this machine can't be reached."""


@dataclass(frozen=True, slots=True)
class Client:
    """An agent, with its HOME and the project that it works in."""

    agent: Agent
    home: Path
    model: str

    @property
    def project(self) -> Path:
        return self.home / "shop"

    def meets(self, server: Server) -> None:
        """Writes what tells the agent of a server."""
        for name, held in self.agent.settings(server, self.model).items():
            file = self.home / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(held if isinstance(held, str) else json.dumps(held), encoding="utf-8")

    def lists(self) -> str:
        """What its own command says of its servers."""
        if self.agent.says:
            return self._converses()
        return self._runs(*self.agent.lists)

    def is_asked(self, question: str) -> str:
        """A whole session, which ends with the agent's answer."""
        return self._runs(*self.agent.asks, question)

    def _runs(self, *arguments: str) -> str:
        with self._started(arguments) as process:
            try:
                said, _ = process.communicate(timeout=PATIENCE)
            finally:
                _end(process)
        return said

    def _converses(self) -> str:
        """Gives the answer to the last message; a line each."""
        with self._started(self.agent.lists) as process:
            assert process.stdin
            assert process.stdout
            try:
                for message in self.agent.says:
                    process.stdin.write(json.dumps(message) + "\n")
                process.stdin.flush()
                awaited = {"id": self.agent.says[-1]["id"]}
                answers = (line for line in process.stdout if awaited.items() <= _parsed(line).items())
                return next(answers, "")
            finally:
                _end(process)

    def _started(self, arguments: tuple[str, ...]) -> "subprocess.Popen[str]":
        self.project.mkdir(exist_ok=True)
        command = [str(INSTALLED / "node_modules" / ".bin" / self.agent.command), *arguments]
        return subprocess.Popen(
            command,
            cwd=self.project,
            env=self._environment(),
            stdin=subprocess.PIPE if self.agent.says and arguments == self.agent.lists else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )

    def _environment(self) -> Mapping[str, str]:
        git = shutil.which("git")
        assert git
        own = {name: value.format(model=self.model) for name, value in self.agent.environment.items()}
        path = (str(INSTALLED / "node_modules" / ".bin"), str(Path(git).parent), "/usr/bin", "/bin")
        return {
            "HOME": str(self.home),
            "TMPDIR": str(self.home),
            "PATH": os.pathsep.join(path),
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "HTTP_PROXY": NOWHERE,
            "HTTPS_PROXY": NOWHERE,
            "NO_PROXY": "127.0.0.1",
            **own,
        }


def _parsed(line: str) -> dict[str, object]:
    with suppress(json.JSONDecodeError):
        if isinstance(said := json.loads(line), dict):
            return said
    return {}


def _end(process: "subprocess.Popen[str]") -> None:
    """With all that it started, which may outlive it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, SIGKILL)
