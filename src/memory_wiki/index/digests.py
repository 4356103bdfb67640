"""The SHA-256 of big files, taken once: kept by path, size and time of the last change.

What is kept is a cache: lost, unreadable or unwritable, files are hashed anew.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Digests:
    """Kept in `file`, a JSON object."""

    file: Path

    def of(self, path: Path) -> str:
        """The file's SHA-256 in hex; raises `OSError` where it can't be read."""
        found = path.stat()
        key, stamp = str(path.resolve()), [found.st_size, found.st_mtime_ns]
        kept = self._kept()
        entry = kept.get(key)
        if isinstance(entry, list) and entry[:2] == stamp and len(entry) == len(stamp) + 1:
            return str(entry[-1])
        digest = sha256(path)
        self._keep({**kept, key: [*stamp, digest]})
        return digest

    def _kept(self) -> dict[str, object]:
        import json

        try:
            found = json.loads(self.file.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _keep(self, entries: dict[str, object]) -> None:
        import json
        import os

        partial = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            partial.write_text(json.dumps(entries), encoding="utf-8")
            partial.replace(self.file)


def sha256(path: Path) -> str:
    """Read whole, whatever is kept."""
    import hashlib

    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
