"""`bench` as a person runs it: from a file of conversations to figures, in text and in JSON."""

import json
from pathlib import Path
from typing import get_type_hints

import pytest

from bench.samples import LOCOMO, saved
from faces.conftest import Shell
from memory_wiki.faces.bench import bench
from memory_wiki.recall.effort import Effort

KEYS = {
    *("dataset", "data", "command", "vaults", "pages", "writing_seconds", "questions", "without_evidence", "groups"),
    *("unknown", "evidence", "latency", "reliability", "reader", "notes"),
}


@pytest.fixture
def locomo(home: Path) -> Path:
    return saved(home, "locomo.json", LOCOMO)


def test_a_run_in_text_has_its_command_its_intervals_and_what_it_cost(mw: Shell, locomo: Path, home: Path) -> None:
    ran = mw("bench", "locomo", "--data", locomo.name, "--budget", "500")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("locomo: 5 questions, 3 pages in 2 vaults, written in ")
    assert lines[1] == f"  memory-wiki bench locomo --data {locomo.name} --budget 500"
    assert "  no reader model took part: the retrieval figures stand alone" in lines
    assert "  session any@5  1.000  [1.000, 1.000]" in lines
    assert "  1 question without usable evidence left out" in lines
    for said in ("AUROC  ", "evidence kept  1.000  [1.000, 1.000]  within 500 tokens", "recall  p50 ", "multi-hop"):
        assert said in ran.out
    assert [path.name for path in home.iterdir() if not path.name.startswith(".")] == ["locomo.json"]


def test_a_run_in_json_has_every_figure_with_its_interval(mw: Shell, locomo: Path) -> None:
    ran = mw("bench", "locomo", "--data", str(locomo), "--json", "--limit", "4", "--mode", "fast", "--without", "near")
    found = json.loads(ran.out)
    assert found.keys() == KEYS
    assert {figure["name"] for figure in found["groups"][0]["figures"]} >= {"any@5", "MRR", "session all@5"}
    assert all(figure.keys() == {"name", "value", "low", "high", "of"} for figure in found["groups"][0]["figures"])
    assert [row.keys() for row in found["reliability"]] == [{"low", "high", "answerable", "found", "others"}] * 10
    assert found["evidence"][0].keys() == {"budget", "value", "low", "high", "of", "tokens"}
    assert found["latency"][0].keys() == {"what", "p50", "p95", "of", "tokens"}
    assert found["reader"] is None
    assert len(found["notes"]) == 4
    assert any(note.startswith("without meaning for 4 of 4 questions: no model is wanted") for note in found["notes"])


def test_a_run_asks_as_hard_as_a_recall_can() -> None:
    assert get_type_hints(bench)["mode"] is Effort


def test_what_can_not_be_measured_is_said_in_a_line(mw: Shell, locomo: Path) -> None:
    ran = mw("bench", "beam", "--data", str(locomo), "--json")
    error = json.loads(ran.err)["error"]
    assert (ran.code, error["code"]) == (2, "bad-input")
    assert error["message"] == f"{locomo}: [0].messages is null, and should be a list"
    assert mw("bench", "nonsense", "--data", str(locomo)).code == 2
    assert "--reader-model" in mw("bench", "locomo", "--data", str(locomo), "--reader", "http://127.0.0.1:9").err
