"""A person's own settings: `settings.toml` in their configuration folder, and what of it the environment overrides.

Unlike a vault's file, which may come from a stranger, this one may name a folder. Only the line that is meant is ever
changed in it.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_wiki.config import FILE
from memory_wiki.errors import BadConfig

AUTO = "auto"
VARIABLE = "MEMORY_WIKI_MODEL"
_VALUE = re.compile(r"""^(model[ \t]*=[ \t]*)(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*')""", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the file says; "" for what it does not."""

    file: Path
    model: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The model that is wanted, and who says so: a variable, a file, or "" for nobody."""

    model: str
    by: str


def settings_file(environment: Mapping[str, str]) -> Path:
    """MEMORY_WIKI_SETTINGS, else the one in this person's configuration folder."""
    from platformdirs import user_config_path

    named = environment.get("MEMORY_WIKI_SETTINGS")
    return expanded(named) if named else user_config_path("memory-wiki", appauthor=False) / "settings.toml"


def expanded(named: str) -> Path:
    """With the home folder for `~`; as it is where that is of a user whom nobody knows."""
    try:
        return Path(named).expanduser()
    except RuntimeError:
        return Path(named)


def load_settings(file: Path) -> Settings:
    """Raises `BadConfig`; a file that is not there says nothing."""
    model = _parsed(file, _text(file)).get("model", "")
    if not isinstance(model, str):
        raise BadConfig(f"{file}: model = {model!r} can't be used: it takes a model's name, a folder, auto or none")
    return Settings(file, model)


def set_model(file: Path, model: str) -> None:
    """Writes `model = "…"`, and changes no other line; raises `BadConfig`."""
    text = _text(file)
    value = f'"{_escaped(model)}"'
    table = _TABLE.search(text)
    head, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    if _VALUE.search(head):
        head = _VALUE.sub(lambda found: f"{found[1]}{value}", head, count=1)
    else:
        head = f"{head.rstrip()}\nmodel = {value}\n".lstrip() + ("\n" if rest else "")
    if not _says(head + rest, {**_parsed(file, text), "model": model}):
        raise BadConfig(f"{file} is written in a way that only you can change: put model = {value} there")
    partial = file.with_name(f".{file.name}.partial")
    try:
        data = (head + rest).encode()
        file.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data)
        partial.replace(file)
    except UnicodeEncodeError:
        raise BadConfig(f"{file} can't hold {model!r}, which is no valid UTF-8; rename that folder") from None
    except OSError as error:
        raise BadConfig(f"{file} can't be written: {error.strerror or error}") from None


def chosen(environment: Mapping[str, str], settings: Settings, of_vault: str) -> Choice:
    """The model that is wanted: by the environment, else the person's settings, else the vault's, else any."""
    if named := environment.get(VARIABLE):
        return Choice(named, VARIABLE)
    if settings.model:
        return Choice(settings.model, str(settings.file))
    return Choice(of_vault, FILE) if of_vault != AUTO else Choice(AUTO, "")


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"{file} can't be read: {error}; mend it, or delete it to use the defaults") from None


def _parsed(file: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadConfig(f"{file} is no valid TOML: {error}; mend it, or delete it to use the defaults") from None


def _says(text: str, settings: dict[str, object]) -> bool:
    try:
        return tomllib.loads(text) == settings
    except tomllib.TOMLDecodeError:
        return False


def _escaped(text: str) -> str:
    return "".join(f"\\u{ord(char):04x}" if char in '\\"\x7f' or char < " " else char for char in text)
