"""The benchmark runs, in all its rows. What it measures is for people to judge, on a quiet machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

from shelf import MODELS

REAL = {"MEMORY_WIKI_MODEL": "auto", "MEMORY_WIKI_MODELS": str(MODELS)}
CORE = Path(__file__).parent.parent / "benchmarks" / "core.py"
ROWS = {
    "batch",
    "threads",
    "processes",
    "remember",
    "remember_recall",
    "recall",
    "meaning",
    "catch_up",
    "at_once",
    "reindex",
    "opening",
    "memory",
    "meaning_memory",
    "embedding",
    "commands",
    "mcp_start",
    "mcp_recall",
    "mcp_remember",
    "mcp_idle",
    "http_clients",
    "edits",
}


def test_a_quick_run_measures_every_row(tmp_path: Path) -> None:
    """Some ten seconds: it makes a dozen vaults, and starts two dozen Pythons."""
    figures = tmp_path / "figures.json"
    call = [sys.executable, str(CORE), "--quick", "--work", str(tmp_path), "--json", str(figures), "--markdown"]
    done = subprocess.run(call, check=False, capture_output=True, text=True, env={**os.environ, **REAL})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("| pages | what | measured | bar |")
    found = json.loads(figures.read_text(encoding="utf-8"))
    assert {row["name"] for row in found["rows"]} == ROWS
    assert all(row["figures"] and not row["failed"] for row in found["rows"])
    assert {"cores", "filesystem", "python", "git", "load_before", "load_after"} <= found["machine"].keys()
    assert list(tmp_path.iterdir()) == [figures]
