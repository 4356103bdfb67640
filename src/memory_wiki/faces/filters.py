"""The options that filter pages, as the index takes them. Pure."""

from datetime import datetime

from memory_wiki.errors import BadInput
from memory_wiki.index.entries import Filter
from memory_wiki.page.place import slug_for
from memory_wiki.recall.effort import Effort
from memory_wiki.wiki.when import end_of, start_of


def filter_of(
    project: str,
    types: list[str],
    tags: list[str],
    paths: list[str],
    author: str,
    dates: tuple[datetime | None, datetime | None],
) -> Filter:
    """Empty options filter nothing."""
    return Filter(
        projects=(slug_for(project),) if project else (),
        types=tuple(types),
        tags=tuple(tag.lstrip("#") for tag in tags),
        folders=tuple(path.removeprefix("./").strip("/") for path in paths),
        author=author,
        since=dates[0],
        until=dates[1],
    )


def effort(*, is_fast: bool, is_best: bool) -> Effort:
    """Raises `BadInput` for both at once."""
    if is_fast and is_best:
        raise BadInput("an answer is fast or best; drop one of the two")
    return Effort.FAST if is_fast else Effort.BEST if is_best else Effort.DEFAULT


def dates(since: str, until: str, now: datetime) -> tuple[datetime | None, datetime | None]:
    """The first instant and the last one that are meant, None where nothing is said; raises `BadInput`."""
    first, last = start_of(since, now) if since else None, end_of(until, now) if until else None
    if first and last and first > last:
        raise BadInput(f"--since {since} is later than --until {until}, so that nothing lies between; swap the two")
    return first, last
