"""How a command that goes on by itself is told to end."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ENDS = ("SIGINT", "SIGTERM", "SIGHUP")  # Ctrl-C, and what init systems and closing terminals send


@contextmanager
def told_to_end() -> Iterator[Callable[[], object]]:
    """Gives what waits for that. From here on such a signal does nothing else.

    It waits on a socket: on a lock the main thread would sleep on where the system hands the signal to another thread.
    https://docs.python.org/3/library/signal.html#signal.set_wakeup_fd
    """
    heard, told = socket.socketpair()
    with heard, told:
        told.setblocking(False)
        signal.set_wakeup_fd(told.fileno())
        for name in ENDS:
            if number := getattr(signal, name, None):
                signal.signal(number, lambda *_: None)
        try:
            yield lambda: heard.recv(1)
        finally:
            signal.set_wakeup_fd(-1)
