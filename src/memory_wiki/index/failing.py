"""Failures of the index, in one kind. It never hides one: each says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from memory_wiki.errors import IndexBroken


@contextmanager
def failing_as(done: str) -> Iterator[None]:
    """Tantivy's errors, which are ValueErrors, and the disk's, as ours."""
    try:
        yield
    except (OSError, ValueError) as error:
        advice = "another process writes it; try again" if "LockBusy" in str(error) else "run `memory-wiki reindex`"
        raise IndexBroken(f"the index could not be {done}: {error}; {advice}") from error
