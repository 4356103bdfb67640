"""XQuAD (Artetxe et al., ACL 2020): a file a language, of passages with the questions each answers. Pure."""

from memory_wiki.bench.material import Ask, Case, Conversation, Session, Turn
from memory_wiki.bench.node import Node


def read(name: str, top: Node) -> Case:
    """One language, by its file's name: a page a passage, titled as any text is. Raises `BadInput`."""
    sessions, asks = [], []
    for number, item in enumerate(top.items(), 1):
        id_ = str(number)
        sessions.append(Session(id_, None, (Turn(id_, "", item.get("passage").text()),)))
        asks += [Ask(asked, name, (id_,), (id_,)) for asked in item.get("questions").texts()]
    return Case(Conversation(name.replace("_", "-"), tuple(sessions), "note"), tuple(asks))
