"""A JSON value that says where it stands when it is not what it should be. Pure."""

import json
from dataclasses import dataclass

from memory_wiki.errors import BadInput


@dataclass(frozen=True, slots=True)
class Node:
    """A value and where it stands, as `[0].qa[3]`; each question to it raises `BadInput` where it has no answer."""

    value: object
    where: str = ""

    @staticmethod
    def of(text: str) -> "Node":
        try:
            return Node(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise BadInput(f"it is no JSON ({error})") from None

    @property
    def is_list(self) -> bool:
        return isinstance(self.value, list)

    @property
    def is_empty(self) -> bool:
        return self.value in (None, "", [])

    def items(self) -> "list[Node]":
        if not isinstance(self.value, list):
            raise self._is_no("list")
        return [Node(item, f"{self.where}[{number}]") for number, item in enumerate(self.value)]

    def pairs(self) -> "list[tuple[str, Node]]":
        if not isinstance(self.value, dict):
            raise self._is_no("object")
        return [(str(key), Node(item, f"{self.where}.{key}")) for key, item in self.value.items()]

    def get(self, key: str) -> "Node":
        """The value of a key; that of one that is missing is null."""
        if not isinstance(self.value, dict):
            raise self._is_no("object")
        return Node(self.value.get(key), f"{self.where}.{key}")

    def text(self) -> str:
        """A string, or a number as it is written; raises for all else."""
        if isinstance(self.value, str | int | float) and not isinstance(self.value, bool):
            return str(self.value)
        raise self._is_no("text")

    def text_or_none(self) -> str:
        """The same, "" for null."""
        return "" if self.value is None else self.text()

    def texts(self) -> tuple[str, ...]:
        """A list of texts; null for none."""
        return () if self.value is None else tuple(item.text() for item in self.items())

    def _is_no(self, wanted: str) -> BadInput:
        said = json.dumps(self.value, default=str)
        shown = said if len(said) <= 60 else f"{said[:60]}…"  # noqa: PLR2004 - characters of a message
        return BadInput(f"{self.where or 'the top'} is {shown}, and should be a {wanted}")
