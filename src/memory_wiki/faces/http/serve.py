"""The server over HTTP: one process for many clients, until it is told to end."""

import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType

import uvicorn

from memory_wiki.errors import Broken, Refused
from memory_wiki.faces import relay
from memory_wiki.faces.http.app import MCP_PATH, application
from memory_wiki.faces.http.guard import LOOPBACK
from memory_wiki.faces.http.metrics import Metrics
from memory_wiki.faces.http.token import token_of
from memory_wiki.faces.mcp.seat import Served
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.wiki.wiki import Wiki

try:
    import resource
except ImportError:  # Windows, which has no such limit
    resource = None  # type: ignore[assignment]

MOST_FILES = 8_192
LAST_SECONDS = 5
"""For what is under way when it is told to end; streams that clients keep open are cut then."""


@dataclass(frozen=True, slots=True)
class Where:
    """What a server listens to, and the other names that it goes by."""

    host: str
    port: int
    names: tuple[str, ...] = ()

    @property
    def is_loopback(self) -> bool:
        return self.host in LOOPBACK

    @property
    def known_as(self) -> frozenset[str]:
        return LOOPBACK | {self.host, *self.names}


def serve(wiki: Wiki, project: str | None, where: Where, told: Callable[[str], None], *, has_token: bool) -> None:
    """Until Ctrl-C or a signal; what was begun is finished. Raises `Refused`, `Broken` where it can't begin.

    `told` is given the address, once it listens there.
    """
    if not has_token and not where.is_loopback:
        raise Refused(f"without a token whoever reaches {where.host} could read and write; drop --no-token or --host")
    token = token_of(wiki.vault.root) if has_token else ""
    listening = _listening(where)
    server = MemoryServer(Served(wiki, project, door=wiki.vault.own_folder / relay.NAME))
    metrics = Metrics(lambda: _sizes(wiki))
    server.served.called = metrics.called
    wiki.watch()
    wiki.serve_meaning()
    _take_many()
    config = uvicorn.Config(
        application(server, metrics, token, where.known_as),
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )
    running = uvicorn.Server(config)
    _end_by_signal(running)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    told(f"http://{shown}:{port}{MCP_PATH}")
    running.run(sockets=[listening])


def _take_many() -> None:
    """Lets this process have a file open for each of many clients, as far as the system allows it."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _end_by_signal(running: uvicorn.Server) -> None:
    """Also by one that comes before uvicorn has its own handlers. It raises the signal anew at last, which must not end
    us before the vault is closed.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        running.should_exit = True

    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), end)
    if hangup := getattr(signal, "SIGHUP", None):
        signal.signal(hangup, lambda *_: signal.raise_signal(signal.SIGTERM))


def _listening(where: Where) -> socket.socket:
    family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
    try:
        return socket.create_server((where.host, where.port), family=family, backlog=512)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Broken(f"can't listen to {where.host}:{where.port}: {reason}; another --port may be free") from None


def _sizes(wiki: Wiki) -> dict[str, int]:
    now = wiki.status()
    return {"pages": now.pages, "passages": now.passages, "embedded": now.embedded, "uncommitted": len(now.uncommitted)}
