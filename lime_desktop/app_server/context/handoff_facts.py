"""The facts of work that one agent hands to another: a task, a subagent and a channel of its own, with their edges. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.tooling import ToolCall
from lime_desktop.protocol.ids import (
    ActionId,
    ChannelId,
    JsonObject,
    RunId,
    SubagentId,
    TaskId,
    TurnId,
)
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent

_TITLE_CHARACTERS = 200
_OBJECTIVE_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class HandOff:
    """One piece of work on its way from an agent to another. Its ids follow from the call: the same in every process."""

    parent: TurnRequest
    call: ToolCall
    role: str
    objective: str

    @property
    def subagent_id(self) -> SubagentId:
        """The agent that does it."""
        return SubagentId(f"subagent:{self.call.call_id}")

    @property
    def task_id(self) -> TaskId:
        """What it is to do."""
        return TaskId(f"{self.parent.task_id}:{self.call.call_id}")

    @property
    def run_id(self) -> RunId:
        """Its one attempt at it."""
        return RunId(f"{self.parent.run_id}:{self.call.call_id}")

    @property
    def channel_id(self) -> ChannelId:
        """What the two speak by."""
        return ChannelId(f"channel:{self.call.call_id}")

    def begun(self) -> Sequence[ProposedEvent]:
        """The task is made and handed on, and somebody takes it up."""
        said: JsonObject = {"role": self.role, "title": self._title}
        made: JsonObject = {
            "title": self._title,
            "objective": self.objective[:_OBJECTIVE_CHARACTERS],
        }
        kind: JsonObject = {"taskKind": "subagent", "assignee": {"subagentId": self.subagent_id}}
        edge: JsonObject = {"kind": "child", "targetId": self.task_id, "role": self.role}
        return (
            self._fact("task.created", made).model_copy(update={"task": kind}),
            self._fact("task.accepted", {"role": self.role}),
            ProposedEvent(type="task.delegated", task_id=TaskId(self.parent.task_id), payload=edge),
            self._fact("subagent.spawned", said),
            self._fact("channel.connected", {"transport": "in_process", "peerRole": self.role}),
            self._fact("handoff.requested", {**said, "fromTaskId": self.parent.task_id}),
            self._fact("channel.message", {"direction": "to_subagent", "preview": self._title}),
            self._fact("subagent.input", {"preview": self._title}),
            self._fact("task.started", {"status": "running"}),
            self._fact("task.attempt.started", {"status": "running"}),
        )

    def own(self, event: ProposedEvent) -> ProposedEvent:
        """A fact of its work, told within its parent's turn under its own names."""
        return event.model_copy(
            update={
                "subagent_id": self.subagent_id,
                "task_id": self.task_id,
                "run_id": self.run_id,
                "parent_task_id": TaskId(self.parent.task_id),
            }
        )

    def asks(self, action_id: ActionId) -> Sequence[ProposedEvent]:
        """It waits for a person, whom its parent's turn asks."""
        waits: JsonObject = {"waitsFor": "permission", "requiredActionIds": [action_id]}
        return (
            self._fact("channel.permission_forwarded", {"actionId": action_id}),
            self._fact("task.waiting", waits),
            self._fact("subagent.status", {"status": "waiting"}),
        )

    def answered(self, action_id: ActionId) -> Sequence[ProposedEvent]:
        """It has its answer and goes on."""
        return (
            self._fact("channel.permission_returned", {"actionId": action_id}),
            self._fact("task.resumed", {"status": "running"}),
            self._fact("subagent.status", {"status": "running"}),
        )

    def progressed(self, tool_calls: int) -> ProposedEvent:
        """It has come one tool further."""
        progress: JsonObject = {"phase": "working", "counters": {"toolCalls": tool_calls}}
        fact = self._fact("task.progress", {"toolCalls": tool_calls})
        return fact.model_copy(update={"task_progress": progress})

    def done(self) -> Sequence[ProposedEvent]:
        """It is done, and the work goes back."""
        ended: JsonObject = {"status": "completed"}
        return (
            self._fact("task.attempt.completed", ended),
            self._fact("task.completed", ended),
            self._fact("subagent.completed", {**ended, "role": self.role}),
            *self._over("completed"),
        )

    def failed(self, failure: JsonObject) -> Sequence[ProposedEvent]:
        """It could not be done."""
        ended: JsonObject = {**failure, "status": "failed"}
        return (
            self._fact("task.attempt.failed", ended),
            self._fact("task.failed", ended),
            self._fact("subagent.failed", ended),
            *self._over("failed"),
        )

    def _over(self, status: str) -> Sequence[ProposedEvent]:
        back: JsonObject = {"status": status, "toTaskId": self.parent.task_id}
        return (
            self._fact("channel.message", {"direction": "to_parent", "status": status}),
            self._fact("handoff.completed", back),
            self._fact("channel.disconnected", {"reason": status}),
        )

    @property
    def _title(self) -> str:
        return self.objective[:_TITLE_CHARACTERS]

    def _fact(self, event_type: EventType, payload: JsonObject) -> ProposedEvent:
        parent = self.parent.task_id
        edge: JsonObject = {"parentTaskId": parent, "parentToolCallId": self.call.call_id}
        # A channel belongs to no turn by itself: RuntimeCore would leave the turn out.
        return ProposedEvent(
            type=event_type,
            turn_id=TurnId(self.parent.turn_id),
            subagent_id=self.subagent_id,
            task_id=self.task_id,
            run_id=self.run_id,
            parent_task_id=TaskId(parent),
            root_task_id=TaskId(parent),
            channel_id=self.channel_id if event_type.startswith("channel.") else None,
            payload={**edge, **payload},
        )
