"""agentTraffic/*: what left this machine by an app's agents, for people to look through."""

from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel


class PlaceTraffic(WireModel):
    """Everything between an app's agents and one host: a model provider's, or a tool server's."""

    host: str
    requests: int
    bytes_sent: int
    """As sent to a model; to a tool server, what the calls themselves say."""
    bytes_received: int


class ReadAgentTrafficParams(HostOnlyParams):
    """What did an app's agents send, and where?"""

    app_id: NonEmpty[AppId]


class ReadAgentTrafficResult(WireModel):
    """Where it went, the most first. What stays on this machine is not among it."""

    places: tuple[PlaceTraffic, ...]
    programs: tuple[str, ...]
    """External agents and tool servers of this machine that worked for the app: what they send is not counted."""


READ_AGENT_TRAFFIC = Method("agentTraffic/read", ReadAgentTrafficParams, ReadAgentTrafficResult)
