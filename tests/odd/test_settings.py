"""A person's git settings and hooks are theirs, and none of them changes what we write, read or answer."""

from pathlib import Path

import pytest

from faces.conftest import Shell
from kit import Clock, run_git, until
from memory_wiki.page.edit import Append
from memory_wiki.page.path import version_of
from memory_wiki.vault.make import make
from memory_wiki.wiki import Wiki
from odd.states import WALRUS, assert_all_is_well, found, is_brought_along, save, theirs
from proof import assert_agrees, at_head

SETTINGS: dict[str, dict[str, str]] = {
    "of the index": {
        "core.splitIndex": "true",
        "splitIndex.maxPercentChange": "0",
        "core.untrackedCache": "true",
        "index.version": "4",
        "index.skipHash": "true",
        "core.preloadIndex": "false",
        "core.trustctime": "false",
        "core.checkStat": "minimal",
        "core.fileMode": "false",
    },
    "for many files": {"feature.manyFiles": "true", "feature.experimental": "true", "index.sparse": "true"},
    "of line ends, true": {"core.autocrlf": "true", "core.safecrlf": "true"},
    "of line ends, input": {"core.autocrlf": "input", "core.eol": "crlf", "core.safecrlf": "true"},
    "of a signer who is not there": {
        "commit.gpgSign": "true",
        "tag.gpgSign": "true",
        "push.gpgSign": "true",
        "gpg.program": "/nonexistent/gpg",
        "user.signingKey": "nobody",
        "log.showSignature": "true",
    },
    "of messages": {
        "i18n.commitEncoding": "latin1",
        "i18n.logOutputEncoding": "utf-16",
        "core.commentChar": "R",
        "commit.template": "/nonexistent",
        "commit.cleanup": "strip",
        "commit.verbose": "true",
        "trailer.separators": "%",
        "trailer.actor.ifexists": "replace",
        "format.pretty": "%H",
    },
    "of status and diff": {
        "status.short": "true",
        "status.branch": "false",
        "status.relativePaths": "false",
        "status.renames": "copies",
        "status.showStash": "true",
        "status.showUntrackedFiles": "no",
        "status.aheadBehind": "false",
        "status.submoduleSummary": "true",
        "diff.mnemonicPrefix": "true",
        "diff.external": "/nonexistent/differ",
        "diff.ignoreSubmodules": "none",
        "diff.algorithm": "histogram",
        "diff.relative": "true",
        "core.pager": "/nonexistent/pager",
        "pager.status": "true",
        "color.ui": "always",
        "column.ui": "always",
        "core.abbrev": "5",
        "core.quotePath": "true",
    },
    "of safety": {
        "transfer.fsckObjects": "true",
        "receive.fsckObjects": "true",
        "fetch.fsckObjects": "true",
        "fsck.missingEmail": "error",
        "core.fsync": "none",
        "core.fsyncMethod": "batch",
        "core.protectNTFS": "true",
        "core.protectHFS": "true",
        "core.logAllRefUpdates": "false",
        "core.sharedRepository": "0660",
    },
    "of tidying": {
        "gc.auto": "1",
        "gc.autoDetach": "false",
        "maintenance.auto": "true",
        "maintenance.strategy": "incremental",
        "fastimport.unpackLimit": "1",
        "transfer.unpackLimit": "1",
        "pack.writeBitmaps": "false",
        "core.looseCompression": "0",
        "gc.pruneExpire": "now",
        "gc.reflogExpire": "now",
    },
    "of no tidying": {
        "gc.auto": "0",
        "maintenance.auto": "false",
        "core.multiPackIndex": "false",
        "core.commitGraph": "false",
    },
    "of a watcher that fails": {"core.fsmonitor": "/nonexistent/hook", "core.untrackedCache": "true"},
    "of names and new repositories": {
        "core.precomposeUnicode": "true",
        "core.quotePath": "true",
        "init.defaultBranch": "trunk/über",
        "init.templateDir": "/nonexistent",
        "safe.bareRepository": "explicit",
    },
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_no_setting_of_a_persons_changes_what_we_do(
    settings: dict[str, str], home: Path, wiki: Wiki, walrus: Path
) -> None:
    for name, value in settings.items():
        run_git(walrus, "config", "--global", name, value)
    before = (home / ".gitconfig").read_bytes()
    (walrus / "staged.txt").write_text("mine\n", encoding="utf-8")
    run_git(walrus, "-c", "core.safecrlf=false", "add", "staged.txt")
    assert_all_is_well(wiki)
    save(walrus, crlf="One\r\nTwo, a stork\r\n")
    assert found(wiki, "stork") == ["crlf.md"]
    assert version_of((walrus / "crlf.md").read_bytes()) in run_git(walrus, "ls-tree", "HEAD")
    assert (home / ".gitconfig").read_bytes() == before
    assert not run_git(walrus, "-c", "core.fsmonitor=false", "fsck", "--no-dangling").strip()


LINE_ENDS = [("true", ""), ("true", "* text=auto\n"), ("true", "* text=auto eol=crlf\n"), ("input", "")]


@pytest.mark.parametrize(("setting", "attributes"), LINE_ENDS, ids=" ".join)
def test_line_ends_are_the_files_own_also_where_git_would_change_them(
    setting: str, attributes: str, either: Wiki, walrus: Path
) -> None:
    """In a person's folder without our `.gitattributes`: what is on disk is what is in history."""
    wiki = either
    run_git(walrus, "config", "core.autocrlf", setting)
    (walrus / ".gitattributes").write_text(attributes, encoding="utf-8")
    data = b"One\r\nTwo\r\n"
    (walrus / "crlf.md").write_bytes(data)
    (walrus / "lf.md").write_bytes(b"One\nTwo\n")
    (walrus / "mixed.md").write_bytes(b"One\r\nTwo\n")
    assert wiki.catch_up().left == ""
    assert (walrus / "crlf.md").read_bytes() == data
    wiki.edit("crlf.md", (Append("Three"),))
    assert (walrus / "crlf.md").read_bytes() == b"One\r\nTwo\r\nThree\r\n"
    for name in ("crlf.md", "lf.md", "mixed.md"):
        assert version_of((walrus / name).read_bytes()) in run_git(walrus, "ls-tree", "HEAD", name)
    head = wiki.vault.history.head()
    wiki.catch_up()
    assert wiki.vault.history.head() == head
    assert_agrees(wiki)


def test_what_git_ignores_is_no_page_until_git_ignores_it_no_more(either: Wiki, walrus: Path) -> None:
    save(walrus, draft="A seal.\n")
    (walrus / ".gitignore").write_text("draft.md\n", encoding="utf-8")
    head = at_head(walrus)
    assert found(either, "seal") == []
    assert at_head(walrus) == head
    (walrus / ".gitignore").write_text("", encoding="utf-8")
    assert found(either, "seal") == ["draft.md"]
    assert_agrees(either)
    until(lambda: is_brought_along(either))
    (walrus / ".gitignore").write_text("draft.md\n", encoding="utf-8")
    save(walrus, draft="A seal in history stays a page.\n")
    assert found(either, "history") == ["draft.md"]
    assert_agrees(either)


HOOKS = ["pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "post-checkout", "post-rewrite"]


def hook(folder: Path, name: str, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("place", [".git/hooks", "../shared-hooks"])
def test_hooks_that_fail_or_rewrite_are_the_persons_and_have_no_part_in_our_commits(
    place: str, wiki: Wiki, walrus: Path
) -> None:
    run_git(walrus, "config", "core.hooksPath", str((walrus / place).resolve()))
    for name in HOOKS:
        hook(walrus / place, name, 'echo "rewritten" >> walrus.md; exit 1')
    data = (walrus / WALRUS).read_bytes()
    assert_all_is_well(wiki)
    assert (walrus / WALRUS).read_bytes() == data


def test_a_hook_that_forbids_every_change_of_a_branch_is_obeyed_and_named(wiki: Wiki, walrus: Path, mw: Shell) -> None:
    hook(walrus / ".git" / "hooks", "reference-transaction", 'echo "no changes on Mondays" >&2; exit 1')
    head, before = wiki.vault.history.head(), theirs(walrus)
    answer = mw("remember", "A narwhal", "--vault", str(walrus))
    assert answer.code == 7
    assert "no changes on Mondays" in answer.err or "reference-transaction" in answer.err
    assert "do not repeat this: the next command commits it" in answer.err
    assert (wiki.vault.history.head(), theirs(walrus)) == (head, before)
    assert found(wiki, "narwhal")
    (walrus / ".git" / "hooks" / "reference-transaction").unlink()
    assert_agrees(wiki)


@pytest.mark.parametrize(
    "settings",
    [
        "[user]\nuseConfigOnly = true\n",
        "[user]\nname =\nemail =\n",
        "",
        "[user]\nname = <>\nemail = <ada@example.org>\n",
        "[user]\nname = Ada\\nbcc: <x>\nemail = a b\n",
    ],
)
def test_a_person_whom_git_does_not_know_can_write(
    settings: str, home: Path, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".gitconfig").write_text(settings, encoding="utf-8")
    monkeypatch.setenv("USER", "ada")
    root = make(tmp_path / "vault", None, clock.now()).root
    with Wiki.open(root, root, None, clock.chance) as wiki:
        assert_all_is_well(wiki)
    (author,) = set(run_git(root, "log", "--format=%an <%ae>").splitlines())
    assert author.split(" <")[0]
    assert not run_git(root, "fsck", "--no-dangling").strip()


def test_settings_that_git_can_not_read_are_said_with_their_place(walrus: Path, mw: Shell) -> None:
    config = walrus / ".git" / "config"
    before = config.read_bytes()
    config.write_bytes(before + b"[core\n")
    answer = mw("recall", "walrus", "--vault", str(walrus))
    assert (answer.code, answer.out) == (7, "")
    assert ".git/config" in answer.err
    assert "a mistake of ours" not in answer.err
    config.write_bytes(before)
    assert mw("recall", "walrus", "--vault", str(walrus)).code == 0


def test_gits_own_environment_leads_nowhere_else(
    walrus: Path, tmp_path: Path, mw: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a hook, an alias, or `git rebase --exec`."""
    run_git(tmp_path, "init", "-q", "other")
    other = tmp_path / "other" / ".git"
    with monkeypatch.context() as patch:
        for name, value in {
            "GIT_DIR": other,
            "GIT_WORK_TREE": other.parent,
            "GIT_INDEX_FILE": other / "index",
            "GIT_OBJECT_DIRECTORY": other / "objects",
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": other / "objects",
            "GIT_COMMON_DIR": other,
            "GIT_NAMESPACE": "theirs",
            "GIT_PREFIX": "sub/",
            "GIT_CEILING_DIRECTORIES": walrus,
            "GIT_LITERAL_PATHSPECS": "0",
            "GIT_ICASE_PATHSPECS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_DEFAULT_HASH": "sha256",
            "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
            "GIT_EXTERNAL_DIFF": "/nonexistent",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.quotePath",
            "GIT_CONFIG_VALUE_0": "true",
            "GIT_TRACE": "0",
            "GIT_REDIRECT_STDERR": "off",
            "LC_ALL": "C",
            "LANGUAGE": "de",
        }.items():
            patch.setenv(name, str(value))
        assert mw("remember", "A narwhal", "--vault", str(walrus)).code == 0
        (walrus / "seal.md").write_text("A seal.\n", encoding="utf-8")
        assert "A seal." in mw("recall", "seal", "--vault", str(walrus)).out
    assert run_git(walrus, "log", "--format=%s", "-2").splitlines() == ["add: seal", "remember: A narwhal"]
    assert not (other / "index").exists()
    assert run_git(other.parent, "count-objects") == "0 objects, 0 kilobytes"
