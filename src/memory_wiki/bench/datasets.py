"""From files to a `Dataset`: which reader takes which, and what is said of a file that is none of it."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from memory_wiki.bench import beam, locomo, longmemeval, questions, xquad
from memory_wiki.bench.folders import pages_in
from memory_wiki.bench.material import Case, Dataset, Folder
from memory_wiki.bench.node import Node
from memory_wiki.errors import BadInput

Read = TypeVar("Read")
OF_ONE_FILE = {"locomo": locomo.read, "longmemeval": longmemeval.read, "beam": beam.read}


def load(name: str, data: Path, asked: Path | None = None) -> Dataset:
    """The dataset `name` from its file or folder; raises `BadInput`. `asked` holds questions, of a vault only."""
    if (name == "questions") != (asked is not None):
        raise BadInput("--questions FILE goes with the dataset `questions`, whose --data is a vault, and with no other")
    if asked is not None:
        found = Dataset(name, (_of_folder(data, asked),))
    elif name == "xquad":
        found = Dataset(name, tuple(_of_language(file) for file in _languages(data)))
    else:
        found = _read(data, lambda text: OF_ONE_FILE[name](Node.of(text)))
    if not any(case.asks for case in found.cases):
        raise BadInput(f"{asked or data} holds no question")
    return found


def _of_folder(root: Path, asked: Path) -> Case:
    if not root.is_dir():
        raise BadInput(f"{root} is no folder; --data takes the vault that is asked")
    pages = set(pages_in(root))
    return Case(Folder(root.resolve().name, root), _read(asked, lambda text: questions.read(text, pages)))


def _of_language(file: Path) -> Case:
    return _read(file, lambda text: xquad.read(file.stem, Node.of(text)))


def _languages(data: Path) -> list[Path]:
    files = sorted(data.glob("xquad_*.json")) if data.is_dir() else [data]
    if not files:
        raise BadInput(f"{data} holds no xquad_*.json")
    return files


def _read(file: Path, reader: Callable[[str], Read]) -> Read:
    """What a reader makes of a file's text; its name stands before whatever is wrong."""
    try:
        return reader(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{file} can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is no valid UTF-8 (byte {error.start})") from None
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
