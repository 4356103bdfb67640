"""What may have changed in a folder since one last asked. Only hints: what did change, a look at files and git tells.

On Linux every folder of pages is watched, and `changed` is exact: a cookie file is made in our own folder, and once its
event has come, so has that of every change before it. Elsewhere, on network disks and where the system allows no
more watches, `changed` says that it can't tell. The only file that imports watchdog.
"""

import itertools
import logging
import os
import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from memory_wiki.page.path import PagePath, is_page

log = logging.getLogger(__name__)

SOON = 0.5  # seconds for the cookie's event to come: commonly it takes one thousandth of that
TOO_MANY = 1_000  # pages in doubt, from which on one look at everything is cheaper
RULES = frozenset({".gitignore", ".gitattributes"})  # what changes which files are pages at all
NETWORK = (
    *("9p", "afs", "ceph", "cifs", "davfs", "drvfs", "fuse", "glusterfs"),
    *("nfs", "ncpfs", "smb", "vboxsf", "virtiofs"),
)
MOUNTS = Path("/proc/self/mountinfo")

if sys.platform == "linux":
    from watchdog.observers.inotify_c import (
        CallbackId,
        InotifyConstants,
        InotifyEvent,
        InotifyFD,
        Mask,
        WatchDescriptor,
    )

    _FOLDER_EVENTS = (
        InotifyConstants.IN_CREATE | InotifyConstants.IN_DELETE | InotifyConstants.IN_MOVE | InotifyConstants.IN_MODIFY
        | InotifyConstants.IN_CLOSE_WRITE | InotifyConstants.IN_ATTRIB | InotifyConstants.IN_DELETE_SELF
        | InotifyConstants.IN_MOVE_SELF | InotifyConstants.IN_ONLYDIR | InotifyConstants.IN_DONT_FOLLOW
    )  # fmt: skip


class Watch:
    """Watches one folder until closed; `told` is called from another thread whenever something may have changed."""

    def __init__(self, root: Path, own_folder: Path, told: Callable[[], None]) -> None:
        self._root, self._own_folder, self._told = root, own_folder, told
        self._close: Callable[[], None] = lambda: None
        self._inotify: _Inotify | None = None
        self.limit = _why_blind(root)
        """Why not every change is heard of, and what to do; "" for nothing."""
        if self.limit:
            return
        try:
            self._start()
        except OSError as error:
            self.limit = _why_not(error)

    def _start(self) -> None:
        if sys.platform == "linux":
            self._inotify = _Inotify(self._root, self._own_folder, self._told)
            self._close = self._inotify.close
            return
        observer = Observer()
        observer.schedule(_Handler(self._told), str(self._root), recursive=True)
        observer.start()

        def close() -> None:
            observer.stop()
            observer.join()

        self._close = close

    def changed(self) -> set[PagePath] | None:
        """Pages that may have changed since one last asked, among them every one that did; None for any at all."""
        if sys.platform != "linux" or self.limit:
            return None
        try:
            if self._inotify is None or not self._inotify.is_of(self._root):  # another folder is in its place
                self.close()
                self._start()
            return self._inotify.changed() if self._inotify else None
        except FileNotFoundError:  # the vault is away, or our own folder in it is
            if self._root.exists():
                self._told()  # for a look once it is there again
            return None
        except OSError as error:  # a folder is new, and can't be watched
            self.limit = _why_not(error)
            log.warning("%s; so the folder is looked at every few seconds instead", self.limit)
            self.close()
            return None

    def close(self) -> None:
        self._close()
        self._close = lambda: None
        self._inotify = None


class _Handler(FileSystemEventHandler):
    def __init__(self, told: Callable[[], None]) -> None:
        self._told = told

    def on_any_event(self, event: FileSystemEvent) -> None:
        name = Path(os.fsdecode(event.src_path)).name
        if event.is_directory or is_page(name) or name in RULES:
            self._told()


if sys.platform == "linux":

    class _Inotify:
        """A watch on each folder that may hold pages; hidden ones, and so git's and our own, are left out."""

        def __init__(self, root: Path, own_folder: Path, told: Callable[[], None]) -> None:
            self._told = told
            self._root = os.fsencode(root)
            self._device, self._inode = _identity(root)
            self._cookies = own_folder / "cookies"
            self._lock = Lock()
            self._folders: dict[WatchDescriptor, bytes] = {}
            self._ids: dict[WatchDescriptor, CallbackId] = {}
            self._numbers = itertools.count(1)
            self._pages: set[PagePath] = set()
            self._is_anything = True
            self._failed: OSError | None = None
            self._waited: dict[bytes, Event] = {}
            self._inotify = InotifyFD()
            try:
                self._watch_cookies()
                self._watch_below(self._root)
            except OSError:
                self._inotify.start()  # which lets go of what it holds only as it ends
                self.close()
                raise
            self._inotify.start()

        def close(self) -> None:
            self._inotify.stop()
            self._inotify.join()

        def is_of(self, root: Path) -> bool:
            return (self._device, self._inode) == _identity(root)

        def changed(self) -> set[PagePath] | None:
            if not self._has_caught_up():
                self._doubt_anything()
            with self._lock:
                pages, self._pages = self._pages, set()
                is_anything, self._is_anything = self._is_anything, False
                failed = self._failed
            if failed is not None:
                raise failed
            return None if is_anything or len(pages) > TOO_MANY else pages

        def _has_caught_up(self) -> bool:
            """Whether every event of what happened before now has been handled."""
            name = secrets.token_hex(8)
            heard = self._waited.setdefault(os.fsencode(name), Event())
            cookie = self._cookies / name
            try:
                os.close(os.open(cookie, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600))
                cookie.unlink()
                return heard.wait(SOON)
            except FileNotFoundError:  # our own folder was deleted, as one may at any moment
                with suppress(OSError):
                    self._watch_cookies()
                return False
            except OSError:
                return False
            finally:
                del self._waited[os.fsencode(name)]

        def _watch_cookies(self) -> None:
            self._cookies.mkdir(exist_ok=True)
            self._cookie_watch = self._add(os.fsencode(self._cookies))

        def on_event(self, event: InotifyEvent) -> None:
            if event.wd == self._cookie_watch:
                if heard := self._waited.get(event.name):
                    heard.set()
                return
            folder = self._folders.get(event.wd)
            if folder is None:
                return
            if event.is_directory:
                self._hear_of_folder(event, folder + b"/" + event.name)
            else:
                self._hear_of_file(event, folder + b"/" + event.name)

        def _hear_of_folder(self, event: InotifyEvent, folder: bytes) -> None:
            """Folders come and go with all that they hold, so that anything may have changed."""
            if event.name.startswith(b"."):
                return
            if event.is_moved_from:
                self._forget_below(folder)
            elif event.is_create or event.is_moved_to:
                try:
                    self._watch_below(folder)
                except OSError as error:
                    self._failed = error
            self._doubt_anything()
            self._told()

        def _hear_of_file(self, event: InotifyEvent, file: bytes) -> None:
            """A link in a folder's place takes pages away, as rules may."""
            name = os.fsdecode(event.name)
            if name in RULES or ((event.is_create or event.is_moved_to) and os.path.islink(file)):  # noqa: PTH114 - bytes
                self._doubt_anything()
            elif is_page(name):
                path = PagePath(os.fsdecode(file[len(self._root) + 1 :]))
                with self._lock:
                    self._pages.add(path)
            else:
                return
            self._told()

        def on_watch_deleted(self, wd: WatchDescriptor) -> None:
            self._folders.pop(wd, None)
            self._ids.pop(wd, None)

        def on_queue_overflow(self) -> None:
            """Events were lost: of files, and of folders that nobody watches yet."""
            try:
                self._forget_below(self._root)
                self._watch_below(self._root)
            except OSError as error:
                self._failed = error
            self._doubt_anything()
            self._told()

        def _doubt_anything(self) -> None:
            with self._lock:
                self._is_anything = True

        def _watch_below(self, top: bytes) -> None:
            """Raises `OSError` where the system allows no more watches; of a folder that is gone there is no need."""
            waiting = [top]
            while waiting:
                with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                    folder = waiting.pop()
                    if os.lstat(folder).st_dev != self._device:
                        raise OSError(0, "another file system is mounted in the vault")
                    self._folders[self._add(folder)] = folder  # before it is listed: what comes later is an event
                    with os.scandir(folder) as found:
                        waiting += [
                            each.path for each in found if each.is_dir(follow_symlinks=False) and each.name[:1] != b"."
                        ]

        def _add(self, folder: bytes) -> WatchDescriptor:
            """Also a folder that is watched already, maybe by another name: that watch goes on."""
            number = CallbackId(next(self._numbers))
            wd = self._inotify.add_callback(folder, Mask(_FOLDER_EVENTS), self, number)
            if wd in self._ids:
                self._inotify.remove_callbacks([(wd, self._ids[wd])])
            self._ids[wd] = number
            return wd

        def _forget_below(self, top: bytes) -> None:
            gone = [wd for wd, folder in self._folders.items() if folder == top or folder.startswith(top + b"/")]
            for wd in gone:
                del self._folders[wd]
            self._inotify.remove_callbacks([(wd, self._ids.pop(wd)) for wd in gone])


def _identity(root: Path) -> tuple[int, int]:
    found = root.stat()
    return found.st_dev, found.st_ino


def _why_blind(root: Path) -> str:
    """Changes that other machines make are no events here."""
    with suppress(OSError):
        device = os.lstat(root).st_dev
        wanted = f"{os.major(device)}:{os.minor(device)}"
        for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
            fields, _, rest = line.partition(" - ")
            kind = rest.split(" ")[0]
            if fields.split(" ")[2] == wanted and kind.startswith(NETWORK):
                return f"{root} is on a disk ({kind}) that tells nothing of changes made elsewhere"
    return ""


def _why_not(error: OSError) -> str:
    if "inotify watch limit" in str(error):
        return "the system allows no more folders to be watched: `sudo sysctl fs.inotify.max_user_watches=1048576`"
    if "inotify instance limit" in str(error):
        return "the system allows no more watchers: `sudo sysctl fs.inotify.max_user_instances=1024`"
    return f"the folder can't be watched: {error.strerror or error}"
