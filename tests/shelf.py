"""Models for tests: the real ones that `make test` installs, and small wheels of our own to install from."""

import hashlib
import os
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

from memory_wiki.index.digests import Digests
from memory_wiki.index.known import DEFAULT, KNOWN, Model, Wheel
from memory_wiki.index.models import Found, Places

MODELS = Path(os.environ.get("MEMORY_WIKI_MODELS") or Path(__file__).parent.parent / ".venv" / "models").absolute()
"""Read before a test can change the environment."""
FILES = {"model.onnx": b"weights", "tokenizer.json": b"{}", "tokenizer_config.json": b"{}"}


def real(name: str = DEFAULT) -> Path:
    """The folder of a model that `make test` has installed."""
    folder = MODELS / name
    assert folder.is_dir(), (
        f"no {name} in {MODELS}: `make test` installs it, or MEMORY_WIKI_MODELS names another folder"
    )
    return folder


def found(name: str) -> Found:
    """A real one, as it is loaded."""
    return Found(KNOWN[name], real(name), "model.onnx", name, "installed")


def places(folder: Path) -> Places:
    """All of a machine's places for models, below one folder."""
    return Places(folder / "own", folder / "fastembed", [str(folder / "site")], Digests(folder / "digests.json"))


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def small_wheel(folder: Path, files: Mapping[str, bytes], *, known: Mapping[str, bytes] | None = None) -> Model:
    """A wheel with these files, and the model that is known to lie in it; `known` where other bytes are."""
    folder.mkdir(exist_ok=True)
    archive = folder / "smallmodel-1.0-py3-none-any.whl"
    info = "smallmodel-1.0.dist-info"
    with zipfile.ZipFile(archive, "w") as wheel:
        wheel.writestr("smallmodel/__init__.py", "raise SystemExit('code of a wheel was run')\n")
        for name, data in files.items():
            wheel.writestr(f"smallmodel/data/{name}", data)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: smallmodel\nVersion: 1.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    hashes = {name: sha(data) for name, data in (known or files).items()}
    found = archive.read_bytes()
    return small(Wheel("smallmodel", "1.0", sha(found), len(found), "smallmodel/data", hashes))


def small(*wheels: Wheel) -> Model:
    return Model("small", 2, wheels=wheels, languages="Latin")


class _Silent(BaseHTTPRequestHandler):
    """Takes a request, and answers when the test is over."""

    def log_message(self, *_: object) -> None:
        """No line a request."""

    def do_GET(self) -> None:
        self.server.asked.set()  # type: ignore[attr-defined]
        self.server.over.wait()  # type: ignore[attr-defined]


@contextmanager
def silent_index() -> Iterator[tuple[str, Event]]:
    """An index of packages that never answers; gives its address, and when it was asked."""
    with serving(_Silent) as server:
        server.asked, server.over = Event(), Event()  # type: ignore[attr-defined]
        try:
            yield f"http://127.0.0.1:{server.server_port}/simple", server.asked  # type: ignore[attr-defined]
        finally:
            server.over.set()  # type: ignore[attr-defined]


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    """A server on this machine, whose requests are each answered in a thread of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
