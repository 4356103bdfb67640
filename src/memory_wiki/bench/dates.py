"""When a session was, as the datasets write it. Pure."""

from datetime import UTC, datetime

from memory_wiki.bench.node import Node
from memory_wiki.errors import BadInput

WAYS = (
    "%I:%M %p on %d %B, %Y",  # LoCoMo: 1:56 pm on 8 May, 2023
    "%Y/%m/%d (%a) %H:%M",  # LongMemEval: 2023/07/12 (Wed) 10:14
    "%B-%d-%Y",  # BEAM: March-15-2024
    "%Y-%m-%d",
)


def moment(said: Node) -> datetime | None:
    """None where nothing is said; raises `BadInput` for what is no date. No zone is named: it counts as UTC."""
    text = said.text_or_none().strip()
    if not text:
        return None
    for way in WAYS:
        try:
            return datetime.strptime(text, way).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise BadInput(f"{said.where} is {text!r}, which is no date that these datasets know")
