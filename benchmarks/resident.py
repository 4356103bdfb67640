"""A process that recalls what is asked on standard input, a question a line, and prints what memory it holds.

    python benchmarks/resident.py VAULT watching < questions
    python benchmarks/resident.py VAULT watching fast < questions     # by meaning too; best: with the reranker

Prints kibibytes as JSON, as /proc/self/status of Linux has them: `VmHWM` the most it ever held, `RssAnon` its own,
`RssFile` pages of files, the index among them, that the system may take back.
"""

import json
import sys
from pathlib import Path

from holding import HELD
from memory_wiki.recall.answer import Question
from memory_wiki.recall.effort import Effort


def main() -> None:
    _, root, how, *by_meaning = sys.argv
    with HELD[how](Path(root)) as wiki:
        effort = Effort(by_meaning[0]) if by_meaning else Effort.DEFAULT
        if by_meaning:
            wiki.meaning.warm()
            wiki.meaning.embedder.wait()
        for question in sys.stdin.read().splitlines():
            wiki.recall(Question(question, project="", effort=effort))
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    lines = (line.split() for line in status.splitlines() if line.startswith(("Vm", "Rss")))
    print(json.dumps({name.rstrip(":"): int(kib) for name, kib, _ in lines}))


if __name__ == "__main__":
    main()
