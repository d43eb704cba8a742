"""Which tool servers are set up: one small file, written whole, read again whenever it has changed.

A file and not a database: `lime-desktop mcp` may change it while an App Server runs.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from lime_desktop.durable_files.changing import change_file, read_file
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.errors import Conflict, DatabaseDamaged

FILE_NAME = "mcp-servers.json"
MAX_SERVERS = 64


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int = 1
    servers: tuple[McpServerSettings, ...] = ()


class McpServerStore:
    """The file. Every call touches the disk, for a moment."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / FILE_NAME

    def all(self) -> tuple[McpServerSettings, ...]:
        """Every server, in the order of their names.

        Raises:
            DatabaseDamaged: the file is not what we wrote.
        """
        return _servers(read_file(self._path))

    def put(self, settings: McpServerSettings) -> None:
        """Set a server up, or change one."""

        def with_this(body: bytes | None) -> tuple[bytes, None]:
            others = [each for each in _servers(body) if each.server_id != settings.server_id]
            if len(others) >= MAX_SERVERS:
                raise Conflict(f"{MAX_SERVERS} tool servers are set up already.")
            return _written((*others, settings)), None

        change_file(self._path, with_this)

    def remove(self, server_id: str) -> bool:
        """Forget a server; tells whether there was one."""

        def without(body: bytes | None) -> tuple[bytes | None, bool]:
            before = _servers(body)
            left = tuple(each for each in before if each.server_id != server_id)
            was_there = len(left) < len(before)
            return (_written(left) if was_there else None), was_there

        return change_file(self._path, without)


def _servers(body: bytes | None) -> tuple[McpServerSettings, ...]:
    if body is None:
        return ()
    try:
        servers = _Document.model_validate_json(body).servers
    except ValidationError:
        raise DatabaseDamaged(f"{FILE_NAME} cannot be read. Repair or remove it.") from None
    return tuple(sorted(servers, key=lambda each: each.server_id))


def _written(servers: tuple[McpServerSettings, ...]) -> bytes:
    document = _Document(servers=servers)
    return document.model_dump_json(by_alias=True, exclude_none=True, indent=2).encode()
