"""What a person or a script may count on: exit codes, streams, help, which vault, bytes in and bytes out."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from typer.main import get_command

import memory_wiki
from faces.conftest import Shell
from kit import run_git
from memory_wiki import errors
from memory_wiki.faces import desk
from memory_wiki.faces.cli import app
from memory_wiki.wiki.chance import Chance

OWN = ".local/share/memory-wiki/vault"
COMMANDS = get_command(app).commands  # type: ignore[attr-defined]

CODES = {
    "error": 1,
    "bad-input": 2,
    "bad-path": 2,
    "bad-page": 2,
    "bad-memory": 2,
    "bad-revision": 2,
    "bad-config": 2,
    "not-found": 3,
    "page-not-found": 3,
    "project-not-found": 3,
    "version-not-found": 3,
    "vault-not-found": 3,
    "clash": 4,
    "conflict": 4,
    "page-exists": 4,
    "ambiguous": 4,
    "busy": 5,
    "refused": 6,
    "vault-too-new": 6,
    "broken": 7,
    "git-failed": 7,
    "not-committed": 7,
    "index-broken": 7,
    "model-not-found": 3,
    "model-off": 3,
    "model-not-fetched": 7,
    "model-broken": 7,
}
"""A promise to scripts: codes may come, but none may change."""


@pytest.fixture
def own(mw: Shell, home: Path) -> Path:
    """The person's own vault, with a page."""
    mw("init", str(home / OWN))
    mw("remember", "--vault", str(home / OWN), "--title", "Own", "The own one.")
    return home / OWN


def classes(tree: type[errors.MemoryWikiError] = errors.MemoryWikiError) -> Iterator[type[errors.MemoryWikiError]]:
    yield tree
    for branch in tree.__subclasses__():
        yield from classes(branch)


# Errors


def test_every_error_has_its_own_code_and_the_exit_code_it_always_had() -> None:
    found = [(each.code, each.exit_code) for each in classes()]
    assert sorted(found) == sorted(CODES.items())


def test_an_error_in_json_is_one_json_line_on_standard_error(mw: Shell, vault: Path) -> None:
    ran = mw("read", "--vault", str(vault), "--json", "Bittern")
    assert ran.stdout == b""
    error = json.loads(ran.err)["error"]
    assert (error["code"], error["name"], ran.code) == ("page-not-found", "Bittern", 3)
    assert "memory-wiki list" in error["message"]


def test_a_note_in_json_leaves_each_line_of_standard_error_json(mw: Shell, vault: Path) -> None:
    (vault / "new.md").write_text("x", encoding="utf-8")
    notes = [json.loads(line) for line in mw("read", "--vault", str(vault), "--json", "Bittern").err.splitlines()]
    assert [list(note) for note in notes] == [["note"], ["error"]]


def test_a_mistake_of_ours_ends_without_a_traceback_and_says_how_to_see_it(
    mw: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped() -> datetime:
        raise RuntimeError("the clock \x1b[31m stopped")

    monkeypatch.setattr(desk, "chance", Chance(stopped))
    ran = mw("init", "notes")
    assert (ran.code, ran.stdout) == (1, b"")
    assert "RuntimeError('the clock \\x1b[31m stopped')" in ran.err
    assert "MEMORY_WIKI_DEBUG=1" in ran.err
    monkeypatch.setenv("MEMORY_WIKI_DEBUG", "1")
    with pytest.raises(RuntimeError):
        mw("init", "notes")


@pytest.mark.parametrize(
    "args",
    [("frob",), ("list", "--frob"), ("read",), ("recall",), ("list", "--limit", "0"), ("recall", "x", "--budget", "y")],
    ids=" ".join,
)
def test_what_can_not_be_meant_exits_with_2(mw: Shell, args: tuple[str, ...]) -> None:
    ran = mw(*args)
    assert (ran.code, ran.stdout) == (2, b"")
    assert "Usage: memory-wiki" in ran.err


# Help and completion


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_every_option_and_says_what_it_does(mw: Shell, name: str) -> None:
    ran = mw(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    for param in COMMANDS[name].params:
        assert param.help, f"{name} does not say what {param.name} is for"
        for flag in param.opts if param.param_type_name == "option" else [param.metavar]:
            assert flag in ran.out


def test_the_list_of_commands_cuts_none_of_their_sentences(mw: Shell) -> None:
    listed = mw("--help").out.partition("Commands:")[2].strip().splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert [line for line in listed if line.endswith("...")] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_offered_for_each_shell(mw: Shell, monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    assert "--install-completion" in mw("--help").out
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    ran = mw("--show-completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert "_MEMORY_WIKI_COMPLETE" in ran.out


def test_completion_completes_commands(mw: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_MEMORY_WIKI_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "memory-wiki re")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert mw().out.split() == ["remember", "recall", "read", "recent", "restore", "reindex"]


def test_completion_completes_pages(mw: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (["init"], ["remember", "--global", "walruses"], ["remember", "--global", "zebras"]):
        assert mw(*command).code == 0
    monkeypatch.setenv("_MEMORY_WIKI_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "memory-wiki read global/notes/w")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert mw().out.split() == ["global/notes/walruses.md"]


def test_the_version_is_the_packages(mw: Shell) -> None:
    assert mw("--version").out == f"memory-wiki {memory_wiki.__version__}\n"


# Which vault


def test_the_option_goes_before_the_environment_that_before_the_place_and_that_before_ones_own(
    mw: Shell, own: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("option", "environment", "place"):
        mw("init", name)

    def vault(*args: str) -> str:
        return str(json.loads(mw("status", "--json", *args).out)["vault"])

    assert vault() == str(own)
    inside = home / "place" / "projects"
    inside.mkdir()
    monkeypatch.chdir(inside)
    assert vault() == str(home / "place")
    monkeypatch.setenv("MEMORY_WIKI_VAULT", "~/environment")
    assert vault() == str(home / "environment")
    assert vault("--vault", str(home / "option")) == str(home / "option")
    monkeypatch.setenv("MEMORY_WIKI_VAULT", "")
    assert vault() == str(home / "place")


def test_a_vault_that_is_named_and_not_there_is_never_replaced_by_another(
    mw: Shell, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_WIKI_VAULT", "nowhere")
    before = run_git(own, "rev-parse", "HEAD")
    ran = mw("remember", "Where to?")
    assert (ran.code, "nowhere is no vault" in ran.err) == (3, True)
    assert run_git(own, "rev-parse", "HEAD") == before


def test_a_script_is_told_how_to_make_the_first_vault_and_asked_nothing(mw: Shell, home: Path) -> None:
    ran = mw("remember", "Anything", stdin=b"y\n")
    assert ran.code == 3
    assert f"memory-wiki init {home / OWN}" in ran.err
    assert not (home / OWN).exists()


# Writing


def test_a_text_comes_as_words_from_a_pipe_or_from_a_file(mw: Shell, vault: Path) -> None:
    (vault.parent / "text.txt").write_bytes(b"\xef\xbb\xbf# From a file\r\n")
    mw("remember", "--vault", str(vault), "From", "three", "words")
    mw("remember", "--vault", str(vault), "-", stdin="# From a pipe: ü\n".encode())
    mw("remember", "--vault", str(vault), "--file", "text.txt")
    titles = {page["title"] for page in json.loads(mw("list", "--vault", str(vault), "--json").out)["pages"]}
    assert titles == {"From three words", "From a pipe: ü", "From a file"}


def test_a_pipe_that_is_no_utf_8_is_refused(mw: Shell, vault: Path) -> None:
    ran = mw("remember", "--vault", str(vault), "-", stdin=b"caf\xe9")
    assert ran.code == 2
    assert "standard input is no valid UTF-8 (byte 3)" in ran.err


def test_a_batch_with_a_bad_line_names_it_and_writes_nothing(mw: Shell, vault: Path) -> None:
    before = run_git(vault, "rev-parse", "HEAD")
    ran = mw("remember", "--vault", str(vault), "--batch", "-", stdin=b'{"text": "Good"}\n\n{"text": ""}\n')
    assert (ran.code, ran.stdout) == (2, b"")
    assert ran.err.startswith("memory-wiki: standard input:3: there is nothing to remember")
    assert "nothing was written" in ran.err
    assert run_git(vault, "rev-parse", "HEAD") == before


@pytest.mark.parametrize(
    "bad",
    [
        "nonsense",
        "[]",
        "{}",
        '{"text": 5}',
        '{"text": ""}',
        '{"text": "x", "txet": "y"}',
        '{"text": "x", "tags": [1]}',
        '{"text": "x", "confidence": true}',
        '{"text": "x", "confidence": 7}',
        '{"text": "x", "confidence": NaN}',
        '{"text": "\\ud800"}',
        '{"text": "---\\ntitle: [\\n---\\n"}',
        '{"text": ' + "9" * 5000 + "}",
        "[" * 5000,
    ],
    ids=lambda bad: bad[:40],
)
def test_no_bad_line_passes_for_a_memory(mw: Shell, home: Path, bad: str) -> None:
    mw("init")
    file = home / "batch.jsonl"
    file.write_text(f'{{"text": "Good"}}\n\n{bad}\n', encoding="utf-8")
    ran = mw("remember", "--batch", "batch.jsonl")
    assert ran.code == 2
    assert re.search(r"batch\.jsonl:3: (?s:.*); nothing was written", ran.err)


@pytest.mark.parametrize("beside", [["words"], ["--title", "x"], ["--project", "x"], ["--pin"]], ids=" ".join)
def test_a_batch_goes_with_no_other_option(mw: Shell, vault: Path, beside: list[str]) -> None:
    ran = mw("remember", "--vault", str(vault), "--batch", "-", *beside, stdin=b'{"text": "Good"}')
    assert (ran.code, "drop the text and the other options" in ran.err) == (2, True)


@pytest.mark.parametrize("expected", ["", "a"])
def test_a_scripts_empty_variable_is_no_expected_version(mw: Shell, vault: Path, expected: str) -> None:
    mw("remember", "--vault", str(vault), "Heron")
    ran = mw("edit", "--vault", str(vault), "heron", "--append", "x", "--expect", expected)
    assert (ran.code, "names no version" in ran.err) == (2, True)


def test_who_writes_may_be_said_in_the_environment(mw: Shell, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"ACTOR": "Grace", "AGENT": "claude-code", "SESSION": "7b2c"}.items():
        monkeypatch.setenv(f"MEMORY_WIKI_{name}", value)
    mw("remember", "--vault", str(vault), "Heron")
    said = run_git(vault, "log", "-1", "--format=%an%n%(trailers:only)").splitlines()
    assert said[0] == "Ada Lovelace"
    assert {"Actor: Grace", "Agent: claude-code", "Session: 7b2c"} <= set(said)


# Reading


def test_a_page_read_through_a_pipe_is_the_page_byte_for_byte(mw: Shell, vault: Path) -> None:
    pages = [b"one\r\ntwo\r\n", b"\xef\xbb\xbf# BOM\n", b"no end", b"", b"\xff\0\x1b[31m", b"\r", "🐦\n".encode()]
    for number, data in enumerate(pages):
        (vault / f"{number}.md").write_bytes(data)
    for number, data in enumerate(pages):
        assert mw("read", "--vault", str(vault), f"{number}.md").stdout == data
        assert mw("read", "--vault", str(vault), f"{number}.md", "--at", "HEAD").stdout == data


def test_text_and_json_of_a_check_are_one_answer(mw: Shell, vault: Path) -> None:
    mw("remember", "--vault", str(vault), "Heron")
    answer = json.loads(mw("check", "--vault", str(vault), "--index", "--json").out)
    assert answer == {"pages": 1, "found": [], "index": {"pages": 1, "differing": [], "uncommitted": []}}


@pytest.mark.parametrize(("broken", "said"), [(1, "1 page has front matter"), (2, "2 pages have front matter")])
def test_pages_whose_front_matter_can_not_be_read_are_counted_by_init_and_status(
    mw: Shell, home: Path, broken: int, said: str
) -> None:
    said += " that can't be read: `memory-wiki check` says where"
    notes = home / "notes"
    notes.mkdir()
    for number in range(broken):
        (notes / f"{number}.md").write_text("---\ntitle: Session: the migration\n---\nText.\n", encoding="utf-8")
    (notes / "odd.md").write_text("---\ntitle: Odd\npinned: perhaps\n---\nText.\n", encoding="utf-8")
    assert said in mw("init", str(notes)).err.splitlines()
    assert said in mw("status", "--vault", str(notes)).out.splitlines()
    paths = [f"{number}.md" for number in range(broken)]
    assert json.loads(mw("status", "--vault", str(notes), "--json").out)["front_matter"] == paths
    for path in paths:
        (notes / path).write_text("---\ntitle: The migration\n---\nText.\n", encoding="utf-8")
    assert "front matter" not in mw("status", "--vault", str(notes)).out


def test_a_command_run_from_a_git_hook_stays_in_its_own_repository(
    mw: Shell, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert mw("init").code == 0
    (tmp_path / "code").mkdir()
    run_git(tmp_path / "code", "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "code" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "code" / ".git" / "index"))
    assert mw("remember", "a walrus", "--global").code == 0
    assert not (tmp_path / "code" / ".git" / "index").exists()
    monkeypatch.undo()
    assert "remember: a walrus" in run_git(own, "log", "-1")
