"""The first exchange of a connection: who speaks, and what both sides can do."""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import Empty, Method, Notification, WireModel

PROTOCOL_VERSION: Literal["appserver.v0"] = "appserver.v0"


EventTypes = Annotated[
    tuple[Annotated[str, Field(min_length=1, max_length=100)], ...], Field(max_length=100)
]
"""Types of runtime events: whole ones, or how they begin and an asterisk, such as ``action.*``."""


class ClientInfo(WireModel):
    """The program on the other end."""

    name: NonEmpty[str]
    title: str | None = None
    version: str | None = None


class ClientCapabilities(WireModel):
    """What the client wants to receive. Settled once, for the life of the connection."""

    event_methods: tuple[str, ...] | None = None
    """The notifications it understands; without this, all."""
    experimental: bool = Field(
        default=False,
        validation_alias=AliasChoices("experimental", "experimentalApi", "experimental_api"),
    )
    """Whether it may call methods that can still change; at present there are none."""
    opt_out_notification_methods: tuple[str, ...] = ()
    """Notifications it never wants; exact names, unknown ones are ignored."""
    session_event_types: EventTypes | None = None
    """The types of events it hears of the sessions it names; without this, all. ``agentSession/follow``
    asks for others of one session."""
    strict_profile: bool = False
    """Leave out event types beyond the Lime profile; a cancelled turn is then ``turn.failed``."""


class InitializeParams(WireModel):
    """The client introduces itself."""

    client_info: ClientInfo
    capabilities: ClientCapabilities = Field(default_factory=ClientCapabilities)
    required_protocol: str | None = None
    """Refuse the connection unless the server speaks exactly this version."""
    app_id: NonEmpty[AppId] | None = None
    """Bind the connection to one app: it then sees nothing of any other."""
    proof: str | None = Field(default=None, repr=False)
    """Needed on a socket: the content of the server's token file; or, for a connection bound to
    ``appId``, the hexadecimal HMAC-SHA256 of that app id under the token as key, which lets the
    owner of the token admit an app without giving the token away."""


class ServerInfo(WireModel):
    """This server."""

    name: Literal["app-server"] = "app-server"
    version: str
    protocol_version: Literal["appserver.v0"] = PROTOCOL_VERSION


class Platform(WireModel):
    """Where the server runs."""

    family: Literal["desktop"] = "desktop"
    os: str


class ServerCapabilities(WireModel):
    """Which groups of methods the server answers."""

    agent_session: bool
    capability_discovery: bool
    artifact: bool
    evidence: bool
    workspace: bool = False


class InitializeResult(WireModel):
    """The server introduces itself."""

    server_info: ServerInfo
    platform: Platform
    capabilities: ServerCapabilities


INITIALIZE = Method("initialize", InitializeParams, InitializeResult)
INITIALIZED = Notification("initialized", Empty)
