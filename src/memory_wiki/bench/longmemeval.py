"""LongMemEval (Wu et al., ICLR 2025): as its authors publish it, or with sessions that questions share. Pure.

A haystack that several questions have becomes one conversation. A question whose id ends in `_abs` has no answer.
"""

from collections.abc import Mapping

from memory_wiki.bench.dates import moment
from memory_wiki.bench.material import Ask, Case, Conversation, Dataset, Session, Turn
from memory_wiki.bench.node import Node
from memory_wiki.errors import BadInput

Haystack = tuple[str, ...]
ABSTAINS = "_abs"


def read(top: Node) -> Dataset:
    """Raises `BadInput`."""
    asked = top.items() if top.is_list else top.get("questions").items()
    shared = {} if top.is_list else {key: _session(key, item) for key, item in top.get("sessions").pairs()}
    stacks: dict[Haystack, tuple[Mapping[str, Session], list[Ask]]] = {}
    for question in asked:
        ids = tuple(dict.fromkeys(question.get("haystack_session_ids").texts()))
        if ids not in stacks:
            stacks[ids] = _own_sessions(question) if top.is_list else shared, []
        stacks[ids][1].append(_ask(question))
    cases = (_case(f"haystack-{number}", ids, *stacks[ids]) for number, ids in enumerate(stacks, 1))
    return Dataset("longmemeval", tuple(cases))


def _case(name: str, ids: Haystack, sessions: Mapping[str, Session], asks: list[Ask]) -> Case:
    if missing := [id_ for id_ in ids if id_ not in sessions]:
        raise BadInput(f"{name} has no session {missing[0]!r}")
    found = tuple(sessions[id_] for id_ in ids if sessions[id_].turns)
    return Case(Conversation(name, found), tuple(asks))


def _session(id_: str, item: Node) -> Session:
    return _of(id_, item.get("date"), item.get("turns"))


def _own_sessions(question: Node) -> dict[str, Session]:
    ids, dates, talks = (question.get(f"haystack_{what}").items() for what in ("session_ids", "dates", "sessions"))
    if not len(ids) == len(dates) == len(talks):
        raise BadInput(f"{question.where} has {len(ids)} session ids, {len(dates)} dates and {len(talks)} sessions")
    return {id_.text(): _of(id_.text(), date, talk) for id_, date, talk in zip(ids, dates, talks, strict=True)}


def _of(id_: str, date: Node, turns: Node) -> Session:
    said = [(turn.get("role").text(), turn.get("content").text_or_none()) for turn in turns.items()]
    return Session(id_, moment(date), tuple(Turn(f"{id_}:{n}", role, text) for n, (role, text) in enumerate(said)))


def _ask(question: Node) -> Ask:
    return Ask(
        question.get("question").text(),
        question.get("question_type").text(),
        (),
        question.get("answer_session_ids").texts(),
        question.get("answer").text_or_none(),
        is_answerable=not question.get("question_id").text().endswith(ABSTAINS),
    )
