"""Save as editors and sync tools save, while the folder is watched: the last content is committed once, and found."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kit import run_git, until
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.recall.recall import Question
from memory_wiki.wiki import Wiki
from proof import assert_agrees, at_head, on_disk, staged, versions
from watching import watcher

PAGE, OTHER, BYSTANDER = "notes/page.md", "notes/other.md", "notes/bystander.md"
OLD = b"A page as it was, about walruses.\n"
NEW = b"A page as it is, about narwhals.\n"
HALF = b"A page as it is, ab"

Pages = dict[str, bytes | None]
FIRST: Pages = {PAGE: OLD, OTHER: b"Another page.\n"}


@dataclass(frozen=True)
class Shape:
    """A way of saving: `do` gives each page's last content, None where it is gone, and whether we are to commit it."""

    do: Callable[[Path, Path], Pages]
    before: Callable[[Path, Path], None] = lambda _root, _elsewhere: None
    is_ours: bool = True


def temp_beside(root: Path, _elsewhere: Path) -> Pages:
    temp = root / f"{PAGE}.tmp"
    temp.write_bytes(NEW)
    temp.replace(root / PAGE)
    return {PAGE: NEW}


def backup_and_create(root: Path, _elsewhere: Path) -> Pages:
    """As vim with `backupcopy=no`."""
    backup = root / f"{PAGE}~"
    (root / PAGE).rename(backup)
    (root / PAGE).write_bytes(NEW)
    backup.unlink()
    return {PAGE: NEW}


def swap_file_and_append(root: Path, _elsewhere: Path) -> Pages:
    swap = root / "notes" / ".page.md.swp"
    swap.write_bytes(b"b0VIM 9.0" + bytes(4096))
    with (root / PAGE).open("ab") as file:
        file.write(b"And one about narwhals.\n")
    swap.unlink()
    return {PAGE: OLD + b"And one about narwhals.\n"}


def temp_outside(root: Path, elsewhere: Path) -> Pages:
    (elsewhere / "save").write_bytes(NEW)
    (elsewhere / "save").replace(root / PAGE)
    return {PAGE: NEW}


def unlink_and_create(root: Path, _elsewhere: Path) -> Pages:
    (root / PAGE).unlink()
    (root / PAGE).write_bytes(NEW)
    return {PAGE: NEW}


def touch(root: Path, _elsewhere: Path) -> Pages:
    os.utime(root / PAGE)
    return {PAGE: OLD}


def same_size_and_time(root: Path, _elsewhere: Path) -> Pages:
    before = (root / PAGE).stat()
    text = OLD.replace(b"walruses", b"narwhals")
    (root / PAGE).write_bytes(text)
    os.utime(root / PAGE, ns=(before.st_atime_ns, before.st_mtime_ns))
    return {PAGE: text}


def rsync(root: Path, _elsewhere: Path) -> Pages:
    """A hidden file beside, with the time and mode of the source, put in place."""
    temp = root / "notes" / ".page.md.Xy12Ab"
    temp.write_bytes(NEW)
    temp.chmod(0o644)
    os.utime(temp, (1_000_000_000, 1_000_000_000))
    temp.replace(root / PAGE)
    return {PAGE: NEW}


def copy_in_place(root: Path, elsewhere: Path) -> Pages:
    """As `cp -a` and `rsync --inplace`: truncated, written, given an old time."""
    (elsewhere / "page.md").write_bytes(NEW)
    os.utime(elsewhere / "page.md", (1_000_000_000, 1_000_000_000))
    shutil.copy2(elsewhere / "page.md", root / PAGE)
    return {PAGE: NEW}


def obsidian(root: Path, _elsewhere: Path) -> Pages:
    """A page thrown away, one saved in place, and what Obsidian keeps for itself."""
    for name in (".obsidian", ".trash"):
        (root / name).mkdir()
    (root / ".obsidian" / "workspace.json").write_text("{}")
    (root / ".obsidian" / "notes.md").write_text("no page of ours, nor of narwhals\n")
    (root / OTHER).rename(root / ".trash" / "other.md")
    (root / f"{PAGE}.tmp").write_bytes(HALF)
    (root / PAGE).write_bytes(NEW)
    (root / f"{PAGE}.tmp").unlink()
    return {PAGE: NEW, OTHER: None}


def files_of_editors(root: Path, _elsewhere: Path) -> Pages:
    for name in ("page.tmp", "page.md.tmp", ".page.md.swp", "page.md~", "#page.md#", ".#page.md", ".page.md"):
        (root / "notes" / name).write_bytes(HALF)
    (root / PAGE).write_bytes(NEW)
    return {PAGE: NEW}


def sync_of_500_files(root: Path, _elsewhere: Path) -> Pages:
    pages = {f"notes/synced/{n}.md": b"Number %d, of narwhals.\n" % n for n in range(500)}
    for path, text in pages.items():
        temp = root / f"{path}.sync-tmp"
        temp.write_bytes(text)
        temp.replace(root / path)
    return {**pages}


def commit(root: Path, pages: Pages) -> None:
    for path, text in pages.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            file.unlink()
        else:
            file.write_bytes(text)
    run_git(root, "add", "--all")
    run_git(root, "commit", "--quiet", "--message=by a person")


def commit_500_files(root: Path, _elsewhere: Path) -> None:
    commit(root, {f"notes/synced/{n}.md": b"Number %d, of walruses.\n" % n for n in range(500)})


def commit_1000_pages(root: Path, _elsewhere: Path) -> None:
    commit(root, {f"big/{n % 10}/{n}.md": b"Number %d, of narwhals.\n" % n for n in range(1000)})


def rename_the_folder(root: Path, _elsewhere: Path) -> Pages:
    (root / "big").rename(root / "great")
    pages: Pages = {f"great/{n % 10}/{n}.md": b"Number %d, of narwhals.\n" % n for n in range(1000)}
    return {**pages, **dict.fromkeys((f"big/{n % 10}/{n}.md" for n in range(1000)), None)}


def make_a_branch(root: Path, _elsewhere: Path) -> None:
    run_git(root, "switch", "--quiet", "--create", "side")
    commit(root, {PAGE: NEW, OTHER: None, "side/new.md": b"Of narwhals too.\n"})
    run_git(root, "switch", "--quiet", "main")


def check_out(root: Path, _elsewhere: Path) -> Pages:
    run_git(root, "switch", "--quiet", "side")
    return {PAGE: NEW, OTHER: None, "side/new.md": b"Of narwhals too.\n"}


def clone(root: Path, elsewhere: Path) -> None:
    run_git(root, "clone", "--quiet", str(root), str(elsewhere / "theirs"))
    commit(elsewhere / "theirs", {PAGE: NEW, OTHER: None, "theirs/new.md": b"Of narwhals too.\n"})


def pull(root: Path, elsewhere: Path) -> Pages:
    run_git(root, "pull", "--quiet", str(elsewhere / "theirs"), "main")
    return {PAGE: NEW, OTHER: None, "theirs/new.md": b"Of narwhals too.\n"}


SHAPES = {
    "temp beside and replace": Shape(temp_beside),
    "backup, rename and create": Shape(backup_and_create),
    "swap file and append": Shape(swap_file_and_append),
    "temp outside and replace": Shape(temp_outside),
    "unlink and create": Shape(unlink_and_create),
    "touch only": Shape(touch, is_ours=False),
    "same size, time restored": Shape(same_size_and_time),
    "rsync": Shape(rsync),
    "copied in place": Shape(copy_in_place),
    "Obsidian": Shape(obsidian),
    "files that editors leave": Shape(files_of_editors),
    "sync of 500 files": Shape(sync_of_500_files, commit_500_files),
    "folder of 1,000 pages renamed": Shape(rename_the_folder, commit_1000_pages),
    "git switch": Shape(check_out, make_a_branch, is_ours=False),
    "git pull": Shape(pull, clone, is_ours=False),
}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return folder


@pytest.fixture
def plain(root: Path) -> Iterator[Wiki]:
    """The vault as another process has it open, which does not watch."""
    with Wiki.open(root, root) as wiki:
        yield wiki


def is_settled(plain: Wiki, last: Pages) -> bool:
    """Whether these are on disk, at HEAD and in the index, for which nobody asks anything of the wiki."""
    root = plain.vault.root
    pages = on_disk(root)
    is_found = plain.index.words.have() == versions(pages) and {path: pages.get(path) for path in last} == last
    return is_found and at_head(root) == versions(pages) and not staged(root)


def assert_saved_once(plain: Wiki, base: str, last: Pages, *, is_ours: bool) -> None:
    """Each page went from what it was at `base` to what it is now in one step, and by whom it should."""
    until(lambda: is_settled(plain, last))
    assert_agrees(plain)  # and a look at everything finds no more to commit
    history = plain.vault.history
    was, now = history.versions(base), history.versions("HEAD")
    commits = list(history.log(f"{base}..HEAD"))
    steps = sorted((touch.path, touch.after or "") for commit in commits for touch in commit.touched)
    assert steps == sorted((path, now.get(path, "")) for path in {*was, *now} if was.get(path) != now.get(path))
    assert {commit.email for commit in commits} <= {"ada@example.org"}
    assert {commit.trailer("Source") for commit in commits} == ({"outside"} if is_ours else {""} if commits else set())


def assert_found(wiki: Wiki, last: Pages) -> None:
    path, data = next((path, data) for path, data in last.items() if data)
    hits = wiki.recall(Question(data.decode(), limit=50, budget=20_000)).hits
    assert path in {name for hit in hits for name in (hit.path, *hit.copies)}
    assert all(path not in last or last[path] for path in {hit.path for hit in hits})


@pytest.fixture
def base(root: Path) -> Path:
    commit(root, FIRST)
    return root


@pytest.mark.parametrize("name", SHAPES)
def test_however_a_page_is_saved_its_last_content_is_committed_once_and_found(
    name: str, base: Path, plain: Wiki, elsewhere: Path
) -> None:
    """Takes a second: quiet is waited for, and a thousand pages are indexed in one of them."""
    shape = SHAPES[name]
    shape.before(base, elsewhere)
    with Wiki.open(base, base) as watching:
        assert watching.watch() == ""
        until(lambda: is_settled(plain, {}))
        head = plain.vault.history.head()
        last = shape.do(base, elsewhere)
        assert_saved_once(plain, head, last, is_ours=shape.is_ours)
        for wiki in (watching, plain):
            assert_found(wiki, last)


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("backup, rename and create", signal.SIGINT),
        ("temp beside and replace", signal.SIGTERM),
        ("unlink and create", signal.SIGINT),
        ("git switch", signal.SIGTERM),
    ],
)
def test_the_command_watches_until_it_is_told_to_end(
    name: str, ends: signal.Signals, base: Path, plain: Wiki, elsewhere: Path
) -> None:
    """Takes a second: Python starts."""
    shape = SHAPES[name]
    shape.before(base, elsewhere)
    with watcher(base, elsewhere / "said") as command:
        until(lambda: is_settled(plain, {}))
        head = plain.vault.history.head()
        last = shape.do(base, elsewhere)
        assert_saved_once(plain, head, last, is_ours=shape.is_ours)
        assert_found(plain, last)
        assert command.end(ends) == 0
    assert ("changed outside" in command.text) == shape.is_ours
    assert "Traceback" not in command.text


WRITER = r"""
import sys
with open(sys.argv[1], "wb", buffering=0) as file:
    for text in (b"A page as it is, ab", b"out narwhals.\n"):
        file.write(text)
        print("written", flush=True)
        sys.stdin.readline()
"""


def test_a_page_that_an_editor_has_half_written_is_left_alone_until_it_is_whole(base: Path, plain: Wiki) -> None:
    """The editor takes as long as it likes: it goes on when we have seen what became of the page beside it."""
    command = [sys.executable, "-c", WRITER, str(base / PAGE)]
    with Wiki.open(base, base) as watching:
        watching.watch()
        until(lambda: is_settled(plain, {}))
        head = plain.vault.history.head()
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as editor:
            assert editor.stdin is not None
            assert editor.stdout is not None
            editor.stdout.readline()
            (base / BYSTANDER).write_bytes(b"Saved meanwhile, about seals.\n")
            until(lambda: BYSTANDER in at_head(base))
            for wiki in (plain, watching):
                assert_found(wiki, {BYSTANDER: b"Saved meanwhile, about seals.\n"})
                assert not wiki.recall(Question("narwhals")).hits
                assert wiki.index.words.have()[PagePath(PAGE)] == version_of(OLD)
            assert at_head(base)[PAGE] == version_of(OLD)
            for _ in range(2):
                editor.stdin.write(b"go on\n")
                editor.stdin.flush()
        last: Pages = {PAGE: NEW, BYSTANDER: b"Saved meanwhile, about seals.\n"}
        assert_saved_once(plain, head, last, is_ours=True)
        for wiki in (watching, plain):
            assert_found(wiki, {PAGE: NEW})
