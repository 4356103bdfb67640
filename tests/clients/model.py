"""A stand-in for the models that agents talk to, on this machine: it calls one tool a session, and then ends its turn.

It reads requests as `wires` says, and never judges: a test looks at what a `Part` has heard.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from clients.wires import NAME, Call, Completions, Contents, Json, Messages, Responses, Say, Wire
from shelf import serving

_WIRES: Mapping[str, Wire] = {
    "/messages": Messages(),
    "/responses": Responses(),
    "/chat/completions": Completions(),
    ":generateContent": Contents(),
    ":streamGenerateContent": Contents(),
}
_SEARCHES = ("ToolSearch", "tool_search")
"""Of agents that show a model few tools, and let it look for the others."""


@dataclass
class Part:
    """What the model does in one session: it calls the tool of this name, once."""

    tool: str
    arguments: Mapping[str, object]
    unseen: str = ""
    """How it calls that tool where it is not shown it."""
    results: list[str] = field(default_factory=list)
    """What came back to it."""
    offered: set[str] = field(default_factory=set)
    _has_searched: bool = False

    def reply(self, tools: list[tuple[str, str]], results: list[str]) -> Say | Call:
        """The next move of a model that is offered these tools, and has had these results so far."""
        self.offered |= {name for _, name in tools}
        if not tools:
            return Say("A title")
        if len(results) > self._has_searched:
            self.results.append(results[-1])
            return Say("Done.")
        for space, name in tools:
            if name.endswith(self.tool):
                return Call(name, self.arguments, space, len(results) + 1)
        if self.unseen:
            return Call(self.unseen, self.arguments, "", len(results) + 1)
        for space, name in tools:
            if name in _SEARCHES:
                self._has_searched = True
                return Call(name, {"query": self.tool}, space, len(results) + 1)
        return Say(f"No tool is named {self.tool}.")


@dataclass
class Model:
    """Where it is, what it does, and which requests came."""

    address: str
    calls: str = ""
    """By which name it calls a tool that it is not shown, {tool} for that."""
    part: Part = field(default_factory=lambda: Part("", {}))
    asked: list[str] = field(default_factory=list)

    def plays(self, tool: str, **arguments: object) -> Part:
        """What it does from now on."""
        self.part = Part(tool, arguments, self.calls.format(tool=tool))
        return self.part


@contextmanager
def standing_in() -> Iterator[Model]:
    with serving(_Handler) as server:
        model = Model(f"http://127.0.0.1:{server.server_port}")
        server.model = model  # type: ignore[attr-defined]
        yield model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ThreadingHTTPServer

    def log_message(self, *_: object) -> None:
        """No line a request."""

    def do_GET(self) -> None:
        self._model.asked.append(f"GET {self.path}")
        self._send(200, "application/json", json.dumps({"object": "list", "data": [{"id": NAME, "object": "model"}]}))

    def do_POST(self) -> None:
        model, path = self._model, self.path.partition("?")[0]
        model.asked.append(f"POST {path}")
        body: Json = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        wire = next((wire for end, wire in _WIRES.items() if path.endswith(end)), None)
        if wire is None:
            self._send(404, "application/json", "{}")
            return
        reply = model.part.reply(wire.tools(body), wire.results(body))
        if body.get("stream") or path.endswith(":streamGenerateContent"):
            self._send(
                200,
                "text/event-stream",
                "".join(map(_event, wire.events(reply))) + "data: [DONE]\n\n" * isinstance(wire, Completions),
            )
        else:
            self._send(200, "application/json", json.dumps(wire.whole(reply)))

    @property
    def _model(self) -> Model:
        model = self.server.model  # type: ignore[attr-defined]
        assert isinstance(model, Model)
        return model

    def _send(self, status: int, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _event(event: Json) -> str:
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n"
