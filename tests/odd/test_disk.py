"""A disk that is full, read-only, or not ours: nothing is lost, reading goes on where it can, and one line says why."""

import ctypes
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import pytest

from faces.conftest import Shell
from kit import ADA, Clock
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from odd.processes import AS_IT_IS, AS_NOBODY, NOBODY, Ended, run, run_each
from odd.states import as_root, found, save, theirs, watched
from proof import assert_agrees, on_disk

TEMP = gettempdir()
"""Asked before a test can change the environment."""


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder that others may look into, also while another pytest begins: that one closes all that is pytest's."""
    with TemporaryDirectory(prefix="odd-disk-", dir=TEMP, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def digest(root: Path) -> dict[str, bytes]:
    """Every file, git's and ours included."""
    return {str(file): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def error(done: Ended, code: int = 7) -> str:
    """The one line of an error."""
    assert done.code == code, done
    assert done.out == ""
    assert "a mistake of ours" not in done.err
    assert "Traceback" not in done.err
    return done.err.splitlines()[-1]


@as_root
def test_in_a_folder_that_one_may_only_read_a_write_changes_nothing_and_says_which_folder(
    walrus: Path, open_home: Path
) -> None:
    before = digest(walrus)
    writes = [["remember", "A narwhal", "--vault", str(walrus)], ["init", str(walrus / "..")]]
    for said in map(error, run_each(writes, first=AS_NOBODY, home=open_home)):
        assert str(walrus.parent) in said
        assert "permission" in said.lower() or "may write to" in said
    assert digest(walrus) == before


@as_root
def test_a_page_that_one_may_not_read_hides_no_other_and_is_not_taken_for_deleted(
    wiki: Wiki, walrus: Path, open_home: Path
) -> None:
    save(walrus, hidden="A hidden seal.\n")
    wiki.catch_up()
    for folder, names, files in os.walk(walrus):
        for name in (".", *names, *files):
            os.chown(Path(folder, name), NOBODY, NOBODY)
    (walrus / "hidden.md").write_text("Hidden, changed.\n", encoding="utf-8")
    (walrus / "hidden.md").chmod(0)
    commands = [
        [*args, "--vault", str(walrus)]
        for args in (["recall", "walrus"], ["remember", "A narwhal"], ["status", "--json"])
    ]
    recalled, remembered, status = run_each(commands, first=AS_NOBODY, home=open_home)
    assert (recalled.code, "All about the walrus." in recalled.out) == (0, True), recalled
    assert remembered.code == 0, remembered
    assert "hidden.md" in json.dumps(json.loads(status.out)["unreadable"])
    assert (walrus / "hidden.md").stat().st_mode & 0o777 == 0


@as_root
@pytest.mark.parametrize("lost", [".git/objects", "global", ".memory-wiki"])
def test_a_permission_lost_on_one_folder_loses_no_text_and_is_named(lost: str, walrus: Path, open_home: Path) -> None:
    (walrus / "global").mkdir(exist_ok=True)
    for folder, names, files in os.walk(walrus):
        for name in (".", *names, *files):
            os.chown(Path(folder, name), NOBODY, NOBODY)
    mode = (walrus / lost).stat().st_mode
    pages = on_disk(walrus)
    (walrus / lost).chmod(0o500)
    done = run("remember", "A narwhal", "--vault", str(walrus), first=AS_NOBODY, home=open_home)
    (walrus / lost).chmod(mode)
    if done.code:
        assert "denied" in error(done).lower() or "may write to" in error(done) or "permission" in error(done).lower()
    assert on_disk(walrus).items() >= pages.items()
    done = run("check", "--index", "--vault", str(walrus), first=AS_NOBODY, home=open_home)
    assert done.code == 0, done


def no_bigger_than(size: int) -> str:
    """Files may not grow beyond, as on a disk whose quota is used up."""
    ignore = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    return f"{ignore}; import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"


@pytest.mark.parametrize("size", [40, 60000])
def test_a_used_up_quota_costs_no_page_and_leaves_no_half(size: int, wiki: Wiki, walrus: Path, home: Path) -> None:
    text = "A narwhal. " * 20000
    (home / "long.txt").write_text(text, encoding="utf-8")
    pages, before, head = on_disk(walrus), theirs(walrus), wiki.vault.history.head()
    done = run(
        "remember",
        "--file",
        str(home / "long.txt"),
        "--title",
        "Narwhal",
        "--vault",
        str(walrus),
        first=no_bigger_than(size),
        home=home,
    )
    assert error(done)
    assert "too large" in done.err.lower() or "SIGXFSZ" in done.err, done.err  # which git ends by, without a word
    assert (on_disk(walrus), theirs(walrus), wiki.vault.history.head()) == (pages, before, head)
    assert_agrees(wiki)


@pytest.fixture
def small_disk(tmp_path: Path, clock: Clock) -> Iterator[Path]:
    """A disk of two megabytes with a vault on it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"memory-wiki-test", str(disk).encode(), b"tmpfs", 0, b"size=2m"):
        pytest.skip(f"no disk can be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield make(disk / "vault", ADA, clock.now()).root
    finally:
        libc.umount2(str(disk).encode(), 2)


READ_ONLY = 1 | 32
"""Of a disk that is mounted already: https://man7.org/linux/man-pages/man2/mount.2.html"""


@pytest.mark.parametrize("is_opened", [True, False], ids=["opened before", "never opened"])
def test_on_a_disk_that_is_mounted_to_be_read_all_that_reads_answers(
    is_opened: bool, small_disk: Path, clock: Clock, mw: Shell
) -> None:
    with Wiki.open(small_disk, small_disk, ADA, clock.chance) as wiki:
        save(small_disk, walrus="All about the walrus.\n")
        wiki.catch_up()
    if not is_opened:
        shutil.rmtree(small_disk / ".memory-wiki")
    before = digest(small_disk)
    libc = ctypes.CDLL(None, use_errno=True)
    assert not libc.mount(None, str(small_disk.parent).encode(), None, READ_ONLY, None), os.strerror(ctypes.get_errno())
    answer = mw("recall", "walrus", "--vault", str(small_disk))
    assert (answer.code, "All about the walrus." in answer.out) == (0, True)
    assert "so this vault is only read" in answer.err
    answer = mw("edit", "walrus.md", "--append", "More.", "--vault", str(small_disk))
    assert (answer.code, answer.out) == (7, "")
    with Wiki.open(small_disk, small_disk, ADA, clock.chance) as wiki:
        assert found(watched(wiki), "walrus") == ["walrus.md"]
        assert wiki.prove().differing == ()
    assert digest(small_disk) == before


def fill(disk: Path, leave: int) -> Path:
    """Takes all of a disk but so many bytes."""
    ballast = disk / "ballast"
    free = os.statvfs(disk)
    with ballast.open("wb") as file:
        file.write(b"\0" * max(0, free.f_bavail * free.f_frsize - leave))
    return ballast


@pytest.mark.parametrize("leave", [0, 16384])
def test_a_full_disk_loses_nothing_and_with_room_again_all_is_well(leave: int, small_disk: Path, clock: Clock) -> None:
    with Wiki.open(small_disk, small_disk, ADA, clock.chance) as wiki:
        save(small_disk, walrus="All about the walrus.\n")
        wiki.catch_up()
    pages, before = on_disk(small_disk), theirs(small_disk)
    ballast = fill(small_disk.parent, leave)
    home = small_disk.parent.parent
    done = run(
        "remember", "A narwhal " * 300, "--title", "Narwhal", "--vault", str(small_disk), first=AS_IT_IS, home=home
    )
    said = done.err
    assert done.code in {0, 7}, done
    if done.code:
        assert "no space left" in said.lower() or "out of diskspace" in said.lower(), said
    assert "a mistake of ours" not in said
    if leave == 0:
        done = run("recall", "walrus", "--vault", str(small_disk), first=AS_IT_IS, home=home)
        assert "All about the walrus." in done.out, done
    assert on_disk(small_disk).items() >= pages.items()
    ballast.unlink()
    assert theirs(small_disk) == before
    with Wiki.open(small_disk, small_disk, ADA, clock.chance) as wiki:
        assert_agrees(wiki)


def opened_to_all(walrus: Path) -> None:
    for path in (walrus / ".memory-wiki", *(walrus / ".memory-wiki").rglob("*")):
        path.chmod(path.stat().st_mode | 0o055)


def never_opened(walrus: Path) -> None:
    shutil.rmtree(walrus / ".memory-wiki")


def of_one_owner(walrus: Path) -> None:
    """Its own folder is nobody else's to look into, as it is made."""
    assert (walrus / ".memory-wiki").stat().st_mode & 0o777 == 0o700


READERS = [
    ["recall", "walrus"],
    ["read", "walrus"],
    ["list"],
    ["log", "walrus"],
    ["status"],
    ["check"],
    ["reindex"],
]


@as_root
@pytest.mark.parametrize("bring_about", [opened_to_all, never_opened, of_one_owner], ids=lambda each: each.__name__)
def test_in_a_folder_that_one_may_only_read_all_that_reads_answers_and_says_so(
    bring_about: Callable[[Path], None], walrus: Path, open_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_about(walrus)
    before, passing = digest(walrus), open_home / "passing"
    passing.mkdir()
    passing.chmod(0o777)
    monkeypatch.setenv("TMPDIR", str(passing))
    commands = [[*args, "--vault", str(walrus)] for args in (*READERS, ["remember", "A narwhal"])]
    *done, refused = run_each(commands, first=AS_NOBODY, home=open_home)
    for each in done:
        assert each.code == 0, each
        assert "so this vault is only read: a write needs a folder that you may write to" in each.err
    assert "All about the walrus." in done[0].out
    assert "is only read" in done[READERS.index(["status"])].out
    assert "is only read" in error(refused)
    assert digest(walrus) == before
    assert not list(passing.iterdir())


@as_root
def test_what_changed_in_a_folder_that_one_may_only_read_is_found_and_left_uncommitted(
    walrus: Path, open_home: Path
) -> None:
    opened_to_all(walrus)
    save(walrus, seal="A seal.\n")
    before = digest(walrus)
    done = run("recall", "seal", "--vault", str(walrus), first=AS_NOBODY, home=open_home)
    assert (done.code, "A seal." in done.out) == (0, True), done
    assert "seal.md changed outside, not committed" in done.err
    assert digest(walrus) == before
