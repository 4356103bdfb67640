"""The command `embed`: passages get the vectors by which they are found by meaning."""

import time

from memory_wiki.faces.arguments import Json, VaultOption
from memory_wiki.faces.at_desk import at_desk


def embed(vault: VaultOption = None, as_json: Json = False) -> None:
    """Give passages the vectors by which they are found by meaning. `watch` does so as pages come."""
    from memory_wiki.faces.beside import Ear, progress
    from memory_wiki.wiki.answers import Embedded

    with at_desk(vault, as_json=as_json) as desk, desk.wiki() as wiki, progress(desk.note, "passage") as told:
        wiki.tell(Ear(desk.note, told))
        started = time.monotonic()
        done = wiki.embed()
        desk.say(Embedded(done, time.monotonic() - started, wiki.meaning.name))
