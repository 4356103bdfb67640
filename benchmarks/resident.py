"""A process that recalls what is asked on standard input, a question a line, and prints what memory it holds.

    python benchmarks/resident.py VAULT watching < questions

Prints kibibytes as JSON, as /proc/self/status of Linux has them: `VmHWM` the most it ever held, `RssAnon` its own,
`RssFile` pages of files, the index among them, that the system may take back.
"""

import json
import sys
from pathlib import Path

from holding import HELD
from memory_wiki.recall.recall import Question


def main() -> None:
    _, root, how = sys.argv
    with HELD[how](Path(root)) as wiki:
        for question in sys.stdin.read().splitlines():
            wiki.recall(Question(question, project=""))
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    lines = (line.split() for line in status.splitlines() if line.startswith(("Vm", "Rss")))
    print(json.dumps({name.rstrip(":"): int(kib) for name, kib, _ in lines}))


if __name__ == "__main__":
    main()
