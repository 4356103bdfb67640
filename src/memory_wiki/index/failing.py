"""Failures of the index, in one kind. It never hides one: each says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager

from memory_wiki.errors import IndexBroken


@contextmanager
def failing_as(done: str, *, what: str = "the index", advice: str = "run `memory-wiki reindex`") -> Iterator[None]:
    """Tantivy's errors, which are ValueErrors, and the disk's, as ours."""
    try:
        yield
    except (OSError, ValueError) as error:
        if "LockBusy" in str(error):
            advice = "another process writes it; try again"
        raise IndexBroken(f"{what} could not be {done}: {error}; {advice}") from error
