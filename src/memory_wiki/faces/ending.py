"""How a command that goes on by itself is told to end."""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

ENDS = ("SIGINT", "SIGTERM", "SIGHUP")  # Ctrl-C, and what init systems and closing terminals send


class Ending:
    """The end of a command, once it has come."""

    def __init__(self, heard: socket.socket, told: socket.socket) -> None:
        self._heard = heard
        self._told = told

    def wait(self) -> None:
        self._heard.recv(1)

    def come(self) -> None:
        """From any thread."""
        self._told.send(b"\0")


@contextmanager
def told_to_end() -> Iterator[Ending]:
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
            yield Ending(heard, told)
        finally:
            signal.set_wakeup_fd(-1)
