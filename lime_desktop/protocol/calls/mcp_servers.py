"""mcpServer/*: the tool servers that a person set up on this machine."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from lime_desktop.file_names import is_plain_name
from lime_desktop.network.hosts import is_near
from lime_desktop.protocol.errors import UnfitValue
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.payload_rules import is_key_like
from lime_desktop.protocol.wire import Empty, HostOnlyParams, Method, SecretText, WireModel

SERVER_ID = r"^[a-z0-9][a-z0-9_-]{0,31}$"


def _is_folder(server_id: str) -> str:
    if not is_plain_name(server_id):
        raise UnfitValue("not the name of a folder on every system")
    return server_id


ServerId: TypeAlias = Annotated[str, Field(pattern=SERVER_ID), AfterValidator(_is_folder)]
"""Its folder has this name."""


HiddenKind = Literal["variable", "header"]
_HIDDEN_NAME = Field(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9_-]+$")


class HiddenValue(WireModel):
    """Something that a server is shown and that is written nowhere: only its name, and where it is kept."""

    kind: HiddenKind
    """``variable``: in the environment of a program; ``header``: with every request to an address."""
    name: str = _HIDDEN_NAME
    ref: str = Field(pattern=r"^secret://", max_length=200)


class GivenValue(WireModel):
    """The same, on its way from a person to where it is kept."""

    kind: HiddenKind
    name: str = _HIDDEN_NAME
    value: SecretText

    @model_validator(mode="after")
    def _fits_its_place(self) -> Self:
        forbidden = "\r\n\0" if self.kind == "header" else "\0"
        if set(forbidden) & set(self.value.get_secret_value()):
            message = "the value cannot be sent as it is"
            raise UnfitValue(message)
        return self


class McpServerSettings(WireModel):
    """How a tool server is reached: started here, or already running somewhere."""

    server_id: ServerId
    """Its name here; apps name it in an integration's `adapter.server`."""
    title: str | None = Field(default=None, max_length=200)
    aliases: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field(
        default=(), max_length=20
    )
    """Other names by which apps may call it, as their authors wrote them."""
    command: tuple[str, ...] = Field(default=(), max_length=100)
    """The program and its arguments; no shell reads them. Empty for a server with a `url`."""
    folder: str | None = None
    """Where the program runs; our own place for it otherwise."""
    variables: dict[str, str] = Field(default_factory=dict)
    """Environment variables of its own. Nothing that is named like a secret is taken."""
    url: str | None = Field(default=None, pattern=r"^https?://", max_length=2_000)
    """The address of a server that speaks streamable HTTP."""
    hidden: tuple[HiddenValue, ...] = Field(default=(), max_length=20)
    """What it is shown besides, such as a key."""
    is_enabled: bool = True

    @model_validator(mode="after")
    def _is_reached_in_one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            message = "a server has either a command or a url"
            raise UnfitValue(message)
        if any(map(is_key_like, self.variables)):
            message = "a variable is named like a secret"
            raise UnfitValue(message)
        return self

    @model_validator(mode="after")
    def _hides_what_arrives_hidden(self) -> Self:
        kind = "header" if self.url else "variable"
        if any(each.kind != kind for each in self.hidden):
            message = "a program is shown variables, and an address headers"
            raise UnfitValue(message)
        if self.hidden and (self.url or "").startswith("http://") and not is_near(self.url or ""):
            message = "a secret would travel unencrypted: use https"
            raise UnfitValue(message)
        return self


class McpToolSummary(WireModel):
    """A tool of a server."""

    name: str
    """As the server calls it."""
    tool_name: str
    """As an agent calls it."""
    description: str = ""
    input_schema: JsonObject = Field(default_factory=dict)
    is_read_only: bool = False
    is_destructive: bool = False
    unavailable_reason: str | None = None


class McpServerStatus(WireModel):
    """A server as it is now."""

    settings: McpServerSettings
    state: Literal["stopped", "starting", "running", "down", "disabled"]
    """``stopped``: nobody has needed it yet; ``down``: it failed, and is tried again."""
    reason: str | None = None
    restarts: int = 0
    server_name: str | None = None
    server_version: str | None = None
    protocol_version: str | None = None
    tools: tuple[McpToolSummary, ...] = ()


class ListMcpServersParams(HostOnlyParams):
    """Ask for every server that is set up."""


class ListMcpServersResult(WireModel):
    """The servers, in the order of their names."""

    servers: tuple[McpServerStatus, ...]


class AddMcpServerParams(HostOnlyParams):
    """Set a server up, or change one; it is started when it is first needed."""

    settings: McpServerSettings
    values: tuple[GivenValue, ...] = Field(default=(), max_length=20)
    """Kept as secrets, and named in the settings from then on."""


class McpServerResult(WireModel):
    """The server as it now is."""

    server: McpServerStatus


class RemoveMcpServerParams(HostOnlyParams):
    """Stop and forget a server."""

    server_id: ServerId


class TryMcpServerParams(HostOnlyParams):
    """Start a server if need be, and see what it offers."""

    server_id: ServerId


LIST_MCP_SERVERS = Method("mcpServer/list", ListMcpServersParams, ListMcpServersResult)
ADD_MCP_SERVER = Method("mcpServer/add", AddMcpServerParams, McpServerResult)
REMOVE_MCP_SERVER = Method("mcpServer/remove", RemoveMcpServerParams, Empty)
TEST_MCP_SERVER = Method("mcpServer/test", TryMcpServerParams, McpServerResult)
