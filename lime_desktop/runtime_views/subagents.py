"""Who else works on this: subagents, what was handed to them, and what they did."""

from lime_desktop.protocol.ids import SubagentId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.statuses import SubagentStatus
from lime_desktop.runtime_views.payload import MAX_ITEMS, preview, title
from lime_desktop.runtime_views.views import (
    ActivityKind,
    DelegationAction,
    DelegationCall,
    SubagentActivity,
    SubagentsView,
    SubagentThread,
)

_STATUS: dict[str, SubagentStatus] = {
    "subagent.spawned": "running",
    "subagent.completed": "completed",
    "subagent.failed": "failed",
    "subagent.closed": "cancelled",
}
_DELEGATIONS: dict[str, DelegationAction] = {
    "subagent.spawned": "spawn",
    "handoff.requested": "handoff",
    "subagent.input": "send_input",
    "subagent.closed": "close",
}
_ACTIVITIES: dict[str, ActivityKind] = {
    "subagent.spawned": "started",
    "subagent.completed": "completed",
    "subagent.failed": "failed",
    "subagent.closed": "interrupted",
    "handoff.requested": "handoff",
    "review.verdict": "review",
    "channel.message": "interacted",
    "subagent.input": "interacted",
}
_ENDED = frozenset({"completed", "failed", "cancelled"})


class SubagentViews:
    """The subagents of a session."""

    def __init__(self) -> None:
        self.threads: dict[str, SubagentThread] = {}
        self._delegations: list[DelegationCall] = []
        self._activities: list[SubagentActivity] = []

    def fold(self, event: RuntimeEvent) -> None:
        """Take in one event that names a subagent."""
        subagent_id = event.subagent_id
        # The other name of an event that was already told.
        if subagent_id is None or event.type == "subagent.started":
            return
        self._fold_thread(subagent_id, event)
        self._note(subagent_id, event)

    def view(self) -> SubagentsView:
        """Everybody, and how each stands."""
        threads = tuple(self.threads.values())
        return SubagentsView(
            has_subagents=bool(threads),
            threads=threads,
            delegation_calls=tuple(self._delegations),
            activities=tuple(self._activities),
            active_thread_ids=tuple(t.subagent_id for t in threads if t.status not in _ENDED),
            completed_thread_ids=tuple(t.subagent_id for t in threads if t.status == "completed"),
            failed_thread_ids=tuple(t.subagent_id for t in threads if t.status == "failed"),
        )

    def _fold_thread(self, subagent_id: SubagentId, event: RuntimeEvent) -> None:
        before = self.threads.get(subagent_id)
        if not event.type.startswith("subagent."):
            return
        if before is None:
            before = SubagentThread(
                subagent_id=subagent_id,
                status="running",
                role=preview(event, "role"),
                title=preview(event, "title", "nickname"),
                task_id=event.task_id,
                parent_task_id=event.parent_task_id,
            )
        self.threads[subagent_id] = before.model_copy(update={"status": _status(before, event)})

    def _note(self, subagent_id: SubagentId, event: RuntimeEvent) -> None:
        ids = {"event_id": event.event_id, "subagent_id": subagent_id, "at": event.timestamp}
        if action := _DELEGATIONS.get(event.type):
            self._delegations.append(DelegationCall.model_validate({**ids, "action": action}))
        kind = _ACTIVITIES.get(event.type, "updated")
        noted = SubagentActivity.model_validate({**ids, "kind": kind, "title": title(event)})
        self._activities.append(noted)
        del self._activities[:-MAX_ITEMS], self._delegations[:-MAX_ITEMS]


def _status(thread: SubagentThread, event: RuntimeEvent) -> SubagentStatus:
    if event.type == "subagent.closed" and thread.status in _ENDED:
        return thread.status
    if event.type == "subagent.status":
        said = event.status or text(event, "status")
        words: dict[str | None, SubagentStatus] = {"waiting": "waiting", "running": "running"}
        return words.get(said, thread.status)
    return _STATUS.get(event.type, thread.status)
