"""Servers in processes of their own, spoken to as raw as a client may."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters

from kit import PATIENCE

COMMAND = [sys.executable, "-m", "memory_wiki"]
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "raw", "version": "1"},
}


def parameters(root: Path, *options: str) -> StdioServerParameters:
    """For the SDK's client, which hands on nothing of the environment by itself."""
    return StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "mcp", "--vault", str(root), *options], env=dict(os.environ)
    )


class Raw:
    """A client over pipes that speaks JSON-RPC by hand."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self._last = 0

    def send(self, method: str, **params: Any) -> int:  # noqa: ANN401 - JSON
        """A request, of which the id is given; who wants its answer reads it."""
        self._last += 1
        self._write({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return self._last

    def notify(self, method: str, **params: Any) -> None:  # noqa: ANN401 - JSON
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def line(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def _write(self, message: object) -> None:
        self.line(json.dumps(message))

    def answer(self, to: int | str) -> dict[str, Any]:
        """The message that answers that request; what comes before it is passed over."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == to and "method" not in message:
                return message
        raise AssertionError("the server has ended")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        return self.answer(self.send(method, **params))

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        """The result of a call."""
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result

    def hang_up(self) -> int:
        """Closes its end; gives how the server ended."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


@contextmanager
def raw(root: Path, *options: str) -> Iterator[Raw]:
    """A server that has been greeted."""
    command = [*COMMAND, "mcp", "--vault", str(root), *options]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        client = Raw(process)
        try:
            client.ask("initialize", **HELLO)
            client.notify("notifications/initialized")
            yield client
        finally:
            process.kill()


@dataclass(frozen=True)
class Http:
    """A server over HTTP, and its token."""

    process: subprocess.Popen[str]
    base: str
    token: str

    @property
    def url(self) -> str:
        return f"{self.base}/mcp"

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def ask(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, str, dict[str, str]]:
        """Status, body and headers of an answer; with the token, unless headers are given."""
        asked = urllib.request.Request(  # noqa: S310 - our own address
            self.base + path, body, dict(self.bearer if headers is None else headers)
        )
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE) as found:  # noqa: S310
                return found.status, found.read().decode(), dict(found.headers)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(), dict(error.headers)

    def tool(self, name: str, headers: Mapping[str, str] | None = None, **arguments: Any) -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - JSON
        status, body, _ = self.ask(f"/api/v1/{name}", json.dumps(arguments).encode(), headers)
        return status, json.loads(body)


@contextmanager
def http(root: Path, *options: str, env: Mapping[str, str] | None = None) -> Iterator[Http]:
    command = [*COMMAND, "serve", "--vault", str(root), "--port", "0", "--json", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=env
    ) as process:
        try:
            assert process.stdout is not None
            said = ""
            while not said.endswith("}\n"):
                said += process.stdout.readline() or "}\n"
            found = json.loads(said)
            token = Path(found["token_file"]).read_text(encoding="ascii").strip() if found["token_file"] else ""
            yield Http(process, found["url"].removesuffix("/mcp"), token)
        finally:
            process.terminate()
            process.wait(PATIENCE)
