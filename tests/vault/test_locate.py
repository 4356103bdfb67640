"""Which vault and which project a person means by where they stand."""

from pathlib import Path

import pytest

from kit import run_git
from memory_wiki.page.remote import normal_remote
from memory_wiki.vault.locate import Checkout, checkout, find_vault


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/Shop.git",
        "https://github.com/acme/shop",
        "https://github.com/acme/shop/",
        "https://token@github.com/acme/shop.git",
        "https://user:secret@github.com:443/acme/shop.git",
        "http://github.com/acme/shop.git",
        "git@github.com:acme/shop.git",
        "git@github.com:/acme/shop.git",
        "github.com:acme/shop",
        "ssh://git@github.com/acme/shop.git",
        "ssh://git@github.com:22/acme/shop",
        "git://github.com/acme/shop.git/",
        "git+ssh://git@GitHub.com/acme/shop",
    ],
)
def test_every_form_of_a_url_names_the_same_repository(url: str) -> None:
    assert normal_remote(url) == "github.com/acme/shop"


@pytest.mark.parametrize(
    "url", ["/srv/git/shop.git", "../shop", "file:///srv/shop", "C:\\git\\shop", "C:/git/shop", "~/shop", ""]
)
def test_a_path_on_this_machine_names_nothing_that_others_share(url: str) -> None:
    assert normal_remote(url) == ""


def repository(folder: Path, *remotes: str) -> Path:
    folder.mkdir(parents=True)
    run_git(folder, "init", "-q", "-b", "main")
    run_git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    for number, url in enumerate(remotes):
        run_git(folder, "remote", "add", "origin" if number == len(remotes) - 1 else f"fork{number}", url)
    return folder


def test_a_checkout_is_known_by_its_remotes_origin_first(tmp_path: Path) -> None:
    folder = repository(tmp_path / "local-name", "git@github.com:me/shop.git", "https://github.com/acme/shop")
    (folder / "src").mkdir()
    assert checkout(folder / "src") == Checkout("local-name", ("github.com/acme/shop", "github.com/me/shop"))


def test_a_worktree_is_the_project_it_was_made_from(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    run_git(main, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    assert checkout(tmp_path / "elsewhere") == Checkout("shop", ())


def test_a_plain_folder_is_a_project_and_home_is_none(tmp_path: Path, home: Path) -> None:
    assert checkout(tmp_path) == Checkout(tmp_path.name, ())
    assert checkout(home) is None
    assert checkout(Path("/")) is None


def test_the_vault_one_stands_in_is_found_from_any_depth(root: Path) -> None:
    deep = root / "projects" / "shop"
    deep.mkdir(parents=True)
    assert find_vault(deep) == root


def test_the_vault_that_a_code_repository_holds_is_found_from_its_code(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q")
    (tmp_path / "src" / "deep").mkdir(parents=True)
    (tmp_path / "memory_wiki").mkdir()
    (tmp_path / "memory_wiki" / "memory-wiki.toml").touch()
    assert find_vault(tmp_path / "src" / "deep") == tmp_path / "memory_wiki"


def test_a_folder_in_no_vault_has_none(tmp_path: Path) -> None:
    assert find_vault(tmp_path) is None


def test_a_folder_called_memory_outside_a_repository_is_nobodys_vault(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "memory-wiki.toml").touch()
    assert find_vault(tmp_path / "work") is None
