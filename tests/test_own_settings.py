"""A person's own settings, what wins over what, and what a stranger's vault may not ask for."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_wiki import config
from memory_wiki.config import Config
from memory_wiki.errors import BadConfig, ModelNotFound
from memory_wiki.index.models import Missing, Places
from memory_wiki.settings import Settings, chosen, load_settings, set_model, settings_file
from memory_wiki.wiki.models import Models, embedder_of, find_embedder

OWN = Settings(Path("settings.toml"), "by-me")


@pytest.mark.parametrize(
    ("environment", "own", "vault", "expected"),
    [
        ({"MEMORY_WIKI_MODEL": "by-env"}, OWN, "by-vault", ("by-env", "MEMORY_WIKI_MODEL")),
        ({}, OWN, "by-vault", ("by-me", "settings.toml")),
        ({"MEMORY_WIKI_MODEL": ""}, Settings(Path("s")), "by-vault", ("by-vault", "memory-wiki.toml")),
        ({}, Settings(Path("s")), "auto", ("auto", "")),
        ({}, Settings(Path("s"), "auto"), "none", ("auto", "s")),
    ],
)
def test_the_environment_wins_over_ones_own_settings_and_those_over_the_vaults(
    environment: dict[str, str], own: Settings, vault: str, expected: tuple[str, str]
) -> None:
    choice = chosen(environment, own, vault)
    assert (choice.model, choice.by) == expected


def test_ones_own_settings_are_in_the_configuration_folder_or_where_a_variable_says(home: Path) -> None:
    assert settings_file({}).is_relative_to(home)
    assert settings_file({"MEMORY_WIKI_SETTINGS": "~/mine.toml"}) == home / "mine.toml"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'model = "new"\n'),
        ("# mine\nmodel = 'old' # why\nother = 1\n", '# mine\nmodel = "new" # why\nother = 1\n'),
        ("other = 1", 'other = 1\nmodel = "new"\n'),
        ('[table]\nmodel = "theirs"\n', 'model = "new"\n\n[table]\nmodel = "theirs"\n'),
        ("a = 1\r\nmodel = 'x'\r\n", 'a = 1\r\nmodel = "new"\r\n'),
    ],
)
def test_a_choice_is_written_and_all_else_stays(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "new" / "settings.toml"
    if before:
        file.parent.mkdir()
        file.write_bytes(before.encode())
    set_model(file, "new")
    assert file.read_bytes().decode() == after
    assert load_settings(file).model == "new"
    assert [path.name for path in file.parent.iterdir()] == ["settings.toml"]


@pytest.mark.parametrize("before", ['"model" = "old"\n', 'x = """\nmodel = "1"\n"""\n', 'model = """\nold"""\n'])
def test_a_file_that_is_written_in_an_odd_way_is_left_to_the_person(tmp_path: Path, before: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(before, encoding="utf-8")
    with pytest.raises(BadConfig, match='put model = "new" there'):
        set_model(file, "new")
    assert file.read_text(encoding="utf-8") == before


@given(name=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_name_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    file = tmp_path_factory.mktemp("own") / "settings.toml"
    set_model(file, name)
    assert load_settings(file).model == name


@pytest.mark.parametrize("text", [b"model = 1", b"model = ", b"\xff", b"x = " + b"[" * 10_000])
def test_a_file_that_cannot_be_meant_is_named(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(text)
    with pytest.raises(BadConfig, match=str(file)):
        load_settings(file)


@pytest.mark.parametrize(
    "name",
    ["/etc/model", "../model", "~/model", "C:\\model", "model/..", ".hidden", "", "a b", "$HOME", "x" * 101, "é"],
)
def test_a_vault_may_name_a_model_but_no_folder(name: str) -> None:
    found = config.parse(f"model = '{name}'\n")
    assert found.model == "auto"
    assert [(problem.code, problem.level) for problem in found.problems] == [("harmful-setting", "warning")]
    assert "memory-wiki model use FOLDER" in found.problems[0].message


@pytest.mark.parametrize("name", ["auto", "none", "e5-small-v2", "a-model-of-tomorrow"])
def test_a_vault_may_name_a_model_of_another_version_of_ours(name: str) -> None:
    found = config.parse(f'model = "{name}"\n')
    assert (found.model, found.problems) == (name, ())


def test_a_model_that_is_no_name_at_all_is_refused() -> None:
    with pytest.raises(BadConfig, match="the name of a model"):
        config.parse("model = 5\n")


@pytest.mark.parametrize("folder", ["~nobody-of-that-name/model", "/" + "x" * 3_000, "/etc/passwd/model"])
def test_a_folder_that_no_machine_has_is_no_model_and_nothing_is_downloaded_for_it(folder: str, home: Path) -> None:
    asked = {"MEMORY_WIKI_MODEL": folder, "MEMORY_WIKI_MODELS": str(home / "models")}
    with pytest.raises(ModelNotFound, match="holds no model"):
        embedder_of(asked, Config(), fetches=True)
    assert not (home / "models").exists()
    with pytest.raises(ModelNotFound):
        Models(asked, home).use(folder)


def test_settings_of_a_user_whom_nobody_knows_are_none() -> None:
    assert load_settings(settings_file({"MEMORY_WIKI_SETTINGS": "~nobody-of-that-name/s.toml"})).model == ""
    assert Places.here({"MEMORY_WIKI_MODELS": "~nobody-of-that-name/m"}).own.name == "m"


def test_a_name_that_is_too_long_for_any_file_is_no_model(home: Path) -> None:
    with pytest.raises(ModelNotFound, match="is known"):
        Models({}, home).use("x" * 3_000)


def test_where_settings_can_not_be_written_it_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "a-file").write_text("", encoding="utf-8")
    file = tmp_path / "a-file" / "settings.toml"
    with pytest.raises(BadConfig, match=r"settings\.toml can't be "):
        set_model(file, "auto")
    with pytest.raises(BadConfig, match="no valid UTF-8"):
        set_model(tmp_path / "settings.toml", "/models/\udcff")
    assert [path.name for path in tmp_path.iterdir()] == ["a-file"]


def test_where_no_temporary_folder_can_be_written_to_a_model_is_looked_for_all_the_same(home: Path) -> None:
    """As on a full disk: no file may have a byte in this process."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
        "from memory_wiki.config import Config\n"
        "from memory_wiki.wiki.models import find_embedder\n"
        f"print(find_embedder({{'MEMORY_WIKI_MODELS': {str(home)!r}}}, Config()).code)"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert done.stdout == b"not-here\n"


def test_a_vault_that_asks_for_a_model_nobody_knows_finds_by_words(home: Path) -> None:
    found = find_embedder({}, Config(model="a-model-of-tomorrow"))
    assert isinstance(found, Missing)
    assert found.code == "unknown"
    assert isinstance(find_embedder({"MEMORY_WIKI_MODEL": str(home)}, Config()), Missing)


def test_the_starter_file_asks_for_any_model(root: Path) -> None:
    assert tomllib.loads((root / config.FILE).read_text(encoding="utf-8"))["model"] == "auto"
