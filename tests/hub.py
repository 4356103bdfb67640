"""A hub of models on this machine, which answers the Hugging Face client as that hub does, and fails as networks do.

Weights lie on another host, to which one is sent with their SHA-256; small files lie on the hub itself, and their ETag
is git's id of them. What lies on the other host can be had in part.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event

from memory_wiki.index.known import DEFAULT, KNOWN, RERANKER
from memory_wiki.index.models import TOKENIZER
from memory_wiki.page.path import version_of
from shelf import real, serving, sha

LARGE = 1_000_000
REVISION = "a" * 40
_PATH = re.compile(rf"(/elsewhere)?/([\w.-]+/[\w.-]+)/resolve/(?:main|{REVISION})/(.+)")

Repos = dict[str, dict[str, bytes]]


@dataclass
class Hub:
    """Its repositories, each with its files; `address` is for HF_ENDPOINT, `elsewhere` has the weights."""

    repos: Repos
    address: str
    elsewhere: str
    asked: list[str] = field(default_factory=list)
    """Method and path of each request, and the range."""
    sends: dict[str, bytes] = field(default_factory=dict)
    """What comes in place of a file that is promised."""
    breaks_after: int = 0
    """Bytes of weights after which a connection ends, 0 for never."""
    resumes: bool = True
    """Whether what broke can be had from there on."""
    goes_on: Event = field(default_factory=Event)
    """Until it is set, the second half of weights does not come."""


def real_models() -> Repos:
    """The default model and the reranker, where the hub has them."""
    repos: Repos = {}
    for name in (DEFAULT, RERANKER):
        hub, folder = KNOWN[name].hub, real(name)
        assert hub is not None
        repos[hub.repo] = {hub.file: (folder / "model.onnx").read_bytes()}
        repos[hub.repo] |= {each: (folder / each).read_bytes() for each in TOKENIZER}
    return repos


@contextmanager
def hub(repos: Repos) -> Iterator[Hub]:
    """Weights come at once, until a test says otherwise."""
    with serving(_Answer) as server:
        one = Hub(repos, f"http://127.0.0.1:{server.server_port}", f"http://localhost:{server.server_port}/elsewhere")
        one.goes_on.set()
        server.hub = one  # type: ignore[attr-defined]
        try:
            yield one
        finally:
            one.goes_on.set()


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """No line a request."""

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        one: Hub = self.server.hub  # type: ignore[attr-defined]
        wanted = self.headers["Range"] or ""
        one.asked.append(f"{self.command} {self.path} {wanted}".rstrip())
        found = _PATH.fullmatch(self.path)
        is_elsewhere, repo, name = found.groups() if found else (None, "", "")
        data = one.repos.get(repo, {}).get(name)
        if data is None:
            self._send(404, b"", {"X-Error-Code": "EntryNotFound" if repo in one.repos else "RepoNotFound"})
        elif wanted and not one.resumes:
            self._send(503, b"", {})
        elif is_elsewhere:
            self._weights(one, one.sends.get(name, data), wanted)
        elif len(data) < LARGE:
            self._send(200, one.sends.get(name, data), {"X-Repo-Commit": REVISION, "ETag": f'"{version_of(data)}"'})
        else:
            linked = {"X-Linked-Size": f"{len(data)}", "X-Linked-ETag": f'"{sha(data)}"', "X-Repo-Commit": REVISION}
            self._send(302, b"", {"Location": f"{one.elsewhere}{self.path}", **linked})

    def _weights(self, one: Hub, data: bytes, wanted: str) -> None:
        """What is wanted of them, half by half."""
        first = int(wanted.removeprefix("bytes=").removesuffix("-") or 0)
        end = min(len(data), first + (one.breaks_after or len(data)))
        half = max(first, min(end, len(data) // 2))
        headers = {"Content-Range": f"bytes {first}-{len(data) - 1}/{len(data)}"} if first else {}
        self._begin(206 if first else 200, len(data) - first, headers)
        with suppress(ConnectionError):  # who asked has gone
            self.wfile.write(data[first:half])
            one.goes_on.wait()
            self.wfile.write(data[half:end])
        self.close_connection = True

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self._begin(status, len(body), headers)
        if self.command == "GET":
            self.wfile.write(body)

    def _begin(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": f"{length}", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
