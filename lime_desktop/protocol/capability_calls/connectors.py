"""lime.connectors: outside systems that the host is connected to."""

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.ids import EvidenceId, NonEmpty
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.connectors"

ConnectorStatus: TypeAlias = Literal[
    "connected", "read_only_projection", "requires_host_authorization", "not_connected"
]


class ListConnectorsParams(CallParams):
    """Which connectors to list."""

    kind: Maybe[NonEmpty[str]] = None
    """One of connector, cli, mcp, api, webhook, browser; all otherwise."""


class Connector(WireModel):
    """An outside system."""

    connector_id: str
    kind: str
    provider: str
    title: str
    status: ConnectorStatus
    actions: tuple[str, ...] = ()


class ListConnectorsResult(ResultValue[tuple[Connector, ...]]):
    """The connectors that the app may see."""


class ConnectorParams(CallParams):
    """The connector meant."""

    connector_id: NonEmpty[str]


class RequestConnectorAuthParams(ConnectorParams):
    """The connector to ask the person for, and why."""

    reason: Maybe[str] = Field(None, max_length=2_000)


class RequestConnectorAuthResult(WireModel):
    """How the request stands. The answer never waits for a person."""

    connector_id: str
    status: Literal["connected", "pending", "denied"]
    """`pending`: the person was asked; repeat the call to get the outcome."""


class InvokeConnectorParams(ConnectorParams):
    """The action and its input."""

    action: NonEmpty[str]
    input: JsonValue = None


class InvokeConnectorResult(WireModel):
    """What the outside system answered."""

    connector_id: str
    action: str
    output: JsonValue
    evidence_id: Maybe[EvidenceId] = None


LIST_CONNECTORS = Call(
    NAME,
    "list",
    ListConnectorsParams,
    ListConnectorsResult,
    Effect.READ,
    "What the host is connected to.",
    by="server",
)
REQUEST_CONNECTOR_AUTH = Call(
    NAME,
    "requestAuth",
    RequestConnectorAuthParams,
    RequestConnectorAuthResult,
    Effect.ASK,
    "Ask the person to connect.",
)
GET_CONNECTOR = Call(
    NAME, "getStatus", ConnectorParams, Connector, Effect.READ, "One connector.", by="server"
)
INVOKE_CONNECTOR = Call(
    NAME,
    "invoke",
    InvokeConnectorParams,
    InvokeConnectorResult,
    Effect.EXTERNAL,
    "Act in the outside system.",
)

CALLS = (LIST_CONNECTORS, REQUEST_CONNECTOR_AUTH, GET_CONNECTOR, INVOKE_CONNECTOR)
