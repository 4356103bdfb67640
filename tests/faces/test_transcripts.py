"""Sessions at a terminal, as they are told in `transcripts/`, are word for word what happens.

`pytest tests/faces --regenerate` writes them anew; what changed is then to be read as a diff. In a transcript `$`
begins a command, which the shell runs unless it is ours; `!` begins a line of standard error; `[3]` is an exit code.
The session stands in a home of its own, `~`, from noon of 30 November 2026 on; each command of ours takes a minute.
Models that are installed lie in `$MODELS`.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from faces.conftest import Ran, Shell
from shelf import real

TRANSCRIPTS = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))
OURS = re.compile(r"(?:(?P<before>.+) \| )?(?P<settings>(?:[A-Z_]+=\S* )*)memory-wiki (?P<args>.*)", re.DOTALL)
UNSTEADY = {
    r"Indexed (.*) in \d+\.\d s": r"Indexed \1 in 0.0 s",
    r"in \d+\.\d s, \d+ a second": "in 0.0 s, 60 a second",
    r"\d+% sure": "N% sure",
    r'"seconds": [\d.e-]+': '"seconds": 0.0',
    r"words, [\d,]+ KiB": "words, 8 KiB",
    r'"index_bytes": \d+': '"index_bytes": 8192',
}
"""What is measured, and so differs from run to run."""
STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Session:
    """Someone at a terminal in an empty home."""

    def __init__(self, home: Path, mw: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
        self._home = home
        self._mw = mw
        self._monkeypatch = monkeypatch
        for role in ("AUTHOR", "COMMITTER"):
            monkeypatch.setenv(f"GIT_{role}_DATE", "2026-11-30T12:00:30Z")
        monkeypatch.setenv("MODELS", str(real().parent))
        monkeypatch.delenv("MEMORY_WIKI_MODEL")

    def type(self, command: str) -> str:
        """What the terminal shows for it."""
        if ours := OURS.fullmatch(command):
            ran = self._run(ours)
            assert not STEERS.search(ran.out + ran.err), f"{command!r} would steer a terminal"
        elif command.startswith("cd "):
            self._monkeypatch.chdir(command.removeprefix("cd "))
            return ""
        else:
            ran = _sh(command)
        shown = ran.out + "".join(f"! {line}\n" for line in ran.err.splitlines())
        return self._steady(shown + (f"[{ran.code}]\n" if ran.code else ""))

    def _run(self, ours: re.Match[str]) -> Ran:
        stdin = _sh(ours["before"]).stdout if ours["before"] else b""
        with self._monkeypatch.context() as patch:
            for setting in ours["settings"].split():
                patch.setenv(*setting.split("=", 1))
            return self._mw(*shlex.split(ours["args"]), stdin=stdin)

    def _steady(self, shown: str) -> str:
        shown = shown.replace(str(self._home), "~")
        for pattern, instead in UNSTEADY.items():
            shown = re.sub(pattern, instead, shown)
        return shown


def _sh(command: str) -> Ran:
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, env=os.environ)
    return Ran(done.returncode, done.stdout, done.stderr.decode())


def told(text: str) -> Iterator[str]:
    """The commands of a transcript; one goes on over lines while a quote is open."""
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line.removeprefix("$ ")
            while command.count("'") % 2:
                command += "\n" + next(lines)
            yield command


@pytest.mark.parametrize("file", TRANSCRIPTS, ids=lambda file: file.stem)
def test_a_session_goes_as_it_is_told(
    file: Path, home: Path, mw: Shell, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    session = Session(home, mw, monkeypatch)
    expected = file.read_text(encoding="utf-8")
    found = "\n".join(f"$ {command}\n{session.type(command)}" for command in told(expected))
    if request.config.getoption("--regenerate", default=False):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


def test_the_sessions_show_every_command_as_text_and_as_json(mw: Shell) -> None:
    ours = [
        found for file in TRANSCRIPTS for command in told(file.read_text("utf-8")) if (found := OURS.match(command))
    ]
    names = re.findall(r"^  (\w+)  ", mw("--help").out.partition("Commands:")[2], re.MULTILINE)
    assert len(names) == 24
    for name in names:
        if name in {"watch", "mcp", "serve", "bench"}:
            continue  # they do not end, or measure: tests/test_watch.py, tests/agents/ and test_bench.py run them
        runs = [run["args"] for run in ours if run["args"].split()[0] == name]
        assert [run for run in runs if "--json" not in run], f"no session shows {name}"
        assert [run for run in runs if "--json" in run], f"no session shows {name} --json"
