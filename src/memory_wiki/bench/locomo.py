"""LoCoMo (Maharana et al., ACL 2024), as its authors publish it. Pure.

Evidence is turn ids, several of them in one string at times, and some that no turn has: those are dropped.
"""

import re
from collections.abc import Iterator

from memory_wiki.bench.dates import moment
from memory_wiki.bench.material import Ask, Case, Conversation, Dataset, Session, Turn
from memory_wiki.bench.node import Node

KINDS = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}
_SESSION = re.compile(r"session_(\d{1,9})")
_ID = re.compile(r"D(\d{1,9}):(\d{1,9})(?!\d)")


def read(top: Node) -> Dataset:
    """Raises `BadInput`."""
    return Dataset("locomo", tuple(_case(item, number) for number, item in enumerate(top.items(), 1)))


def _case(item: Node, number: int) -> Case:
    name = item.get("sample_id").text_or_none() or f"conv-{number}"
    sessions = tuple(_sessions(item.get("conversation")))
    home = {turn.id: session.id for session in sessions for turn in session.turns}
    return Case(Conversation(name, sessions), tuple(_ask(asked, home) for asked in item.get("qa").items()))


def _sessions(talk: Node) -> Iterator[Session]:
    numbers = sorted(int(found[1]) for key, _ in talk.pairs() if (found := _SESSION.fullmatch(key)))
    for number in numbers:
        key = f"session_{number}"
        turns = tuple(map(_turn, talk.get(key).items()))
        if turns:
            yield Session(key, moment(talk.get(f"{key}_date_time")), turns)


def _turn(said: Node) -> Turn:
    picture = said.get("blip_caption").text_or_none()
    text = said.get("text").text_or_none() + (f" (shares a picture: {picture})" if picture else "")
    return Turn(said.get("dia_id").text(), said.get("speaker").text(), text)


def _ask(asked: Node, home: dict[str, str]) -> Ask:
    category = asked.get("category").text()
    said = " ".join(asked.get("evidence").texts())
    named = (f"D{int(found[1])}:{int(found[2])}" for found in _ID.finditer(said))
    turns = tuple(dict.fromkeys(turn for turn in named if turn in home))
    return Ask(
        asked.get("question").text(),
        KINDS.get(category, f"category {category}"),
        turns,
        tuple(dict.fromkeys(home[turn] for turn in turns)),
        asked.get("answer").text_or_none(),
        is_answerable=category != "5",
    )
