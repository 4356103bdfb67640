"""Repositories of every shape: linked, nested, shallow, partial, sparse, borrowed, split, of another format."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import ADA, Clock, run_git
from memory_wiki.errors import BadPath, MemoryWikiError
from memory_wiki.page.edit import Append
from memory_wiki.wiki import Wiki
from odd.states import WALRUS, assert_all_is_well, assert_verbs_work, commit, found, save, theirs, watched, wish
from proof import assert_agrees, on_disk

LOCAL = ("-c", "protocol.file.allow=always")  # submodules of this disk


def open_at(root: Path, clock: Clock) -> Wiki:
    return Wiki.open(root, root, ADA, clock.chance)


def linked(walrus: Path) -> Path:
    run_git(walrus, "worktree", "add", "-q", "../elsewhere", "-b", "side")
    return walrus.parent / "elsewhere"


def as_submodule(walrus: Path) -> Path:
    outer = walrus.parent / "outer"
    run_git(walrus.parent, "init", "-q", "-b", "main", "outer")
    run_git(outer, *LOCAL, "submodule", "--quiet", "add", str(walrus), "memory")
    commit(outer)
    return outer / "memory"


def apart(walrus: Path) -> Path:
    run_git(walrus, "init", "-q", "--separate-git-dir", "../apart.git")
    return walrus


def borrowing(walrus: Path) -> Path:
    run_git(walrus.parent, "clone", "-q", "--shared", "vault", "borrower")
    return walrus.parent / "borrower"


def shallow(walrus: Path) -> Path:
    run_git(walrus.parent, "clone", "-q", "--depth=1", f"file://{walrus}", "shallow")
    return walrus.parent / "shallow"


def packed(walrus: Path) -> Path:
    run_git(walrus, "gc", "-q")
    run_git(walrus, "pack-refs", "--all", "--prune")
    return walrus


def through_a_link(walrus: Path) -> Path:
    (walrus.parent / "link").symlink_to(walrus)
    return walrus.parent / "link"


def with_a_tree_set(walrus: Path) -> Path:
    """As a dotfiles repository is kept: the work tree is named in the settings."""
    (walrus / ".git").rename(walrus.parent / "bare.git")
    run_git(walrus.parent, "--git-dir=bare.git", "config", "core.worktree", str(walrus))
    (walrus / ".git").write_text(f"gitdir: {walrus.parent / 'bare.git'}\n", encoding="utf-8")
    return walrus


def shared_with_a_group(walrus: Path) -> Path:
    run_git(walrus, "init", "-q", "--shared=group")
    return walrus


def of_many_files(walrus: Path) -> Path:
    """An index of hundreds of files of code beside the pages, in git's settings for that."""
    run_git(walrus, "config", "feature.manyFiles", "true")
    blob = run_git(walrus, "hash-object", "-w", "memory-wiki.toml")
    lines = "".join(f"100644 {blob}\tcode/{n}.txt\n" for n in range(400))
    (walrus / "code").mkdir()
    for n in range(400):
        (walrus / "code" / f"{n}.txt").write_bytes((walrus / "memory-wiki.toml").read_bytes())
    (walrus.parent / "entries").write_text(lines, encoding="utf-8")
    run_git(walrus, "add", "code")
    run_git(walrus, "commit", "-q", "-m", "code")
    return walrus


SHAPES: list[Callable[[Path], Path]] = [
    linked,
    as_submodule,
    apart,
    borrowing,
    shallow,
    packed,
    through_a_link,
    with_a_tree_set,
    shared_with_a_group,
    of_many_files,
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_a_vault_in_a_repository_of_any_shape_is_a_vault(
    shape: Callable[[Path], Path], walrus: Path, clock: Clock
) -> None:
    root = shape(walrus)
    with open_at(root, clock) as wiki:
        assert found(wiki, "walrus") == [WALRUS]
        assert_all_is_well(wiki)


@pytest.mark.parametrize("shape", [linked, as_submodule, through_a_link], ids=lambda shape: shape.__name__)
def test_a_vault_in_a_repository_of_its_shape_can_be_watched(
    shape: Callable[[Path], Path], walrus: Path, clock: Clock
) -> None:
    with open_at(shape(walrus), clock) as wiki:
        assert_all_is_well(watched(wiki))


def test_a_worktree_of_the_same_repository_is_another_vault_with_a_branch_of_its_own(
    wiki: Wiki, walrus: Path, clock: Clock
) -> None:
    with open_at(linked(walrus), clock) as other:
        other.remember(wish("narwhal"))
        assert found(wiki, "narwhal") == []
        wiki.remember(wish("orca"))
        assert found(other, "orca") == []
        assert_agrees(wiki)
        assert_agrees(other)


def test_a_vault_that_is_a_submodule_leaves_the_outer_repository_alone(walrus: Path, clock: Clock) -> None:
    root = as_submodule(walrus)
    outer = root.parent
    (outer / "code.txt").write_text("mine", encoding="utf-8")
    run_git(outer, "add", "code.txt")
    before = run_git(outer, "ls-files", "--stage"), run_git(outer, "rev-parse", "HEAD")
    with open_at(root, clock) as wiki:
        assert_all_is_well(wiki)
    assert (run_git(outer, "ls-files", "--stage"), run_git(outer, "rev-parse", "HEAD")) == before


def test_a_submodule_in_the_vault_is_a_folder_of_someone_elses(wiki: Wiki, walrus: Path, tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main", "theirs")
    commit(tmp_path / "theirs", seal="A seal.\n")
    run_git(walrus, *LOCAL, "submodule", "--quiet", "add", str(tmp_path / "theirs"), "sub")
    save(walrus / "sub", seal="Changed in the submodule.\n")
    staged = theirs(walrus).staged
    assert found(wiki, "seal") == []
    with pytest.raises(BadPath, match="repository of its own"):
        wiki.edit("sub/seal.md", (Append("More."),))
    with pytest.raises(BadPath, match="repository of its own"):
        wiki.move(WALRUS, "sub/walrus.md")
    assert_verbs_work(wiki)
    assert theirs(walrus).staged == staged
    assert run_git(walrus / "sub", "status", "--porcelain") == " M seal.md"
    assert not wiki.prove().differing


@pytest.fixture
def shallow_wiki(wiki: Wiki, walrus: Path, clock: Clock) -> Wiki:
    wiki.edit(WALRUS, (Append("More."),))
    return open_at(shallow(walrus), clock)


def test_of_a_shallow_history_we_tell_as_much_as_there_is(shallow_wiki: Wiki, walrus: Path) -> None:
    with shallow_wiki as wiki:
        (only,) = wiki.log(WALRUS, None).versions
        old = run_git(walrus, "rev-parse", "HEAD~1")
        with pytest.raises(MemoryWikiError, match=r"git knows no such commit|has no version"):
            wiki.read(WALRUS, old)
        assert wiki.read(WALRUS, only.commit.id).page.data == (walrus / WALRUS).read_bytes()
        assert_all_is_well(wiki)
        assert (wiki.vault.root / ".git" / "shallow").exists()
        run_git(wiki.vault.root, "fetch", "-q", "--unshallow")
        assert len(wiki.log(WALRUS, None).versions) == 2


@pytest.fixture
def partial(wiki: Wiki, walrus: Path) -> Path:
    """A clone without the texts of the past, whose remote has gone away."""
    wiki.edit(WALRUS, (Append("More."),))
    wiki.edit(WALRUS, (Append("And more."),))
    run_git(walrus, "config", "uploadpack.allowFilter", "true")
    run_git(walrus.parent, "clone", "-q", "--filter=blob:none", f"file://{walrus}", "partial")
    shutil.move(walrus, walrus.parent / "gone")
    return walrus.parent / "partial"


def test_a_partial_clone_needs_no_network_but_for_texts_of_the_past(partial: Path, clock: Clock) -> None:
    with open_at(partial, clock) as wiki:
        assert found(wiki, "walrus") == [WALRUS]
        assert_verbs_work(wiki)
        wiki.edit(WALRUS, (Append("Ours."),))
        save(partial, walrus="By hand.\n")
        assert_agrees(wiki)
        assert len(wiki.log_all(None).commits) > 3


def test_sha_256_is_refused_in_a_sentence(tmp_path: Path, mw: Shell) -> None:
    run_git(tmp_path, "init", "-q", "--object-format=sha256")
    (tmp_path / "memory-wiki.toml").touch()
    commit(tmp_path, seal="A seal.\n")
    before = theirs(tmp_path)
    answer = mw("recall", "seal", "--vault", str(tmp_path))
    assert (answer.code, answer.out) == (6, "")
    assert "names objects by SHA-256, which is not supported; use a SHA-1 one" in answer.err
    assert theirs(tmp_path) == before


@pytest.mark.parametrize(("key", "value"), [("extensions.refStorage", "reftable"), ("extensions.unheardOf", "true")])
def test_a_repository_that_this_git_can_not_read_is_said_to_be_so(
    key: str, value: str, walrus: Path, mw: Shell
) -> None:
    run_git(walrus, "config", "core.repositoryFormatVersion", "1")
    run_git(walrus, "config", key, value)
    answer = mw("recall", "walrus", "--vault", str(walrus))
    assert (answer.code, answer.out) == (7, "")
    assert key.split(".")[1].lower() in answer.err.lower()
    assert "a mistake of ours" not in answer.err


def test_a_repository_without_files_is_no_vault(tmp_path: Path, mw: Shell) -> None:
    run_git(tmp_path, "init", "-q", "--bare", "bare.git")
    answer = mw("init", str(tmp_path / "bare.git"))
    assert answer.code == 2
    assert "bare" in answer.err
    assert not (tmp_path / "bare.git" / "memory-wiki.toml").exists()


def test_a_worktree_whose_repository_went_away_is_said_to_be_no_vault(walrus: Path, mw: Shell) -> None:
    other = linked(walrus)
    shutil.move(walrus, walrus.parent / "moved")
    answer = mw("recall", "walrus", "--vault", str(other))
    assert (answer.code, answer.out) != (0, "")
    assert "a mistake of ours" not in answer.err
    assert on_disk(other).keys() == {WALRUS}
    assert not (other / ".git").is_dir()


def test_a_partial_clone_tells_what_it_has_of_a_life_and_says_what_is_missing(
    wiki: Wiki, walrus: Path, clock: Clock, mw: Shell
) -> None:
    lines = "".join(f"Line {n} of a seal\n" for n in range(20))
    save(walrus, old=lines)
    wiki.catch_up()
    (walrus / "old.md").rename(walrus / "new.md")
    save(walrus, new=lines + "One more\n")
    wiki.catch_up()
    run_git(walrus, "config", "uploadpack.allowFilter", "true")
    run_git(walrus.parent, "clone", "-q", "--filter=blob:none", f"file://{walrus}", "partial")
    shutil.move(walrus, walrus.parent / "gone")
    root = walrus.parent / "partial"
    with open_at(root, clock) as other:
        assert other.log("new.md", None).versions
        first = run_git(root, "rev-list", "HEAD", "--", "old.md").split()[-1]
    answer = mw("read", "old.md", "--at", first, "--vault", str(root))
    assert (answer.code, answer.out) == (7, "")
    assert "this partial clone does not have that text; `git cat-file -p" in answer.err
