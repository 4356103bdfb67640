"""What becomes of an error of ours where no tool is called: one of the protocol, with what to do next."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from memory_wiki.errors import Broken, MemoryWikiError, VaultBusy
from memory_wiki.faces.mcp.mending import in_tools
from memory_wiki.faces.mcp.sound import sound


@contextmanager
def as_protocol() -> Iterator[None]:
    """Raises `MCPError` for any error of ours."""
    try:
        yield
    except MemoryWikiError as error:
        code = INTERNAL_ERROR if isinstance(error, Broken | VaultBusy) else INVALID_PARAMS
        raise MCPError(code, sound(f"{error.code}: {in_tools(error)}")) from None
