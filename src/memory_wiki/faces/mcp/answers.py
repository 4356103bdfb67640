"""The wiki's answers as tools give them: structured, and as a short text beside it. Pure."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from mcp_types import CallToolResult, TextContent

from memory_wiki.faces.ink import SHORT, count, on_one_line
from memory_wiki.faces.mcp.fence import DATA, data, fenced, inert, lines
from memory_wiki.faces.mcp.outputs import (
    Changes,
    Event,
    Events,
    Health,
    History,
    Listed,
    Memory,
    Otherwise,
    PageText,
    Quote,
    Recalled,
    Row,
    Verdict,
    Version,
)
from memory_wiki.index.entries import PageEntry
from memory_wiki.page.path import PagePath
from memory_wiki.recall.answer import Answer, Hit
from memory_wiki.vault.past import Past
from memory_wiki.wiki.answers import (
    Diff,
    Life,
    Moment,
    Noted,
    Pages,
    Reading,
    Rival,
    Status,
    Timeline,
    Written,
)

UNDECIDED = (
    "It is written, and these pages say otherwise. Say `feedback` stale or wrong of a page that holds no more, or mend"
    " the new one with `edit_page`."
)


def noted(head: str) -> str:
    """What stands before quotes, for clients that hand a model the structured answer alone."""
    return f"{head} {DATA}".strip()


def result(text: str, structured: object) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structured)


def recalled(found: Answer) -> CallToolResult:
    """Quotes, best first; where nothing fits, it says so before the near misses."""
    quotes = found.hits or found.near_misses
    shaped = Recalled(
        note=noted(_head(found)) if found.found else _head(found),
        fits=bool(found.hits),
        confidence=round(found.confidence, 2),
        quotes=[_quote(hit) for hit in quotes],
        standing_requests=[_quote(hit) for hit in found.preferences],
        more=found.left_out,
        took_part=list(found.took_part),
        missing=dict(found.missing),
    )
    return result("\n\n".join(_recalled(found)), shaped)


def _recalled(found: Answer) -> Iterator[str]:
    yield data(*map(_fenced, found.hits or found.near_misses), head=_head(found)) if found.found else _head(found)
    if found.preferences:
        yield "Asked for from now on, by people:"
        yield from map(_fenced, found.preferences)
    yield from (fenced(about, project=project) for project, about in _projects(found).items())
    if found.left_out:
        yield f"There is more ({found.left_out} at least): raise limit or budget."
    if not found.unmet:
        yield from _without(found)


def _head(found: Answer) -> str:
    """How much it is and how sure, or why there is nothing."""
    if found.unmet:
        return " ".join(found.unmet)
    if not found.found:
        return "Passages were found, and none fits in the budget." if found.left_out else "Nothing fits."
    sure = f"{found.confidence:.0%} sure, " if "meaning" in found.took_part else ""
    by = f"({sure}by {' and '.join(found.took_part)})"
    if found.hits:
        return f"{count(len(found.hits), 'passage')}, best first {by}."
    near = " What comes nearest:" if found.near_misses else ""
    return f"Nothing fits {by}; say so rather than guess.{near}"


def _without(found: Answer) -> Iterator[str]:
    yield from (f"without {part}: {on_one_line(why)}" for part, why in found.missing)


def _projects(found: Answer) -> dict[str, str]:
    return {hit.project: hit.about for hit in found.found if hit.about}


def _quote(hit: Hit) -> Quote:
    return Quote(
        page=hit.path,
        title=hit.title,
        type=hit.type,
        status=hit.status,
        project=hit.project,
        first_line=hit.first_line,
        last_line=hit.last_line,
        version=hit.version,
        text=hit.text,
    )


def _fenced(hit: Hit) -> str:
    status = hit.status if hit.status != "active" else ""
    where = lines(hit.first_line, hit.last_line)
    return fenced(
        hit.text, page=hit.path, lines=where, title=hit.title, type=hit.type, status=status, version=hit.version[:SHORT]
    )


def page_text(found: Reading, first: int, last: int, text: str, total: int) -> CallToolResult:
    """Lines `first` to `last` of a page of `total` lines."""
    page = found.page
    shaped = PageText(
        note=DATA,
        page=page.path,
        title=page.title,
        type=page.type,
        status=page.status,
        version=page.version,
        first_line=first,
        last_line=last,
        lines=total,
        text=text,
    )
    quoted = fenced(text, page=page.path, lines=lines(first, last), title=page.title, version=page.version)
    past = f"As it was at {_moment(found.past.commit.at)}. " if found.past else ""
    rest = f"Lines {first} to {last} of {total}: give from_line={last + 1} for more." if last < total else ""
    return result("\n\n".join(filter(None, [data(quoted, head=past.strip()), rest])), shaped)


def listed(found: Pages, limit: int) -> CallToolResult:
    rows = [_row(entry) for entry in found.pages[:limit]]
    more = max(len(found.pages) - limit, 0)
    if not rows:
        why = " ".join(found.unmet) or "There is no page."
        return result(why, Listed(note=why, pages=[], more=0))
    said = "\n".join(on_one_line(f"{row['page']}  [{row['type']}] {row['title']}") for row in rows)
    rest = [f"{more} more: raise limit, or filter."] if more else []
    return result("\n\n".join([data(fenced(said)), *rest]), Listed(note=DATA, pages=rows, more=more))


def _row(entry: PageEntry) -> Row:
    return Row(
        page=entry.path,
        title=entry.title,
        type=entry.type,
        status=entry.status,
        project=entry.project,
        tags=list(entry.tags),
        changed=_moment(entry.changed),
        version=entry.version,
    )


def events(found: Timeline) -> CallToolResult:
    if not found.moments:
        why = " ".join(found.unmet) or "Nothing happened then, as far as is known."
        return result(why, Events(note=why, events=[], more=0))
    quotes = (_told(moment) for moment in found.moments)
    rest = [f"{found.left_out} more: raise limit, or narrow since and until."] if found.left_out else []
    shaped = Events(note=DATA, events=[_event(moment) for moment in found.moments], more=found.left_out)
    return result("\n\n".join([data(*quotes), *rest]), shaped)


def _event(moment: Moment) -> Event:
    return Event(
        at=_moment(moment.at),
        page=moment.path,
        line=moment.line,
        title=moment.title,
        type=moment.type,
        version=moment.version,
        text=moment.text,
    )


def _told(moment: Moment) -> str:
    text = moment.text or moment.title
    at, line = _moment(moment.at), str(moment.line)
    return fenced(text, at=at, page=moment.path, line=line, type=moment.type, version=moment.version[:SHORT])


def history(found: Life, diff: Diff | None) -> CallToolResult:
    versions = [_version(past) for past in found.versions]
    said = "\n".join(
        f"{version['at']}  {(version['version'] or 'gone')[:SHORT]}  {on_one_line(version['what'])}  "
        f"({on_one_line(version['by'])})"
        for version in versions
    )
    changed = diff.text if diff else ""
    quotes = [fenced(said, page=found.path), *([fenced(changed, diff=found.path)] if changed else [])]
    return result(data(*quotes), History(note=DATA, page=found.path, versions=versions, diff=changed))


def _version(past: Past) -> Version:
    commit = past.commit
    agent = commit.trailer("Agent")
    by = f"{commit.author} via {agent}" if agent else commit.author
    return Version(version=past.version or "", page=past.path, at=_moment(commit.at), by=by, what=commit.subject)


def changes(done: Iterable[Written]) -> CallToolResult:
    """What was written, a line each."""
    shaped = [_change(written) for written in done]
    said = "\n".join(
        on_one_line(f"{change['outcome']}: {change['page']} @{change['version'][:SHORT]}") for change in shaped
    )
    against = [_rival(rival, written.path) for written in done for rival in written.contradicts]
    if not against:
        return result(said, Changes(changes=shaped))
    return result(f"{said}\n\n{data(*against, head=UNDECIDED)}", Changes(note=noted(UNDECIDED), changes=shaped))


def change(done: Written) -> CallToolResult:
    shaped = _change(done)
    also = f"\nchanged with it: {on_one_line(', '.join(done.also))}" if done.also else ""
    same = f"\na page of that name was there: {on_one_line(done.namesake)}" if done.namesake else ""
    said = f"{shaped['outcome']}: {on_one_line(done.path)}\nversion {done.version}"
    return result(said + also + same, shaped)


def _change(done: Written) -> Memory:
    shaped = Memory(outcome=outcome(done), page=done.path, title=done.title, version=done.version, commit=done.commit)
    against = [Otherwise(page=each.path, says=inert(each.said), how=each.how) for each in done.contradicts]
    if against:
        shaped["contradicts"] = against
    return shaped


def _rival(rival: Rival, path: PagePath) -> str:
    return fenced(rival.said, page=rival.path, version=rival.version, contradicts=path, how=rival.how)


def outcome(done: Written) -> str:
    """`new`, `repeats` where a page says it already, `contradicts` where one says otherwise, `changed`, or `unchanged`
    where nothing had to be.
    """
    if done.contradicts:
        return "contradicts"
    if done.repeats:
        return "repeats"
    if not done.commit:
        return "unchanged"
    return "new" if done.verb == "remember" else "changed"


def health(now: Status, project: str, notes: list[str]) -> CallToolResult:
    shaped = Health(
        project=project,
        vault=now.vault,
        branch=now.branch,
        pages=now.pages,
        passages=now.passages,
        embedded=now.embedded,
        model=now.model,
        uncommitted=len(now.uncommitted),
        notes=notes,
    )
    meaning = f"{now.model}, {now.embedded:,} of {now.passages:,} passages" if now.model else now.words_alone
    said = [
        f"project: {project or 'not known'}",
        f"vault: {now.vault} on {now.branch}",
        f"pages: {now.pages:,}",
        f"meaning: {meaning}",
        *notes,
    ]
    return result("\n".join(map(on_one_line, said)), shaped)


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="seconds").replace("+00:00", "Z")


def verdict(done: Noted) -> CallToolResult:
    shaped = Verdict(
        page=done.path, title=done.title, version=done.version, verdict=done.verdict, asks_review=done.asks_review
    )
    said = f"noted: {on_one_line(done.path)} is {done.verdict}"
    return result(said + ("; it asks for review, and answers mark it so" if done.asks_review else ""), shaped)
