"""BEAM (Tavakoli et al., ICLR 2026): chats of messages, each with an id; gold is message ids. Pure.

A session begins at the first message, and where a message has another time than the one before that had any.
"""

from memory_wiki.bench.dates import moment
from memory_wiki.bench.material import Ask, Case, Conversation, Dataset, Session, Turn
from memory_wiki.bench.node import Node

ABSTENTION = "abstention"


def read(top: Node) -> Dataset:
    """Raises `BadInput`."""
    return Dataset("beam", tuple(map(_case, top.items())))


def _case(chat: Node) -> Case:
    sessions = _sessions(chat.get("messages").items())
    home = {turn.id: session.id for session in sessions for turn in session.turns}
    name = f"chat-{chat.get('chat').text()}"
    return Case(Conversation(name, sessions), tuple(_ask(asked, home) for asked in chat.get("questions").items()))


def _sessions(messages: list[Node]) -> tuple[Session, ...]:
    begun: list[tuple[Node, list[Turn]]] = []
    for message in messages:
        time = message.get("time")
        if not begun or not (time.is_empty or time.value == begun[-1][0].value):
            begun.append((time, []))
        turn = Turn(message.get("id").text(), message.get("role").text(), message.get("content").text_or_none())
        begun[-1][1].append(turn)
    return tuple(Session(f"session-{n}", moment(time), tuple(turns)) for n, (time, turns) in enumerate(begun, 1))


def _ask(asked: Node, home: dict[str, str]) -> Ask:
    kind = asked.get("kind").text()
    turns = tuple(dict.fromkeys(turn for turn in asked.get("gold_message_ids").texts() if turn in home))
    return Ask(
        asked.get("question").text(),
        kind,
        turns,
        tuple(dict.fromkeys(home[turn] for turn in turns)),
        asked.get("answer").text_or_none(),
        is_answerable=kind != ABSTENTION,
    )
