"""On whose behalf a verb is called, where one open wiki serves several callers at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from memory_wiki.page.change import Actor

_ACTOR: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """Writes are made on behalf of `actor` meanwhile: in this thread or task, and in threads that take its context."""
    token = _ACTOR.set(actor)
    try:
        yield
    finally:
        _ACTOR.reset(token)


def acting_actor() -> Actor | None:
    """Who was named last, None where nobody was."""
    return _ACTOR.get()
