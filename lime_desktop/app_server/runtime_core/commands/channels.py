"""channel/*: connections to peers outside. Facts only."""

from collections.abc import Sequence
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.commands.named_records import (
    list_records,
    record_after,
    require,
    without_nothing,
)
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Decide, Journal, SessionView
from lime_desktop.protocol.calls.channels import (
    ChannelMessageParams,
    ChannelResult,
    ConnectChannelParams,
    DisconnectChannelParams,
    ListChannelsParams,
    ListChannelsResult,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import ChannelSnapshot


class ChannelCommands:
    """Connections to peers. Losing one is neither an end nor a failure."""

    def __init__(self, journal: Journal):
        self._journal = journal

    async def connect(self, params: ConnectChannelParams, context: CallContext) -> ChannelResult:
        """Record a connection, or that a lost one is back."""
        channel_id = params.channel_id or new_id("channel")
        said = params.to_wire()
        payload: JsonObject = {
            name: value
            for name, value in said.items()
            if name in {"transport", "peerRole", "capabilities", "nativeProtocol"}
        }

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            known = view.get("channel", channel_id)
            event_type: EventType = "channel.resumed" if known else "channel.connected"
            ids: dict[str, Any] = {"channel_id": channel_id, "task_id": params.task_id}
            return [fact(event_type, payload=payload, trace_id=context.trace_id or None, **ids)]

        return await self._after(params.session_id, channel_id, decide)

    async def record(self, params: ChannelMessageParams, context: CallContext) -> ChannelResult:
        """Record what a peer said. It is a message, never an output."""
        del context
        kinds: dict[str, EventType] = {
            "message": "channel.message",
            "permission_forwarded": "channel.permission_forwarded",
            "permission_returned": "channel.permission_returned",
        }
        payload = without_nothing(
            {
                "content": params.content,
                "remoteTaskId": params.remote_task_id,
                "remoteContextId": params.remote_context_id,
            }
        )
        ids: dict[str, Any] = {"channel_id": params.channel_id, "action_id": params.action_id}

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            require(view, ChannelSnapshot, "channel", params.channel_id)
            return [fact(kinds[params.kind], payload=payload, **ids)]

        return await self._after(params.session_id, params.channel_id, decide)

    async def disconnect(
        self, params: DisconnectChannelParams, context: CallContext
    ) -> ChannelResult:
        """Record the loss of a connection."""
        del context
        payload = without_nothing({"reason": params.reason, "cursor": params.cursor})

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            require(view, ChannelSnapshot, "channel", params.channel_id)
            return [fact("channel.disconnected", channel_id=params.channel_id, payload=payload)]

        return await self._after(params.session_id, params.channel_id, decide)

    async def list(self, params: ListChannelsParams, context: CallContext) -> ListChannelsResult:
        """Every channel."""
        del context
        return ListChannelsResult(
            channels=await list_records(
                self._journal, params.session_id, ChannelSnapshot, "channel"
            )
        )

    async def _after(self, session_id: str, channel_id: str, decide: Decide) -> ChannelResult:
        found = await record_after(
            self._journal, session_id, decide, ChannelSnapshot, "channel", channel_id
        )
        return ChannelResult(channel=found)
