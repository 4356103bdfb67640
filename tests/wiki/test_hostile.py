"""Hostile folders: paths and links that lead out of the vault, traps in it, and settings of a stranger's."""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from kit import ADA, Clock
from memory_wiki.errors import BadConfig, BadInput, BadPath, NotFound, PageExists, Refused, VaultNotFound, VaultTooNew
from memory_wiki.page.edit import Append
from memory_wiki.page.memory import Memory
from memory_wiki.wiki import Wiki
from memory_wiki.wiki.remembering import Wish
from wiki.hostile import HERON, found, heron, problems, put, with_heron

PRIVATE = {"diary.md": b"Private: a purple heron.\n", "notes.txt": b"Also private.\n"}


@pytest.fixture
def outside(root: Path) -> Path:
    """A folder beside the vault that nobody asked us to read, or to touch."""
    folder = root.parent / "outside"
    folder.mkdir()
    for name, data in PRIVATE.items():
        (folder / name).write_bytes(data)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# Paths

AWAY = [
    *("..", ".", "../diary", "../outside/diary", "/etc/passwd", "a/../../diary", "a//b", "./x", "a/./b", "C:\\x"),
    *("c:x", "\\\\server\\x", ".git/config", ".git/hooks/post-commit", ".memory-wiki/x", ".obsidian/app", ".github/x"),
    *("a/.b/c", "nul", "COM1.md", "con.txt", "aux/page", "x\0y", "x\ny"),
    *("a./b", "a /b", "x?", "x*", "\ud800", "x" * 300),
]


def test_a_page_never_moves_out_of_the_vault_nor_into_its_hidden_folders(wiki: Wiki) -> None:
    good = with_heron(wiki)
    for path in AWAY:
        with pytest.raises(BadPath):
            wiki.move("Heron", path)
    assert heron(wiki) == good


def verbs(wiki: Wiki, name: str) -> list[Callable[[], object]]:
    """Whatever reads or changes the page of that name."""
    return [
        lambda: wiki.read(name),
        lambda: wiki.edit(name, (Append("x"),)),
        lambda: wiki.move(name, "stolen"),
        lambda: wiki.archive(name),
        lambda: wiki.restore(name),
        lambda: wiki.log(name, None),
        lambda: wiki.diff(name),
    ]


def test_a_name_that_leads_out_of_the_vault_is_nobodys(wiki: Wiki, outside: Path) -> None:
    good = with_heron(wiki)
    for name in [*AWAY, "#", "^", "|"]:
        with pytest.raises(NotFound):
            wiki.read(name)
    for name in ("../outside/diary", str(outside / "diary.md"), ".git/config", "nul"):
        for verb in verbs(wiki, name):
            with pytest.raises(NotFound):
                verb()
    assert heron(wiki) == good
    assert contents(outside) == PRIVATE


@pytest.mark.parametrize("name", ["", " ", "[[]]"])
def test_an_empty_name_is_nobodys(wiki: Wiki, name: str) -> None:
    put(wiki, {"-.md": b"A page.\n"})
    with pytest.raises((NotFound, BadInput)):
        wiki.read(name)


@pytest.mark.parametrize("verb", ["read", "move"])
def test_a_path_that_no_disk_can_hold_is_a_typed_error(wiki: Wiki, verb: str) -> None:
    with_heron(wiki)
    path = "a/" * 3000 + "b"
    with pytest.raises((BadPath, NotFound)):
        _ = wiki.read(path) if verb == "read" else wiki.move("Heron", path)


@pytest.mark.parametrize("link", ["page.md", "broken.md", "folder"])
def test_a_link_out_of_the_vault_is_followed_by_no_verb(wiki: Wiki, outside: Path, link: str) -> None:
    good = with_heron(wiki)
    to = {"page.md": outside / "diary.md", "broken.md": outside / "new.md"}.get(link, outside)
    (wiki.vault.root / link).symlink_to(to)
    path = link if link.endswith(".md") else f"{link}/diary.md"
    moves: list[Callable[[], object]] = [partial(wiki.move, "Heron", to) for to in (path, f"{link}/new.md")]
    for verb in [*verbs(wiki, path), *moves]:
        with pytest.raises((BadPath, NotFound, PageExists)):
            verb()
    assert found(wiki, "purple") == set()
    assert found(wiki, "grey heron") == {HERON}
    assert heron(wiki) == good
    assert contents(outside) == PRIVATE


def test_a_page_is_not_archived_through_a_link_and_stays_as_it_was(wiki: Wiki, outside: Path) -> None:
    good = with_heron(wiki)
    (wiki.vault.root / "archive").symlink_to(outside)
    with pytest.raises(BadPath):
        wiki.archive("Heron")
    assert contents(outside) == PRIVATE
    assert (wiki.vault.root / HERON).read_bytes() == good


def test_a_memory_is_not_written_through_a_link(wiki: Wiki, outside: Path) -> None:
    (wiki.vault.root / "projects").symlink_to(outside)
    with pytest.raises(BadPath):
        wiki.remember(Wish(Memory("Mine."), "shop"))
    assert contents(outside) == PRIVATE


def test_a_link_is_a_problem_that_check_names(wiki: Wiki, outside: Path) -> None:
    (wiki.vault.root / "page.md").symlink_to(outside / "diary.md")
    assert problems(wiki) == {"page.md": {"not-a-page"}}


def test_a_pipe_named_like_a_page_is_none_and_stops_nothing(wiki: Wiki) -> None:
    good = with_heron(wiki)
    os.mkfifo(wiki.vault.root / "pipe.md")
    for verb in verbs(wiki, "pipe.md"):
        with pytest.raises((BadPath, NotFound)):
            verb()
    assert problems(wiki) == {"pipe.md": {"not-a-page"}}
    assert found(wiki, "heron") == {HERON}
    assert heron(wiki) == good


def test_a_folder_named_like_a_page_is_none_and_the_pages_in_it_are_found(wiki: Wiki) -> None:
    (wiki.vault.root / "folder.md").mkdir()
    put(wiki, {"folder.md/inner.md": b"A white heron.\n"})
    assert found(wiki, "heron") == {"folder.md/inner.md"}
    for verb in verbs(wiki, "folder.md"):
        with pytest.raises((BadPath, NotFound)):
            verb()


# The folder of our own


@pytest.mark.parametrize("kind", ["link", "link to nowhere", "file"])
def test_a_vault_whose_own_folder_is_a_trap_is_refused(root: Path, outside: Path, kind: str) -> None:
    own = root / ".memory-wiki"
    shutil.rmtree(own)
    if kind == "file":
        own.write_text("x", encoding="utf-8")
    else:
        own.symlink_to(outside if kind == "link" else outside / "nowhere")
    with pytest.raises(Refused):
        Wiki.open(root, root, ADA)
    assert contents(outside) == PRIVATE


@pytest.mark.parametrize("inside", ["tmp", "index", "index/words", "lock", ".gitignore"])
def test_a_link_inside_our_own_folder_is_not_followed_either(
    root: Path, outside: Path, clock: Clock, inside: str
) -> None:
    trap = root / ".memory-wiki" / inside
    shutil.rmtree(root / ".memory-wiki")
    trap.parent.mkdir(parents=True)
    trap.symlink_to(outside / "new.txt" if inside in {"lock", ".gitignore"} else outside)
    with pytest.raises(Refused):
        _remember_and_reindex(root, clock)
    assert contents(outside) == PRIVATE


def _remember_and_reindex(root: Path, clock: Clock) -> None:
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        wiki.remember(Wish(Memory("Mine."), ""))
        wiki.reindex()


# Vaults and their settings


def test_a_folder_that_is_no_vault_is_left_alone(tmp_path: Path) -> None:
    for folder in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(VaultNotFound, match="memory-wiki init"):
            Wiki.open(folder, tmp_path)
    assert list(tmp_path.iterdir()) == []


SETTINGS = {
    "format = 2": VaultTooNew,
    "format = 99999999999999999999": VaultTooNew,
    'format = "1"': BadConfig,
    "format = 0": BadConfig,
    "format = [1]": BadConfig,
    "[[[": BadConfig,
    "budget = 1": BadConfig,
    "budget = 1e9": BadConfig,
    "budget = true": BadConfig,
    'language = "../x"': BadConfig,
    "language = 5": BadConfig,
    'commit_outside_edits = "no"': BadConfig,
    "x = " + "[" * 5000: BadConfig,
    "\xff": BadConfig,
}


def test_settings_that_can_not_be_meant_are_refused_and_nothing_is_written(root: Path) -> None:
    for settings, error in SETTINGS.items():
        (root / "memory-wiki.toml").write_text(settings, encoding="latin-1")
        before = contents(root)
        with pytest.raises(error):
            Wiki.open(root, root, ADA)
        assert contents(root) == before


def test_a_strangers_settings_move_nothing_and_are_reported(root: Path, clock: Clock, outside: Path) -> None:
    asked = f'editor = "rm -rf /"\nvault = "{outside}"\nactor = "root"\nhooks = ["x"]\n[remote]\nurl = "evil"\n'
    (root / "memory-wiki.toml").write_text(asked, encoding="utf-8")
    with Wiki.open(root, root, ADA, clock.chance) as wiki:
        wiki.remember(Wish(Memory("x"), ""))
        assert [problem.code for problem in wiki.status().settings] == ["unknown-setting"] * 5
        assert problems(wiki) == {"memory-wiki.toml": {"unknown-setting"}}
        assert wiki.actor == ADA
    assert contents(outside) == PRIVATE
