"""channel: connections to peers outside, as facts. Experimental."""

from typing import Literal, TypeAlias

from pydantic import Field

from lime_desktop.protocol.ids import ActionId, ChannelId, JsonObject, NonEmpty, SessionId, TaskId
from lime_desktop.protocol.runtime.threads import ChannelSnapshot
from lime_desktop.protocol.wire import Method, WireModel

ChannelTransport: TypeAlias = Literal[
    "websocket", "sse", "json_rpc", "grpc", "http_json", "stdio", "in_process", "custom"
]
PeerRole: TypeAlias = Literal[
    "client", "host", "worker", "remote_runtime", "peer_agent", "tool_server"
]


class ConnectChannelParams(WireModel):
    """Record a connection. With the id of a lost one, it is resumed."""

    session_id: NonEmpty[SessionId]
    channel_id: NonEmpty[ChannelId] | None = None
    transport: ChannelTransport
    peer_role: PeerRole
    capabilities: tuple[str, ...] = ()
    native_protocol: str | None = None
    task_id: NonEmpty[TaskId] | None = None


class ChannelMessageParams(WireModel):
    """Record a message of the peer, or a permission question carried for it."""

    session_id: NonEmpty[SessionId]
    channel_id: NonEmpty[ChannelId]
    kind: Literal["message", "permission_forwarded", "permission_returned"] = "message"
    action_id: NonEmpty[ActionId] | None = None
    remote_task_id: str | None = None
    remote_context_id: str | None = None
    content: JsonObject = Field(default_factory=dict)


class DisconnectChannelParams(WireModel):
    """Record the loss of a connection, which is neither an end nor a failure of the work."""

    session_id: NonEmpty[SessionId]
    channel_id: NonEmpty[ChannelId]
    reason: str | None = Field(default=None, max_length=2_000)
    cursor: str | None = None


class ListChannelsParams(WireModel):
    """List a session's channels."""

    session_id: NonEmpty[SessionId]


class ChannelResult(WireModel):
    """The channel as it now stands."""

    channel: ChannelSnapshot


class ListChannelsResult(WireModel):
    """All of them."""

    channels: tuple[ChannelSnapshot, ...]


CONNECT_CHANNEL = Method("channel/connect", ConnectChannelParams, ChannelResult)
RECORD_CHANNEL_MESSAGE = Method("channel/message", ChannelMessageParams, ChannelResult)
DISCONNECT_CHANNEL = Method("channel/disconnect", DisconnectChannelParams, ChannelResult)
LIST_CHANNELS = Method("channel/list", ListChannelsParams, ListChannelsResult)
