"""ToolGroup: calls with their previews, gathered into the groups in which they were made."""

from typing import Any

import msgspec

from lime_desktop.protocol.ids import ToolCallId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text, texts
from lime_desktop.protocol.runtime.statuses import ToolCallStatus
from lime_desktop.runtime_views.payload import PREVIEW_CHARACTERS, mapping, number, preview
from lime_desktop.runtime_views.views import ToolCallView, ToolFamily, ToolGroup

_FAMILY_BY_WORD: tuple[tuple[str, ToolFamily], ...] = (
    ("mcp", "mcp"),
    ("web_search", "webSearch"),
    ("websearch", "webSearch"),
    ("fetch", "webFetch"),
    ("browser", "browser"),
    ("skill", "skill"),
    ("shell", "command"),
    ("command", "command"),
    ("terminal", "command"),
    ("file", "file"),
    ("read", "file"),
    ("write", "file"),
    ("patch", "file"),
    ("", "tool"),
)
_LOUDEST_FIRST: tuple[ToolCallStatus, ...] = (
    "waiting",
    "running",
    "pending",
    "failed",
    "cancelled",
    "completed",
)
"""A group stands where the call stands that most needs to be seen."""


class ToolViews:
    """Calls by id, and groups in the order of their first call."""

    def __init__(self) -> None:
        self.calls: dict[str, ToolCallView] = {}
        self._groups: list[list[ToolCallId]] = []
        self._open_turn: str | None = None
        """The turn whose last group still grows."""

    def fold(self, event: RuntimeEvent) -> None:
        """Take in one event."""
        if event.type in {"model.delta", "model.completed", "turn.started"}:
            self._open_turn = None
        elif event.type == "tool.started":
            self._start(event)
        elif event.tool_call_id in self.calls:
            call = self.calls[event.tool_call_id]
            self.calls[event.tool_call_id] = call.model_copy(update=_update(event))

    def restore(self, call: ToolCallView) -> None:
        """Take over a call from a read model; one that was not seen before is a group of its own."""
        if call.tool_call_id not in self.calls:
            self._groups.append([call.tool_call_id])
        self.calls[call.tool_call_id] = call

    def groups(self) -> tuple[ToolGroup, ...]:
        """The groups as they stand."""
        return tuple(self._group(ids) for ids in self._groups)

    def servers(self) -> dict[str, Any]:
        """Which MCP servers were called, and by which calls."""
        found: dict[str, Any] = {}
        for call in self.calls.values():
            parts = (call.tool_name or "").split("__")
            if len(parts) > 2 and parts[0] == "mcp":
                found.setdefault(parts[1], []).append(call.tool_call_id)
        return found

    def _start(self, event: RuntimeEvent) -> None:
        call_id = event.tool_call_id or ToolCallId("")
        is_new = call_id not in self.calls
        name = preview(event, "toolName")
        self.calls[call_id] = ToolCallView(
            tool_call_id=call_id,
            status="running",
            step_id=event.step_id,
            turn_id=event.turn_id,
            subagent_id=event.subagent_id,
            tool_name=name,
            family=_family(name or ""),
            input_summary=preview(event, "title", "inputSummary") or _arguments(event),
            started_at=event.timestamp,
        )
        if is_new and self._open_turn == event.turn_id and self._groups:
            self._groups[-1].append(call_id)
        elif is_new:
            self._groups.append([call_id])
        self._open_turn = event.turn_id

    def _group(self, ids: list[ToolCallId]) -> ToolGroup:
        calls = [self.calls[call_id] for call_id in ids]
        words = {call.status for call in calls}
        status = next(filter(words.__contains__, _LOUDEST_FIRST))
        return ToolGroup(
            group_id=f"tools:{ids[0]}",
            turn_id=calls[0].turn_id,
            status=status,
            tool_call_ids=tuple(ids),
        )


def _update(event: RuntimeEvent) -> dict[str, Any]:
    update: dict[str, Any] = {}
    match event.type:
        case "tool.args":
            update = {"input_summary": _arguments(event)} if _arguments(event) else {}
        case "tool.progress":
            update = {"progress": number(event, "progress"), "total": number(event, "total")}
        case "action.required":
            update = {"status": "waiting", "permission_action_id": event.action_id}
        case "action.resolved":
            update = {"status": "running"}
        case "tool.result":
            update = {"status": "completed", "completed_at": event.timestamp, **_output(event)}
        case "tool.failed":
            update = _failure(event)
        case _:
            pass
    return update


def _failure(event: RuntimeEvent) -> dict[str, Any]:
    category = text(event, "failureCategory")
    return {
        "status": "cancelled" if category == "cancelled" else "failed",
        "completed_at": event.timestamp,
        "failure_category": category,
        "error_preview": preview(event, "message", "error"),
        **_output(event),
    }


def _output(event: RuntimeEvent) -> dict[str, Any]:
    return {
        "output_preview": preview(event, "displayPreview", "preview", "output"),
        "output_ref": event.output_ref or text(event, "outputRef", "rawOutputRef"),
        "artifact_refs": texts(event, "artifactRefs"),
        "evidence_refs": texts(event, "evidenceRefs"),
    }


def _arguments(event: RuntimeEvent) -> str | None:
    arguments = mapping(event, "safeArgs")
    return msgspec.json.encode(arguments).decode()[:PREVIEW_CHARACTERS] if arguments else None


def _family(name: str) -> ToolFamily:
    lower = name.lower()
    return next(family for word, family in _FAMILY_BY_WORD if word in lower)
