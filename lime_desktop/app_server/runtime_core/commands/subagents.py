"""subagent/*: agents that work for a session, and on which task. Facts only."""

from collections.abc import Sequence

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.commands.named_records import (
    list_records,
    record_after,
    require,
    without_nothing,
)
from lime_desktop.app_server.runtime_core.commands.task_facts import edge, find_task, with_reason
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Decide, Journal, SessionView
from lime_desktop.protocol.calls.subagents import (
    ListSubagentsParams,
    ListSubagentsResult,
    ReportSubagentParams,
    SpawnSubagentParams,
    SubagentInputParams,
    SubagentParams,
    SubagentResult,
)
from lime_desktop.protocol.errors import Conflict
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import SubagentSnapshot


class SubagentCommands:
    """Agents that work for a session."""

    def __init__(self, journal: Journal):
        self._journal = journal

    async def spawn(self, params: SpawnSubagentParams, context: CallContext) -> SubagentResult:
        """Record a subagent and the edge to the task it works on."""
        subagent_id = params.subagent_id or new_id("subagent")
        said = params.to_wire()
        names = ("role", "title", "nickname", "parentTaskId", "parentRunId", "childThreadId")
        payload: JsonObject = {
            name: said[name] for name in (*names, "isolation", "modelPolicy") if name in said
        }

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            find_task(view, params.task_id)
            if view.get("subagent", subagent_id):
                raise Conflict("A subagent of this id exists.")
            return [
                fact(
                    "subagent.spawned",
                    subagent_id=subagent_id,
                    task_id=params.task_id,
                    parent_task_id=params.parent_task_id,
                    turn_id=params.parent_turn_id,
                    trace_id=context.trace_id or None,
                    payload=payload,
                ),
                edge(params.task_id, "spawned_subagent", subagent_id),
            ]

        return await self._after(params.session_id, subagent_id, decide)

    async def send_input(self, params: SubagentInputParams, context: CallContext) -> SubagentResult:
        """Record what a subagent was told."""
        del context
        return await self._tell(
            params.session_id, params.subagent_id, "subagent.input", {"text": params.text}
        )

    async def report(self, params: ReportSubagentParams, context: CallContext) -> SubagentResult:
        """Record how a subagent stands, or how it ended."""
        del context
        ends: dict[str, EventType] = {
            "completed": "subagent.completed",
            "failed": "subagent.failed",
            "cancelled": "subagent.closed",
        }
        payload = without_nothing(
            {
                "status": params.status,
                "message": params.message,
                "failureCategory": params.failure_category,
                "artifactRefs": list(params.artifact_refs),
                "evidenceRefs": list(params.evidence_refs),
            }
        )
        event_type = ends.get(params.status, "subagent.status")
        return await self._tell(params.session_id, params.subagent_id, event_type, payload)

    async def close(self, params: SubagentParams, context: CallContext) -> SubagentResult:
        """Record that nobody listens to it any more."""
        del context
        why = with_reason({}, params.reason)
        return await self._tell(params.session_id, params.subagent_id, "subagent.closed", why)

    async def list(self, params: ListSubagentsParams, context: CallContext) -> ListSubagentsResult:
        """Everybody, or the descendants of one task."""
        del context
        found = await list_records(self._journal, params.session_id, SubagentSnapshot, "subagent")
        if params.parent_task_id is None:
            return ListSubagentsResult(subagents=found)
        tasks, below = {params.parent_task_id}, list[SubagentSnapshot]()
        for agent in found:  # oldest first, so that parents come before their children
            if agent.parent_task_id in tasks:
                below.append(agent)
                tasks |= {agent.task_id} if agent.task_id else set()
        return ListSubagentsResult(subagents=tuple(below))

    async def _tell(
        self, session_id: str, subagent_id: str, event_type: EventType, payload: JsonObject
    ) -> SubagentResult:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            agent = require(view, SubagentSnapshot, "subagent", subagent_id)
            return [
                fact(event_type, subagent_id=subagent_id, task_id=agent.task_id, payload=payload)
            ]

        return await self._after(session_id, subagent_id, decide)

    async def _after(self, session_id: str, subagent_id: str, decide: Decide) -> SubagentResult:
        found = await record_after(
            self._journal, session_id, decide, SubagentSnapshot, "subagent", subagent_id
        )
        return SubagentResult(subagent=found)
