"""What is said of long work: by a watch at the end of a run, and off a terminal by any command now and then."""

import pytest

from memory_wiki.faces import beside
from memory_wiki.faces.beside import Ear, Herald, progress


def heard(*told: tuple[int, int]) -> list[str]:
    notes: list[str] = []
    herald = Herald(lambda _: None, lambda: None, notes.append)
    for done, total in told:
        herald.embedded(done, total)
    return notes


def test_a_short_run_is_told_of_once_it_is_done() -> None:
    assert heard((1, 1), (32, 40)) == ["embedded 1 of 1 passage"]
    (end,) = heard((32, 2_000), (64, 2_000), (2_000, 2_000))
    assert end.startswith("embedded 2,000 of 2,000 passages, ")
    assert end.endswith(" a second")


def test_a_long_run_is_told_of_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "SAID_EACH", 0.0)
    first, second, end = heard((32, 96), (64, 96), (96, 96))
    assert first == "embedded 32 of 96 passages"
    assert second.startswith("embedded 64 of 96 passages, ")
    assert end.startswith("embedded 96 of 96 passages, ")


def test_off_a_terminal_a_command_says_how_far_it_is_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    with progress(notes.append, "passage") as told:
        ear = Ear(notes.append, told)
        ear.embedded(0, 2_000)
        ear.embedded(32, 2_000)
        assert notes == ["embedding 2,000 passages"]
        monkeypatch.setattr(beside, "SAID_EACH", 0.0)
        ear.embedded(64, 2_000)
    assert notes[1].startswith("64 of 2,000 passages, ")
    assert notes[1].endswith(" a second")
