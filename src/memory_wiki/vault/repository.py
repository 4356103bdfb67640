"""Git, run in one repository: the only file that imports GitPython. Knows no pages."""

import os
import re
import shutil
from pathlib import Path
from subprocess import PIPE

os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # where git is missing we say so ourselves, once it is needed

import git

from memory_wiki.errors import GitFailed, VaultNotFound

# A person's settings must not change what we read: https://git-scm.com/docs/git-config
STEADY = tuple(
    part
    for setting in (
        "core.quotePath=false",
        "diff.orderFile=/dev/null",
        "diff.noprefix=false",
        "i18n.logOutputEncoding=UTF-8",
        "log.diffMerges=separate",
        "log.follow=false",
        "log.showRoot=true",
        "log.showSignature=false",
    )
    for part in ("-c", setting)
)
_COMMAND = re.compile(r"[a-z][a-z-]*")


class Repository:
    """The repository around a folder: `top` is its work tree, `folder` its `.git`."""

    def __init__(self, inside: Path) -> None:
        """Raises `VaultNotFound` where there is none, or one without a work tree."""
        _find_git()
        try:
            self._repo = git.Repo(inside, search_parent_directories=True)
        except (git.InvalidGitRepositoryError, git.NoSuchPathError):
            raise VaultNotFound(inside) from None
        if self._repo.working_tree_dir is None:
            raise VaultNotFound(inside)
        self.top = Path(os.path.realpath(self._repo.working_tree_dir))
        self.folder = Path(self._repo.git_dir)

    @property
    def common_folder(self) -> Path:
        """The `.git` that all worktrees share."""
        return Path(os.path.realpath(self._repo.common_dir))

    @property
    def object_format(self) -> str:
        return str(self._repo.config_reader("repository").get_value("extensions", "objectformat", "sha1"))

    def close(self) -> None:
        self._repo.close()

    def run(self, *args: str, stdin: bytes = b"", fail_as: str | None = None) -> bytes:
        """Runs git in the work tree; a failure raises `GitFailed`, or gives `fail_as` where that is an answer."""
        name = next(arg for arg in args if _COMMAND.fullmatch(arg))
        command = [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *STEADY, *args]
        try:
            process = git.Git(self.top).execute(command, as_process=True, istream=PIPE)
            out, err = process.communicate(stdin)
        except (OSError, git.GitCommandNotFound) as error:
            raise GitFailed(name, str(error)) from None
        if process.returncode:
            if fail_as is not None:
                return fail_as.encode()
            raise GitFailed(name, os.fsdecode(err))
        return bytes(out)


def start(folder: Path) -> None:
    """Makes `folder` a repository of its own, on a branch `main`."""
    _find_git()
    try:
        git.Git(folder).init("--quiet", "--initial-branch=main")
    except git.GitCommandError as error:
        raise GitFailed("init", error.stderr) from None


def _find_git() -> None:
    if shutil.which("git") is None:
        raise GitFailed("--version", "git is not on PATH; install it from https://git-scm.com")
