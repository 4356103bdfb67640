"""Making a vault writes what is missing and touches nothing that is there."""

import hashlib
from pathlib import Path

import pytest

from kit import ADA, Clock, run_git
from memory_wiki.errors import BadInput, Refused
from memory_wiki.vault.make import STARTER, make


def digest(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_new_vault_is_a_repository_with_its_starter_files_committed(tmp_path: Path, clock: Clock) -> None:
    made = make(tmp_path / "new" / "vault", ADA, clock.now())
    assert set(made.written) == set(STARTER.values())
    assert made.is_own_repository
    assert run_git(made.root, "status", "--porcelain") == ""
    assert set(run_git(made.root, "ls-files").splitlines()) == set(STARTER.values())


def test_our_own_folder_is_private_and_ignores_itself(root: Path) -> None:
    own = root / ".memory-wiki"
    assert own.stat().st_mode & 0o777 == 0o700
    assert (own / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_making_a_vault_of_a_persons_folder_changes_no_byte_of_it(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("private/\n", encoding="utf-8")
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbf---\r\ntitle: x # comment\r\n---\r\ntext")
    before = digest(tmp_path)
    made = make(tmp_path, ADA, clock.now())
    after = digest(tmp_path)
    assert {name: after[name] for name in before} == before
    assert made.kept == (".gitignore",)


def test_making_a_vault_twice_writes_nothing_the_second_time(root: Path, clock: Clock) -> None:
    head = run_git(root, "rev-parse", "HEAD")
    assert make(root, ADA, clock.now()).written == ()
    assert run_git(root, "rev-parse", "HEAD") == head


def test_a_folder_that_its_repository_ignores_can_be_no_vault(tmp_path: Path, clock: Clock) -> None:
    run_git(tmp_path, "init", "-q")
    (tmp_path / ".gitignore").write_text("notes/\n", encoding="utf-8")
    with pytest.raises(BadInput, match="ignores it"):
        make(tmp_path / "notes", ADA, clock.now())


def test_a_file_can_be_no_vault(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BadInput, match="is a file"):
        make(tmp_path / "file", ADA, clock.now())


def test_a_vault_within_a_vault_is_refused(root: Path, clock: Clock) -> None:
    with pytest.raises(BadInput, match="lies in the vault"):
        make(root / "inner", ADA, clock.now())


def test_a_repository_of_longer_object_names_is_refused(tmp_path: Path, clock: Clock) -> None:
    run_git(tmp_path, "init", "-q", "--object-format=sha256")
    with pytest.raises(Refused, match="SHA-256"):
        make(tmp_path, ADA, clock.now())
