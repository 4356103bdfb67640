"""The vault: compare-and-write, commits that sweep nothing in, and outside edits kept before anything else."""

import errno
import os
from pathlib import Path

import pytest

from kit import ADA, Clock, run_git
from memory_wiki.config import Config
from memory_wiki.errors import BadPath, Conflict, PageExists, PageNotFound, VaultBusy, VaultNotFound
from memory_wiki.page.change import Create, Move, Plan, Replace
from memory_wiki.page.path import PagePath, version_of
from memory_wiki.vault.make import make
from memory_wiki.vault.vault import Vault

PAGE = PagePath("notes/a.md")


@pytest.fixture
def vault(root: Path) -> Vault:
    return Vault(root, Config())


def create(vault: Vault, clock: Clock, path: PagePath, data: bytes) -> str:
    return vault.apply(Plan("remember", path, (Create(path, data),)), ADA, clock.now()).commit


def test_a_write_is_one_commit_by_the_person_with_trailers_that_say_the_rest(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"hello\n")
    assert run_git(vault.root, "log", "-1", "--format=%an <%ae>%n%B") == (
        "Ada Lovelace <ada@example.org>\n"
        "remember: notes/a.md\n\n"
        "Op: remember\nPage: notes/a.md\nActor: ada\nAgent: claude-code\nSession: session-7\n"
    )
    assert run_git(vault.root, "show", "--stat", "--format=", "HEAD").startswith(" notes/a.md")


def test_a_title_cannot_add_a_trailer(vault: Vault, clock: Clock) -> None:
    plan = Plan("remember", "x\n\nActor: root\r\nAgent: evil\x85\u2028", (Create(PAGE, b""),))
    vault.apply(plan, ADA, clock.now())
    assert run_git(vault.root, "log", "-1", "--format=%s|%(trailers:key=Actor,valueonly)").strip() == (
        "remember: x Actor: root Agent: evil|ada"
    )


def test_a_page_is_never_created_over_another(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    with pytest.raises(PageExists):
        create(vault, clock, PAGE, b"second\n")
    assert (vault.root / PAGE).read_bytes() == b"first\n"


def test_a_change_made_for_another_version_is_refused_and_changes_nothing(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    stale = version_of(b"older\n")
    with pytest.raises(Conflict) as refusal:
        vault.apply(Plan("edit", "a", (Replace(PAGE, b"second\n", stale),)), ADA, clock.now())
    assert (refusal.value.wanted, refusal.value.found) == (stale, version_of(b"first\n"))
    assert (vault.root / PAGE).read_bytes() == b"first\n"


def test_a_plan_is_checked_whole_before_its_first_change(vault: Vault, clock: Clock) -> None:
    changes = (Create(PAGE, b"new\n"), Replace(PagePath("missing.md"), b"", version_of(b"")))
    with pytest.raises(PageNotFound):
        vault.apply(Plan("edit", "a", changes), ADA, clock.now())
    assert not (vault.root / PAGE).exists()


def test_an_outside_edit_is_in_history_before_our_write_takes_its_place(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    (vault.root / PAGE).write_bytes(b"by hand\n")
    plan = Plan("edit", "a", (Replace(PAGE, b"by us\n", version_of(b"by hand\n")),))
    vault.apply(plan, ADA, clock.now())
    assert run_git(vault.root, "log", "--format=%s", "-3").splitlines() == [
        "edit: a",
        "edit: a",
        "remember: notes/a.md",
    ]
    assert run_git(vault.root, "show", f"HEAD^:{PAGE}") == "by hand"


def test_an_outside_edit_survives_a_conflict(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    (vault.root / PAGE).write_bytes(b"by hand\n")
    with pytest.raises(Conflict):
        vault.apply(Plan("edit", "a", (Replace(PAGE, b"by us\n", version_of(b"first\n")),)), ADA, clock.now())
    assert (vault.root / PAGE).read_bytes() == b"by hand\n"


@pytest.mark.parametrize(
    ("was", "becomes", "subject"),
    [
        (None, b"# New thing\n", "add: New thing"),
        (b"old\n", b"# Other\n", "edit: Other"),
        (b"old\n", None, "remove: a"),
    ],
)
def test_what_other_hands_did_is_named_in_the_log(
    vault: Vault, clock: Clock, was: bytes | None, becomes: bytes | None, subject: str
) -> None:
    file = vault.root / PAGE
    if was is not None:
        create(vault, clock, PAGE, was)
    file.parent.mkdir(exist_ok=True)
    file.unlink() if becomes is None else file.write_bytes(becomes)
    with vault.locked():
        vault.keep_outside(vault.look(), clock.now())
    assert (
        run_git(vault.root, "log", "-1", "--format=%s|%(trailers:key=Source,valueonly)").strip() == f"{subject}|outside"
    )
    assert not vault.look().differs


def test_a_page_moved_by_hand_is_one_move_in_the_log(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"# Text\n")
    (vault.root / PAGE).rename(vault.root / "b.md")
    with vault.locked():
        vault.keep_outside(vault.look(), clock.now())
    assert run_git(vault.root, "log", "-1", "--format=%s") == "move: Text"


def test_staged_and_unstaged_work_of_the_person_is_untouched(vault: Vault, clock: Clock) -> None:
    (vault.root / "staged.txt").write_text("staged", encoding="utf-8")
    run_git(vault.root, "add", "staged.txt")
    (vault.root / "memory-wiki.toml").write_text("# changed by hand\n", encoding="utf-8")
    create(vault, clock, PAGE, b"hello\n")
    assert run_git(vault.root, "status", "--porcelain").splitlines() == [" M memory-wiki.toml", "A  staged.txt"]


def test_a_page_staged_in_part_keeps_its_staged_version(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    (vault.root / PAGE).write_bytes(b"staged\n")
    run_git(vault.root, "add", PAGE)
    (vault.root / PAGE).write_bytes(b"on disk\n")
    with vault.locked():
        vault.keep_outside(vault.look(), clock.now())
    assert run_git(vault.root, "show", f":{PAGE}") == "staged"
    assert run_git(vault.root, "show", f"HEAD:{PAGE}") == "on disk"


def test_a_move_changes_name_and_text_in_one_commit(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    to = PagePath("deep/er/b.md")
    vault.apply(Plan("move", "a", (Move(PAGE, to, b"second\n", version_of(b"first\n")),)), ADA, clock.now())
    assert run_git(vault.root, "show", "--format=", "--name-status", "--no-renames", "HEAD").split() == [
        *("A", "deep/er/b.md"),
        *("D", "notes/a.md"),
    ]
    assert (vault.root / to).read_bytes() == b"second\n"
    assert run_git(vault.root, "status", "--porcelain") == ""


def test_permissions_of_a_page_survive_a_write(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    (vault.root / PAGE).chmod(0o755)
    run_git(vault.root, "commit", "-qam", "executable")
    vault.apply(Plan("edit", "a", (Replace(PAGE, b"second\n", version_of(b"first\n")),)), ADA, clock.now())
    assert (vault.root / PAGE).stat().st_mode & 0o777 == 0o755
    assert run_git(vault.root, "status", "--porcelain") == ""


def test_a_vault_inside_a_code_repository_commits_nothing_outside_itself(tmp_path: Path, clock: Clock) -> None:
    run_git(tmp_path, "init", "-q", "-b", "trunk")
    (tmp_path / "main.py").write_text("print()\n", encoding="utf-8")
    run_git(tmp_path, "add", "main.py")
    run_git(tmp_path, "commit", "-qm", "code")
    (tmp_path / "main.py").write_text("print(1)\n", encoding="utf-8")
    (tmp_path / "README.md").write_text("a page's name, outside the vault\n", encoding="utf-8")
    root = make(tmp_path / "memory", ADA, clock.now()).root
    vault = Vault(root, Config())
    create(vault, clock, PAGE, b"hello\n")
    assert set(vault.pages(vault.look())) == {PAGE}
    assert run_git(tmp_path, "status", "--porcelain").splitlines() == [" M main.py", "?? README.md"]
    assert run_git(tmp_path, "log", "--format=%s").splitlines() == [
        "remember: notes/a.md",
        "init: memory-wiki vault",
        "code",
    ]


def test_names_of_any_script_come_through_git(vault: Vault, clock: Clock) -> None:
    path = PagePath("ordner/Übersicht „zitat“ 記憶 \N{BRAIN}.md")
    create(vault, clock, path, b"x\n")
    (vault.root / 'a "quoted" name.md').write_bytes(b"y\n")
    with vault.locked():
        vault.keep_outside(vault.look(), clock.now())
    vault.bringing.after_a_write()
    assert set(vault.pages(vault.look())) == {path, PagePath('a "quoted" name.md')}
    assert run_git(vault.root, "status", "--porcelain") == ""


def test_a_symbolic_link_is_no_page_and_is_never_followed(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret\n", encoding="utf-8")
    (vault.root / "link.md").symlink_to(tmp_path / "secret.md")
    (vault.root / "folder").symlink_to(tmp_path)
    assert vault.pages(vault.look()) == {}
    for path in ("link.md", "folder/secret.md"):
        with pytest.raises(BadPath):
            vault.read(PagePath(path))


@pytest.mark.parametrize("state", ["merge", "detached"])
def test_nothing_is_committed_where_it_would_land_in_the_wrong_place(vault: Vault, clock: Clock, state: str) -> None:
    if state == "merge":
        (vault.root / ".git" / "MERGE_HEAD").write_text(vault.look().head + "\n", encoding="utf-8")
    else:
        run_git(vault.root, "checkout", "-q", "--detach")
    head = vault.look().head
    with pytest.raises(VaultBusy, match="then try again"):
        create(vault, clock, PAGE, b"hello\n")
    assert (vault.look().head, (vault.root / PAGE).exists()) == (head, False)


def test_the_first_commit_of_a_repository_is_made_like_any_other(tmp_path: Path, clock: Clock) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main")
    made = make(tmp_path, ADA, clock.now())
    assert (made.root, made.is_own_repository) == (tmp_path, True)
    assert run_git(tmp_path, "log", "--format=%s") == "init: memory-wiki vault"
    assert run_git(tmp_path, "status", "--porcelain") == ""


def test_a_folder_in_no_repository_is_no_vault(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFound):
        Vault(tmp_path, Config())


def test_a_branch_that_moved_meanwhile_gets_our_commit_on_top(vault: Vault, clock: Clock) -> None:
    seen = vault.look()
    run_git(vault.root, "commit", "-q", "--allow-empty", "-m", "by the person")
    (vault.root / "a.md").write_bytes(b"by hand\n")
    with vault.locked():
        done = vault.keep_outside(
            type(seen)(seen.head, seen.branch, {PagePath("a.md"): version_of(b"by hand\n")}), clock.now()
        )
    assert run_git(vault.root, "log", "--format=%s", "-2").splitlines() == ["add: a", "by the person"]
    assert done.commit == vault.look().head


def test_a_new_page_never_takes_away_one_that_says_the_same(vault: Vault, clock: Clock) -> None:
    (vault.root / "notes").mkdir()
    (vault.root / PAGE).write_bytes(b"hello\n")
    with pytest.raises(PageExists):
        create(vault, clock, PAGE, b"hello\n")
    assert (vault.root / PAGE).read_bytes() == b"hello\n"


def test_a_disk_without_hard_links_takes_pages_too(vault: Vault, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    create(vault, clock, PAGE, b"hello\n")
    with pytest.raises(PageExists):
        create(vault, clock, PAGE, b"other\n")
    assert (vault.root / PAGE).read_bytes() == b"hello\n"
    assert not list((vault.own_folder / "tmp").iterdir())


def test_a_look_that_was_begun_is_answered_once_and_the_next_one_is_new(vault: Vault, clock: Clock) -> None:
    create(vault, clock, PAGE, b"first\n")
    (vault.root / PAGE).write_bytes(b"by hand\n")
    vault.history.begin_status()
    assert vault.look().differs == {PAGE: version_of(b"by hand\n")}
    (vault.root / "b.md").write_bytes(b"new\n")
    assert vault.look().differs.keys() == {PAGE, "b.md"}


def test_a_look_that_was_begun_and_not_asked_for_is_stopped(vault: Vault) -> None:
    vault.history.begin_status()
    begun = vault.history._begun
    assert begun is not None
    vault.close()
    assert begun._process.returncode is not None
    vault.close()
