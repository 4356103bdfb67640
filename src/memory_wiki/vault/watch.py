"""What may have changed in a folder since one last asked. Only hints: what did change, a look at files and git tells.

On Linux every folder of pages is watched, and `changed` is exact: a cookie file is made in our own folder, and once its
event has come, so has that of every change before it. Elsewhere, on network disks and where the system allows no
more watches, `changed` says that it can't tell. The only file that imports watchdog.
"""

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

SOON = 0.5  # seconds for the cookie's event to come: commonly it takes one thousandth of that
TOO_MANY = 1_000  # pages in doubt, from which on one look at everything is cheaper
RULES = frozenset({".gitignore", ".gitattributes"})  # what changes which files are pages at all
NETWORK = (
    "9p",
    "afs",
    "ceph",
    "cifs",
    "davfs",
    "drvfs",
    "fuse",
    "glusterfs",
    "nfs",
    "ncpfs",
    "smb",
    "vboxsf",
    "virtiofs",
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
        | InotifyConstants.IN_CLOSE_WRITE | InotifyConstants.IN_DELETE_SELF | InotifyConstants.IN_ONLYDIR
        | InotifyConstants.IN_DONT_FOLLOW
    )  # fmt: skip


class Watch:
    """Watches one folder until closed; `told` is called from another thread whenever something may have changed."""

    def __init__(self, root: Path, own_folder: Path, told: Callable[[], None]) -> None:
        self._told = told
        self._close: Callable[[], None] = lambda: None
        self._inotify: _Inotify | None = None
        self.limit = _why_blind(root)
        """Why not every change is heard of, and what to do; "" for nothing."""
        if self.limit:
            return
        try:
            self._start(root, own_folder)
        except OSError as error:
            self.limit = _why_not(error)

    def _start(self, root: Path, own_folder: Path) -> None:
        if sys.platform == "linux":
            self._inotify = _Inotify(root, own_folder, self._told)
            self._close = self._inotify.close
            return
        observer = Observer()
        observer.schedule(_Handler(self._told), str(root), recursive=True)
        observer.start()

        def close() -> None:
            observer.stop()
            observer.join()

        self._close = close

    def changed(self) -> set[PagePath] | None:
        """Pages that may have changed since one last asked, among them every one that did; None for any at all."""
        if self._inotify is None or self.limit:
            return None
        try:
            return self._inotify.changed()
        except OSError as error:  # a folder is new, and can't be watched
            self.limit = _why_not(error)
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
            self._cookies = own_folder / "cookies"
            self._lock = Lock()
            self._folders: dict[WatchDescriptor, bytes] = {}
            self._pages: set[PagePath] = set()
            self._is_anything = True
            self._failed: OSError | None = None
            self._waited: dict[bytes, Event] = {}
            self._id = CallbackId(id(self))
            self._inotify = InotifyFD()
            self._inotify.start()
            try:
                self._cookies.mkdir(exist_ok=True)
                self._cookie_watch = self._add(os.fsencode(self._cookies))
                self._watch_below(self._root)
            except OSError:
                self.close()
                raise

        def close(self) -> None:
            self._inotify.stop()
            self._inotify.join()

        def changed(self) -> set[PagePath] | None:
            if not self._has_caught_up():
                self._is_anything = True
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
            except OSError:
                return False
            finally:
                del self._waited[os.fsencode(name)]

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
                self._hear_of_file(folder, event.name)

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
            self._is_anything = True
            self._told()

        def _hear_of_file(self, folder: bytes, name: bytes) -> None:
            text = os.fsdecode(name)
            if text in RULES:
                self._is_anything = True
            elif is_page(text):
                path = PagePath(os.fsdecode(os.path.relpath(folder + b"/" + name, self._root)))
                with self._lock:
                    self._pages.add(path)
            else:
                return
            self._told()

        def on_watch_deleted(self, wd: WatchDescriptor) -> None:
            self._folders.pop(wd, None)

        def on_queue_overflow(self) -> None:
            """Events were lost: of files, and of folders that nobody watches yet."""
            try:
                self._forget_below(self._root)
                self._watch_below(self._root)
            except OSError as error:
                self._failed = error
            self._is_anything = True
            self._told()

        def _watch_below(self, top: bytes) -> None:
            """Raises `OSError` where the system allows no more watches; of a folder that is gone there is no need."""
            device = os.lstat(self._root).st_dev
            for folder, names, _ in os.walk(top):
                names[:] = [name for name in names if not name.startswith(b".")]
                with suppress(FileNotFoundError, NotADirectoryError):
                    if os.lstat(folder).st_dev != device:
                        raise OSError(0, "another file system is mounted in the vault")
                    self._folders[self._add(folder)] = folder

        def _add(self, folder: bytes) -> WatchDescriptor:
            return self._inotify.add_callback(folder, Mask(_FOLDER_EVENTS), self, self._id)

        def _forget_below(self, top: bytes) -> None:
            gone = [wd for wd, folder in self._folders.items() if folder == top or folder.startswith(top + b"/")]
            for wd in gone:
                del self._folders[wd]
            self._inotify.remove_callbacks([(wd, self._id) for wd in gone])


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
