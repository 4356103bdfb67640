"""New memories, from wishes to pages that recall finds; and what is said of any page written."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from memory_wiki.errors import MemoryWikiError
from memory_wiki.index.children import Children
from memory_wiki.index.index import Progress, silent
from memory_wiki.page.change import Move
from memory_wiki.vault.job import Applied
from memory_wiki.wiki.answers import Written
from memory_wiki.wiki.contradicting import rivals, stated
from memory_wiki.wiki.linking import found
from memory_wiki.wiki.opened import Opened
from memory_wiki.wiki.remembering import Planner, Wish
from memory_wiki.wiki.repeating import answered, echoes, key_of, repeated
from memory_wiki.wiki.taking import Taking

GROUP = 500  # memories written under one lock, so that other writers get their turn between


def remember(wiki: Opened, wish: Wish) -> Written:
    """Writes a new page, never over another one, unless it is wanted `once` and a page says it already. Durable when
    this returns, and found by the next recall.
    """
    planner = _planner(wiki, [wish])
    draft = planner.draft(wish)
    if wish.once and (same := repeated(draft, wiki)):
        return same
    done = wiki.write(lambda taken: planner.plan(draft, taken))
    written, said = replace(written_of(done), namesake=planner.namesake(draft)), stated(draft)
    against = rivals(written, draft, said, wiki) if wish.once else ()
    wiki.lately.wrote(done, written, key_of(draft), said)
    return replace(written, contradicts=against)


def remember_each(wiki: Opened, wishes: Sequence[Wish], told: Progress = silent) -> tuple[Written, ...]:
    """Writes new pages, one commit each; all are durable, and found by recall, when this returns.

    Raises `BadMemory` with nothing written; what else goes wrong, once it has tried the rest of that group, with
    those written that `told` counted: in order, but for the ones of that group that failed.
    """
    planner = _planner(wiki, wishes)
    written: list[Written] = []
    with wiki.writing_much(), Children(len(wishes)) as children, Taking(wiki.index, children) as taking:
        every = planner.draft_each(wishes, children)
        said = echoes(wishes, every, wiki)
        drafts = [draft for draft, echo in zip(every, said, strict=True) if echo is None]
        for start in range(0, len(drafts), GROUP):
            group = drafts[start : start + GROUP]
            jobs = [wiki.job(partial(planner.plan, draft)) for draft in group]
            outcomes = wiki.write_each(jobs)
            tried = zip(outcomes, group, jobs, strict=True)
            done = [(each, draft, job) for each, draft, job in tried if isinstance(each, Applied)]
            taking.add([(each, job.at) for each, _, job in done])
            written += [replace(written_of(each), namesake=planner.namesake(draft)) for each, draft, _ in done]
            told(len(written), len(drafts))
            if failed := next((each for each in outcomes if isinstance(each, MemoryWikiError)), None):
                raise failed
    if any(wish.once for wish in wishes):  # once all are indexed, so that they are also compared with each other
        pairs = zip(written, drafts, strict=True)
        written = [replace(each, contradicts=rivals(each, draft, stated(draft), wiki)) for each, draft in pairs]
    return answered(said, written)


def _planner(wiki: Opened, wishes: Sequence[Wish]) -> Planner:
    if not _is_known(wiki, wishes):
        wiki.catch_up()
    return Planner(wiki.vault, wiki.index.words, wiki.actor, wiki.chance, wiki.here)


def _is_known(wiki: Opened, wishes: Sequence[Wish]) -> bool:
    """Whether the index knows what is asked of it: names, ids and projects, and of some what is linked to, or said."""
    if not wiki.has_caught_up:
        return False
    links = {link for wish in wishes for link in wish.memory.links}
    if not links and not any(wish.once for wish in wishes):
        return True
    if not wiki.lately.covers(wiki.vault.look()):
        return False
    return not wiki.lately.any or all(found(link, wiki.vault, wiki.index.words) for link in links)


def written_of(done: Applied) -> Written:
    plan = done.plan
    first, *others = plan.changes
    path = first.to if isinstance(first, Move) else first.path
    version = done.versions[path]
    assert version is not None, "a plan's first change leaves its page in place"  # noqa: S101
    was = first.path if isinstance(first, Move) and first.path != path else None
    return Written(plan.verb, path, plan.title, version, done.commit, was, tuple(change.path for change in others))
