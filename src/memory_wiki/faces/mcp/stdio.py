"""The server over standard input and output, as most agents start it: one process for one client.

Standard output belongs to the protocol; what else is to be said goes to standard error.
"""

import os
import signal
from threading import Thread
from types import FrameType

from memory_wiki.faces.ending import ENDS
from memory_wiki.faces.mcp.seat import Served
from memory_wiki.faces.mcp.server import MemoryServer
from memory_wiki.wiki.wiki import Wiki


def serve(wiki: Wiki, project: str | None) -> None:
    """Until the client closes its end, or a signal ends it; a write under way is finished first."""
    server = MemoryServer(Served(wiki, project))
    _end_by_signal(wiki)
    Thread(target=_watch, args=(wiki,), daemon=True).start()
    server.run("stdio")


def _watch(wiki: Wiki) -> None:
    """Not before the first answer: the client waits for that."""
    wiki.watch()


def _end_by_signal(wiki: Wiki) -> None:
    """Nothing else can wake the thread that waits for the client's next line."""

    def end(_number: int, _frame: FrameType | None) -> None:
        wiki.close()
        os._exit(0)

    for name in ENDS:
        if number := getattr(signal, name, None):
            signal.signal(number, end)
