"""Which tool servers are set up: one small file, written whole, read again whenever it has changed.

A file and not a database: `lime-desktop mcp` may change it while an App Server runs.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from lime_desktop.app_server.durable_files import write_durably
from lime_desktop.database.failures import catalogued
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
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise catalogued(error) from error
        try:
            servers = _Document.model_validate_json(text).servers
        except ValidationError:
            raise DatabaseDamaged(f"{FILE_NAME} cannot be read. Repair or remove it.") from None
        return tuple(sorted(servers, key=lambda each: each.server_id))

    def put(self, settings: McpServerSettings) -> None:
        """Set a server up, or change one."""
        others = [each for each in self.all() if each.server_id != settings.server_id]
        if len(others) >= MAX_SERVERS:
            raise Conflict(f"{MAX_SERVERS} tool servers are set up already.")
        self._write((*others, settings))

    def remove(self, server_id: str) -> bool:
        """Forget a server; tells whether there was one."""
        before = self.all()
        left = tuple(each for each in before if each.server_id != server_id)
        if len(left) == len(before):
            return False
        self._write(left)
        return True

    def _write(self, servers: tuple[McpServerSettings, ...]) -> None:
        document = _Document(servers=servers)
        text = document.model_dump_json(by_alias=True, exclude_none=True, indent=2)
        try:
            write_durably(self._path, text.encode())
        except OSError as error:
            raise catalogued(error) from error
