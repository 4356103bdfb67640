"""Git, run in one repository for one folder of it: the only file that imports GitPython. Knows no pages."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING

from memory_wiki.errors import Broken, GitFailed, Refused, VaultNotFound
from memory_wiki.vault.begun import Begun, ended

if TYPE_CHECKING:
    import git

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
OFFLINE = {"GIT_NO_LAZY_FETCH": "1"}  # no command waits for the network, also where texts of the past are not here
MINDS_CASE = ("-c", "core.ignoreCase=false")  # where git is told otherwise, it does not see the second of two names
IN_ENGLISH = {"LANGUAGE": "C", "LC_ALL": "C"}  # what git says of a failure tells us which one it is
FOREIGN = (  # what git sets for a hook it runs, and what changes the meaning of paths
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX"),
    *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"),
)
NO_REPOSITORY = b"not a git repository"
PATHS_COMPARED = 100  # that `git status` is asked of, as it compares each with all of its index: all of it costs less
PATHS_NAMED, BYTES_NAMED = 1000, 100_000  # of the 128 KB and more: https://man7.org/linux/man-pages/man2/execve.2.html
REFUSAL = b"safe.directory"  # what git names where it looks into no folder of another user's: no answer to anything
ELSEWHERE = "refs/heads/.invalid"  # what HEAD names where refs are in no files: https://git-scm.com/docs/reftable
_COMMAND = re.compile(r"[a-z][a-z-]*")
_VERSION = re.compile(r"version (\d+(?:\.\d+)*)")
_BEHIND: list[subprocess.Popen[bytes]] = []  # what goes on while nobody waits; kept so that each is reaped


class Repository:
    """The repository around a folder: `top` is its work tree, `git_folder` its `.git`, `prefix` the way from `top`."""

    def __init__(self, folder: Path) -> None:
        """Raises `VaultNotFound` where there is none, or one without a work tree; `Refused` for a git too old."""
        self._git = _find_git()
        self._steady = STEADY
        place = Path(os.path.realpath(folder))
        self.object_format, way_up, git_folder = self._discover(folder, place)
        self.top = Path(os.path.realpath(place / way_up))
        self.git_folder = Path(git_folder)
        within = place.relative_to(self.top)
        _refuse_damaged(self.top.joinpath(*within.parts[:depth]) for depth in range(1, len(within.parts) + 1))
        self.prefix = f"{within.as_posix()}/" if within.parts else ""
        self._steady = STEADY if _ignores_case(self.git_folder) else (*STEADY, *MINDS_CASE)

    def _discover(self, folder: Path, place: Path) -> tuple[str, str, str]:
        """How objects are named, the way up to the work tree's top, and the `.git`: one process tells all three."""
        if not place.is_dir():
            raise VaultNotFound(folder)
        asked = ("--is-inside-work-tree", "--show-object-format", "--show-cdup", "--absolute-git-dir")
        done = self._run(place, ["rev-parse", *asked])
        if NO_REPOSITORY in done.stderr:
            _refuse_damaged((place, *place.parents))
            raise VaultNotFound(folder)
        if done.returncode:
            raise GitFailed("rev-parse", os.fsdecode(done.stderr))
        is_inside, *found = os.fsdecode(done.stdout).removesuffix("\n").split("\n", 3)  # a folder's name may hold more
        if is_inside == "false":
            raise VaultNotFound(folder)
        object_format, way_up, git_folder = found
        return object_format, way_up, git_folder

    @property
    def common_folder(self) -> Path:
        """The `.git` that all worktrees share."""
        try:
            shared = os.fsdecode((self.git_folder / "commondir").read_bytes()).strip()
        except FileNotFoundError:
            shared = ""
        return Path(os.path.realpath(self.git_folder / shared))

    @property
    def is_partial(self) -> bool:
        """Whether it was cloned without some objects, which git fetches one by one."""
        return bool(self.run("config", "--get-regexp", r"^remote\..*\.promisor$", fail_as=""))

    @property
    def is_sparse(self) -> bool:
        """Whether files of HEAD may be left out of the folder; read from files, without a process."""
        if not (self.git_folder / "info" / "sparse-checkout").exists():
            return False
        import git

        files = [self.common_folder / "config", self.git_folder / "config.worktree"]
        settings = git.GitConfigParser([file for file in files if file.exists()], read_only=True)
        return bool(settings.get_value("core", "sparsecheckout", False))

    @cached_property
    def _files(self) -> "git.Repo":
        os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")  # where git is missing we have said so ourselves
        import git

        return git.Repo(self.git_folder)

    def close(self) -> None:
        if "_files" in self.__dict__:
            self._files.close()

    def where(self) -> tuple[str, str]:
        """The branch ("" for none) and the commit at HEAD ("" before the first); read from files, without a process."""
        head, ref = self._files.head, ""
        try:
            ref = "" if head.is_detached else str(head.reference.path)
            if ref != ELSEWHERE:
                return ref.removeprefix("refs/heads/"), head.dereference_recursive(self._files, "HEAD")
        except ValueError:
            if ref:
                return ref.removeprefix("refs/heads/"), ""
        except (OSError, TypeError, AssertionError):
            pass  # packed, locked or damaged in some way of its own: git itself can tell
        branch = self.run("symbolic-ref", "--quiet", "--short", "HEAD", fail_as="")
        commit = self.run("rev-parse", "--quiet", "--verify", "HEAD", fail_as="")
        if not branch and not commit:
            self.run("rev-parse", "--git-dir")  # which says what is wrong with the repository
        return os.fsdecode(branch).strip(), commit.decode().strip()

    def run(self, *args: str, stdin: bytes = b"", fail_as: str | None = None) -> bytes:
        """Runs git in the work tree; a failure raises `GitFailed`, or gives `fail_as` where that is an answer."""
        name = _name(args)
        try:
            done = self._run(self.top, args, stdin)
        except OSError as error:
            raise GitFailed(name, str(error)) from None
        if done.returncode:
            if fail_as is not None and REFUSAL not in done.stderr:
                return fail_as.encode()
            raise GitFailed(name, os.fsdecode(done.stderr).strip() or ended(done.returncode))
        return done.stdout

    def _run(self, folder: Path, args: Sequence[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self._command(folder, args), input=stdin, capture_output=True, env=_environment(), check=False
        )

    def _command(self, folder: Path, args: Sequence[str]) -> list[str]:
        return [self._git, "-C", str(folder), *self._steady, *args]

    def below(self, *args: str, paths: Sequence[str] = ()) -> bytes:
        """Asks git of these paths; of the whole folder for none, and for more than fit on a command line."""
        named = [self.prefix + path for path in paths[: PATHS_NAMED + 1]]
        is_few = len(named) <= PATHS_NAMED and sum(len(os.fsencode(path)) + 1 for path in named) <= BYTES_NAMED
        return self.run(*self._on(args, named if is_few else ()))

    def begin_below(self, *args: str) -> Begun:
        """Begins what `below` would ask of the whole folder."""
        return self.begin(*self._on(args, ()), stdin=DEVNULL)

    def begin(self, *args: str, stdin: int = PIPE) -> Begun:
        """Begins what `run` does; by default it is to be fed its input."""
        command = self._command(self.top, args)
        try:
            process = subprocess.Popen(command, env=_environment(), stdin=stdin, stdout=PIPE, stderr=PIPE)
        except OSError as error:
            raise GitFailed(_name(args), str(error)) from None
        return Begun(_name(args), process)

    def _on(self, args: Sequence[str], paths: Sequence[str]) -> list[str]:
        return ["--literal-pathspecs", *args, "--", *(paths or [self.prefix or "."])]

    def ours(self, paths: Iterable[str]) -> Iterator[str]:
        """Of git's paths those below the folder, relative to it."""
        return (path.removeprefix(self.prefix) for path in paths if path.startswith(self.prefix))

    def start_behind(self, *args: str) -> None:
        """Has git do something while nobody waits, also when this process ends; whatever comes of it."""
        _BEHIND[:] = [process for process in _BEHIND if process.poll() is None]
        command = self._command(self.top, args)
        _BEHIND.append(
            subprocess.Popen(
                command, env=_environment(), start_new_session=True, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL
            )
        )

    def is_busy_behind(self) -> bool:
        """Whether something that this process started so still goes on."""
        return any(process.poll() is None for process in _BEHIND)


def _name(args: Sequence[str]) -> str:
    return next(arg for arg in args if _COMMAND.fullmatch(arg))


def _environment() -> dict[str, str]:
    """Ours, without what a git that runs us as a hook, or a shell, says of another repository."""
    kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**kept, **IN_ENGLISH, **THRIFTY, **OFFLINE}


def start(folder: Path) -> None:
    """Makes `folder` a repository of its own, on a branch `main`."""
    _answer("init", [_find_git(), "-C", str(folder), "init", "--quiet", "--initial-branch=main"])


def _refuse_damaged(folders: Iterable[Path]) -> None:
    """Git passes by a `.git` that it can't read, and goes on above; we would write into another repository."""
    for folder in folders:
        if os.path.lexists(folder / ".git"):
            raise Broken(
                f"git finds no repository in {folder / '.git'}; mend it (`git fsck`, or `git worktree repair` from the"
                " main worktree), or move it away"
            )


def _ignores_case(git_folder: Path) -> bool:
    """Whether the disk does; what git was told of it may have been so on another one."""
    return os.path.lexists(git_folder / "head")


def _find_git() -> str:
    """Where git is; raises `GitFailed` where it is missing, `Refused` where it is too old."""
    found = shutil.which("git")
    if found is None:
        raise GitFailed("--version", "git is not on PATH; install it from https://git-scm.com")
    if (version := _version(found)) and version < OLDEST:
        raise Refused(
            f"{found} is git {'.'.join(map(str, version))}; memory-wiki needs {'.'.join(map(str, OLDEST))} or newer:"
            " install one from https://git-scm.com"
        )
    return found


@lru_cache
def _version(executable: str) -> tuple[int, ...]:
    """Empty where its builder calls it something without numbers."""
    found = _VERSION.search(_answer("--version", [executable, "--version"]))
    return tuple(map(int, found[1].split("."))) if found else ()


def _answer(name: str, command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, env=_environment(), check=True)
    except subprocess.CalledProcessError as error:
        raise GitFailed(name, os.fsdecode(error.stderr)) from None
    except OSError as error:
        raise GitFailed(name, str(error)) from None
    return os.fsdecode(done.stdout)
