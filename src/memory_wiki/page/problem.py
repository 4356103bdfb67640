"""What is wrong with a page, as a value: parsing never raises, it reports."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a page; `message` says what to do, `line` is 1-based in the file."""

    code: str
    message: str
    line: int | None = None
    level: Literal["error", "warning"] = "error"
