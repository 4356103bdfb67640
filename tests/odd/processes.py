"""The command in a process of its own, which may have given something up before it began."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

NOBODY = 65534


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


AS_IT_IS = ""
AS_NOBODY = f"import os; os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})"
MAIN = """
import sys, zoneinfo, fractions, contextvars, concurrent.futures.thread, secrets, shlex, tempfile
import frontmatter, git, markdown_it, platformdirs, ulid
from importlib import import_module
from pkgutil import walk_packages
import memory_wiki
for module in walk_packages(memory_wiki.__path__, "memory_wiki."):
    import_module(module.name)
from memory_wiki.faces.cli import main
exec(sys.argv[1])
for command in sys.argv[2].split("\\n"):
    sys.argv[1:] = command.split("\\t")
    try:
        main()
    except SystemExit as end:
        for stream in (sys.stdout, sys.stderr):
            print(end=f"\\0{end.code or 0}\\0", file=stream, flush=True)
"""  # what comes first is imported late, when one may not read any more where Python is


def run(*args: str, first: str, home: Path) -> Ended:
    """The command in a process that gives something up once it has all its code, and before it begins."""
    return run_each([args], first=first, home=home)[0]


def run_each(commands: Sequence[Sequence[str]], *, first: str, home: Path) -> list[Ended]:
    """Commands one after another in one such process."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(home)}
    told = "\n".join("\t".join(command) for command in commands)
    command = [sys.executable, "-c", MAIN, first, told]
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=60)
    out, err = done.stdout.split("\0"), done.stderr.split("\0")
    assert len(out) == 2 * len(commands) + 1, done
    return [Ended(int(code), *said) for code, *said in zip(out[1::2], out[::2], err[::2], strict=False)]
