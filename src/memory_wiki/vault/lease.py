"""Whether another program has a file open for writing: half a page must be neither committed nor indexed.

Linux grants a read lease on a file only while nobody has it open for writing, and makes whoever opens it so wait until
the lease is given back, some microseconds later: https://man7.org/linux/man-pages/man2/F_SETLEASE.2const.html
Other systems, other people's files and many network disks don't tell; there a file counts as written.
"""

import errno
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from memory_wiki.errors import VaultBusy
from memory_wiki.page.path import PagePath

if sys.platform == "linux":
    import fcntl

    @contextmanager
    def nobody_writing(descriptor: int, path: PagePath) -> Iterator[None]:
        """Raises `VaultBusy` where somebody is; whoever begins to meanwhile waits until this ends."""
        is_leased = False
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)  # sent to us if somebody waits; by default ignored
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            is_leased = True
        except OSError as error:
            if error.errno == errno.EAGAIN:
                raise VaultBusy(f"{path} is being written by another program; try again when it is done") from None
        try:
            yield
        finally:
            if is_leased:
                with suppress(OSError):  # the kernel takes a lease back from who was stopped for 45 seconds
                    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
else:

    @contextmanager
    def nobody_writing(_descriptor: int, _path: PagePath) -> Iterator[None]:
        yield
