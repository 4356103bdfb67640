"""What the commands `mcp` and `serve` do: open the vault, and serve it until they are told to end."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from memory_wiki.faces import desk as desks
from memory_wiki.faces.desk import Desk, work_begins
from memory_wiki.faces.whereabouts import actor, here, is_own_to_be_made
from memory_wiki.wiki.answers import Serving
from memory_wiki.wiki.wiki import Wiki


def over_stdio(desk: Desk, project: str) -> None:
    from memory_wiki.faces.mcp import stdio

    with _wiki(desk) as wiki:
        stdio.serve(wiki, project or None)


def over_http(desk: Desk, project: str, where: tuple[str, int, tuple[str, ...]], *, has_token: bool) -> None:
    from memory_wiki.faces.http import serve, token

    with _wiki(desk) as wiki:

        def told(url: str) -> None:
            file = token.token_file(wiki.vault.root)
            desk.say(Serving(url, str(file) if has_token else ""))
            if not has_token:
                desk.note("no token is asked for: every program and person on this machine can read and write")

        serve.serve(wiki, project or None, serve.Where(*where), told, has_token=has_token)


@contextmanager
def _wiki(desk: Desk) -> Iterator[Wiki]:
    """The vault; the user's own is made if there is none yet, as nobody is there to be asked."""
    work_begins()
    logging.basicConfig(level=logging.WARNING, format="memory-wiki: %(message)s")  # before the SDK does, in colours
    if is_own_to_be_made(desk.root):
        from memory_wiki.vault.make import make

        make(desk.root, actor(), desks.chance.now())
        desk.note(f"made your own vault at {desk.root}")
    with Wiki.open(desk.root, here(), actor(), desks.chance) as wiki:
        yield wiki
