"""Git, run in one repository for one folder of it: the only file that imports GitPython. Knows no pages."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from subprocess import DEVNULL, PIPE

os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # where git is missing we say so ourselves, once it is needed

import git

from memory_wiki.errors import GitFailed, Refused, VaultNotFound

OLDEST = (2, 30)  # the first that takes `--end-of-options` wherever we need it

# A person's settings must not change what we read: https://git-scm.com/docs/git-config
STEADY = tuple(
    part
    for setting in (
        "core.fsmonitor=false",  # a monitor that is late or broken would hide what has changed
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

# zlib takes 268 KB for each object it packs: handed back to the system each time, that is two thirds of what
# fast-import costs a commit (0.41 ms against 0.13). https://man7.org/linux/man-pages/man3/mallopt.3.html
THRIFTY = {"MALLOC_MMAP_THRESHOLD_": "8388608", "MALLOC_TRIM_THRESHOLD_": "16777216"}
PATHS_NAMED = 1000  # 255 KB of arguments at the most: https://man7.org/linux/man-pages/man2/execve.2.html
ELSEWHERE = "refs/heads/.invalid"  # what HEAD names where refs are in no files: https://git-scm.com/docs/reftable
_COMMAND = re.compile(r"[a-z][a-z-]*")
_BEHIND: list[subprocess.Popen[bytes]] = []  # what goes on while nobody waits; kept so that each is reaped


class Repository:
    """The repository around a folder: `top` is its work tree, `git_folder` its `.git`, `prefix` the way from `top`."""

    def __init__(self, folder: Path) -> None:
        """Raises `VaultNotFound` where there is none, or one without a work tree; `Refused` for a git too old."""
        _find_git()
        try:
            self._repo = git.Repo(folder, search_parent_directories=True)
        except (git.InvalidGitRepositoryError, git.NoSuchPathError):
            raise VaultNotFound(folder) from None
        if self._repo.working_tree_dir is None:
            raise VaultNotFound(folder)
        self.top = Path(os.path.realpath(self._repo.working_tree_dir))
        self.git_folder = Path(self._repo.git_dir)
        inside = Path(os.path.realpath(folder)).relative_to(self.top).as_posix()
        self.prefix = "" if inside == "." else f"{inside}/"

    @property
    def common_folder(self) -> Path:
        """The `.git` that all worktrees share."""
        return Path(os.path.realpath(self._repo.common_dir))

    @property
    def object_format(self) -> str:
        return str(self._repo.config_reader("repository").get_value("extensions", "objectformat", "sha1"))

    def close(self) -> None:
        self._repo.close()

    def where(self) -> tuple[str, str]:
        """The branch ("" for none) and the commit at HEAD ("" before the first); read from files, without a process."""
        head = self._repo.head
        try:
            ref = "" if head.is_detached else str(head.reference.path)
            if ref != ELSEWHERE:
                return ref.removeprefix("refs/heads/"), git.SymbolicReference.dereference_recursive(self._repo, "HEAD")
        except ValueError:
            return ref.removeprefix("refs/heads/"), ""
        except (OSError, TypeError):
            pass  # packed or locked in some way of its own: git itself can tell
        branch = self.run("symbolic-ref", "--quiet", "--short", "HEAD", fail_as="")
        commit = self.run("rev-parse", "--quiet", "--verify", "HEAD", fail_as="")
        return os.fsdecode(branch).strip(), commit.decode().strip()

    def run(self, *args: str, stdin: bytes = b"", fail_as: str | None = None) -> bytes:
        """Runs git in the work tree; a failure raises `GitFailed`, or gives `fail_as` where that is an answer."""
        name = next(arg for arg in args if _COMMAND.fullmatch(arg))
        command = [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *STEADY, *args]
        try:
            process = git.Git(self.top).execute(command, as_process=True, istream=PIPE, env=THRIFTY)
            out, err = process.communicate(stdin)
        except (OSError, git.GitCommandNotFound) as error:
            raise GitFailed(name, str(error)) from None
        if process.returncode:
            if fail_as is not None:
                return fail_as.encode()
            raise GitFailed(name, os.fsdecode(err))
        return bytes(out)

    def below(self, *args: str, paths: Sequence[str] = ()) -> bytes:
        """Asks git of these paths; of the whole folder for none, and for more than fit on a command line."""
        few = paths if len(paths) <= PATHS_NAMED else ()
        named = [self.prefix + path for path in few] or [self.prefix or "."]
        return self.run("--literal-pathspecs", *args, "--", *named)

    def ours(self, paths: Iterable[str]) -> Iterator[str]:
        """Of git's paths those below the folder, relative to it."""
        return (path.removeprefix(self.prefix) for path in paths if path.startswith(self.prefix))

    def start_behind(self, *args: str) -> None:
        """Has git do something while nobody waits, also when this process ends; whatever comes of it."""
        _BEHIND[:] = [process for process in _BEHIND if process.poll() is None]
        command = [shutil.which("git") or "git", *STEADY, *args]
        _BEHIND.append(
            subprocess.Popen(
                command, cwd=self.top, start_new_session=True, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
            )
        )

    def is_busy_behind(self) -> bool:
        """Whether something that this process started so still goes on."""
        return any(process.poll() is None for process in _BEHIND)


def start(folder: Path) -> None:
    """Makes `folder` a repository of its own, on a branch `main`."""
    _find_git()
    try:
        git.Git(folder).init("--quiet", "--initial-branch=main")
    except git.GitCommandError as error:
        raise GitFailed("init", error.stderr) from None


def _find_git() -> None:
    found = shutil.which("git")
    if found is None:
        raise GitFailed("--version", "git is not on PATH; install it from https://git-scm.com")
    version = _version(found)
    if version < OLDEST:
        raise Refused(
            f"{found} is git {'.'.join(map(str, version))}; memory-wiki needs {'.'.join(map(str, OLDEST))} or newer: "
            "install one from https://git-scm.com"
        )


@lru_cache
def _version(_executable: str) -> tuple[int, ...]:
    try:
        return git.Git().version_info[:2]
    except git.GitCommandError as error:
        raise GitFailed("--version", str(error.stderr)) from None
