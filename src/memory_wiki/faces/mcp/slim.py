"""A tool's schema without what tells a model nothing: every client sends all of them with each session. Pure."""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]
_EMPTY = ("", 0, False, None)
_HOLDS_NAMES = {"properties", "$defs"}  # whose keys are names, and no words of the schema


def slim(schema: Mapping[str, Any]) -> Schema:
    """Without titles, and without defaults that an absent argument means anyway; `anyOf` with null is its other arm."""
    found = {key: _slim_below(key, value) for key, value in schema.items() if key != "title"}
    if "default" in found and (found["default"] in _EMPTY or not found["default"]):
        del found["default"]
    arms = [arm for arm in found.get("anyOf", ()) if arm != {"type": "null"}]
    if len(arms) == 1:
        del found["anyOf"]
        found = {**arms[0], **found}
    return found


def _slim_below(key: str, value: Any) -> Any:  # noqa: ANN401 - JSON
    if key in _HOLDS_NAMES and isinstance(value, dict):
        return {name: slim(below) for name, below in value.items()}
    if isinstance(value, dict):
        return slim(value)
    if isinstance(value, list):
        return [slim(each) if isinstance(each, dict) else each for each in value]
    return value
