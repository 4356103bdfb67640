"""Around every command: its desk, and what becomes of an error. Imports a desk only once a command runs."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from memory_wiki.errors import MemoryWikiError

if TYPE_CHECKING:
    from memory_wiki.faces.desk import Desk

PIPE_CLOSED = 141  # as shells say of a command whose reader has gone


@contextmanager
def at_desk(vault: Path | None, *, as_json: bool, shows_why: bool = False) -> "Iterator[Desk]":
    """Where a command works; turns errors into a message and an exit code."""
    from memory_wiki.faces import desk

    try:
        yield desk.Desk(vault, as_json=as_json, shows_why=shows_why)
    except MemoryWikiError as error:
        desk.complain(error, as_json=as_json)
        raise typer.Exit(error.exit_code) from None
    except BrokenPipeError:  # as `memory-wiki log | head` ends; what is still to be flushed goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(PIPE_CLOSED) from None
