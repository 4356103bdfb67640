"""What can be sent: a lone surrogate, which stands for a byte that is no UTF-8, is in no message. Pure.

The protocol's writers fail on one, and with them the session of who asked.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

_LONE = re.compile("[\ud800-\udfff]")
Value = TypeVar("Value")


def sound(value: Value) -> Value:
    """The same, with U+FFFD for each lone surrogate in any text of it."""
    found: Any = value
    if isinstance(value, str):
        found = value if is_sound(value) else _LONE.sub("\N{REPLACEMENT CHARACTER}", value)
    elif isinstance(value, BaseModel):
        found = value.model_copy(update={name: sound(getattr(value, name)) for name in value.model_fields_set})
    elif isinstance(value, Mapping):
        found = {sound(key): sound(below) for key, below in value.items()}
    elif isinstance(value, list):
        found = [sound(each) for each in value]
    same: Value = found
    return same


def is_sound(value: object) -> bool:
    """Whether no text of it has a lone surrogate; `value` is as JSON gives it."""
    if isinstance(value, str):
        return value.isascii() or not _LONE.search(value)
    if isinstance(value, Mapping):
        return all(is_sound(key) and is_sound(below) for key, below in value.items())
    return not isinstance(value, list) or all(map(is_sound, value))
