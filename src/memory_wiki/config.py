"""Settings: the vault's `memory-wiki.toml`, as one frozen value.

A vault's file may come from a stranger, so it can only set what harms nobody: no paths outside the
vault, no commands, no names to act under. What it asks beyond that is a problem, not a setting.
"""

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from memory_wiki.errors import BadConfig, VaultTooNew
from memory_wiki.page.problem import Problem

FILE = "memory-wiki.toml"
FORMAT = 1  # of the vault's layout
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}")  # of a model: nothing that could be a path
BUDGET = range(50, 100_001)  # tokens


@dataclass(frozen=True, slots=True)
class Config:
    """What the vault's file says; each field is a key of it."""

    format: int = FORMAT
    language: str = "en"
    """ISO 639-1 code for pages whose own language can't be told."""
    budget: int = 2000
    """Tokens that a recall may fill."""
    commit_outside_edits: bool = True
    model: str = "auto"
    """Finds pages by meaning: a model's name, "auto" for any that is on the machine, "none" for words alone."""
    problems: tuple[Problem, ...] = ()


KEYS = tuple(field.name for field in fields(Config) if field.name != "problems")


def load(root: Path) -> Config:
    """The vault's settings, defaults where it has no file; raises `BadConfig`, `VaultTooNew`."""
    try:
        text = (root / FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfig(f"{FILE} can't be read: {error}; mend it, or delete it to use the defaults") from None
    return parse(text)


def stamp(root: Path) -> tuple[int, int]:
    """Changes when the settings do: when they were written last, in nanoseconds, and how many bytes they are."""
    try:
        found = (root / FILE).stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def parse(text: str) -> Config:
    """Raises `BadConfig` for TOML that is none and for values that can't be used; unknown keys are problems."""
    try:
        found = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadConfig(f"{FILE} is no valid TOML: {error}; mend it, or delete it to use the defaults") from None
    version = found.get("format", FORMAT)
    if isinstance(version, int) and version > FORMAT:
        raise VaultTooNew(version, FORMAT)
    for key, value in found.items():
        _check(key, value)
    problems = tuple(_unknown(key) for key in found if key not in KEYS)
    if not NAME.fullmatch(str(found.get("model", "auto"))):
        problems += (_harmful(str(found.pop("model"))),)
    return Config(**{key: value for key, value in found.items() if key in KEYS}, problems=problems)


def _check(key: str, value: object) -> None:
    wanted: Mapping[str, tuple[bool, str]] = {
        "format": (type(value) is int and value == FORMAT, f"{FORMAT}"),
        "language": (isinstance(value, str) and len(value) == 2 and value.isalpha(), 'a code such as "en"'),  # noqa: PLR2004
        "budget": (
            type(value) is int and value in BUDGET,
            f"a number of tokens from {BUDGET.start} to {BUDGET.stop - 1}",
        ),
        "model": (isinstance(value, str), '"auto", "none" or the name of a model'),
        "commit_outside_edits": (isinstance(value, bool), "true or false"),
    }
    fits, what = wanted.get(key, (True, ""))
    if not fits:
        raise BadConfig(f"{FILE}: {key} = {value!r} can't be used: it takes {what}")


def _harmful(model: str) -> Problem:
    return Problem(
        "harmful-setting",
        f"{FILE} asks for the model {model!r}, which is not taken from a vault, as it is no plain name; to use a folder"
        " of your own, `memory-wiki model use FOLDER`",
        level="warning",
    )


def _unknown(key: str) -> Problem:
    near = difflib.get_close_matches(key, KEYS, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"a vault may set {', '.join(KEYS)}, and no more"
    return Problem(
        "unknown-setting",
        f"{FILE} asks for `{key}`, which is not taken from a vault: {hint}",
        level="warning",
    )
