"""The command in a process of its own, which may have given something up before it began."""

import os
import subprocess
import sys
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
MAIN = (
    "import sys, zoneinfo, fractions, contextvars, ulid, markdown_it, frontmatter;"
    " from memory_wiki.faces import desk; from memory_wiki.faces.cli import main;"
    " exec(sys.argv.pop(1)); main()"
)  # the first line is imported late, when one may not read any more where Python is


def run(*args: str, first: str, home: Path) -> Ended:
    """The command in a process that gives something up once it has all its code, and before it begins."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(home)}
    command = [sys.executable, "-c", MAIN, first, *args]
    done = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=20)
    return Ended(done.returncode, done.stdout, done.stderr)
