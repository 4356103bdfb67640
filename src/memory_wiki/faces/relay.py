"""Passing bytes on between an agent and a server that runs already: what `mcp` does where there is one.

Imports nothing of the protocol, nor of the index: it starts at once, and holds next to nothing.
"""

import json
import os
import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path

from memory_wiki.faces.whereabouts import actor
from memory_wiki.page.change import Actor
from memory_wiki.vault.own import OWN

NAME = "serve.sock"
CHUNK = 1 << 16
STDIN, STDOUT = 0, 1


def relay(vault: Path, project: str) -> bool:
    """Until one of both ends; False where no server listens, and nothing has been read yet."""
    if (server := _connected(vault / OWN / NAME)) is None:
        return False
    who = actor() or Actor("")
    said = {"actor": who.name, "agent": who.agent, "session": who.session, "project": project}
    with server:
        try:
            server.sendall(json.dumps(said).encode() + b"\n")
        except OSError:  # it ended just now
            return False
        threading.Thread(target=_pass_on, args=(server,), daemon=True).start()
        with suppress(OSError):  # either has gone
            while chunk := server.recv(CHUNK):
                _write(chunk)
    return True


def _connected(path: Path) -> socket.socket | None:
    if not hasattr(socket, "AF_UNIX"):
        return None
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(str(path))
        if _owner(server, path) == os.geteuid():
            return server
    except OSError:
        pass
    server.close()
    return None


def _owner(server: socket.socket, path: Path) -> int:
    """Whose process listens: in a folder that others may write to, it may be anyone's, who would hear all we say."""
    if hasattr(socket, "SO_PEERCRED"):
        _, user, _ = struct.unpack("iii", server.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(user)
    return path.lstat().st_uid


def _pass_on(server: socket.socket) -> None:
    """What the agent says, and that it has said all."""
    with suppress(OSError):
        while chunk := os.read(STDIN, CHUNK):
            server.sendall(chunk)
        server.shutdown(socket.SHUT_WR)


def _write(chunk: bytes) -> None:
    view = memoryview(chunk)
    while view:
        view = view[os.write(STDOUT, view) :]
