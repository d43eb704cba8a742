"""Incidents (the work went wrong) and diagnostics (the runtime has something to say). Kept apart."""

from lime_desktop.app_server.runtime_core.folds.fold import Fold, short
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.threads import Diagnostic, Incident

_INCIDENTS = (
    "tool.failed",
    "model.failed",
    "turn.failed",
    "process.failed",
    "subagent.failed",
    "job.failed",
    "hook.failed",
    "task.lost",
    "task.timed_out",
    "sandbox.violation",
    "routing.not_possible",
    "quota.blocked",
    "runtime.error",
)
_DIAGNOSTICS = ("runtime.warning", "snapshot.repaired", "output.expired", "history.reconstructed")


def fold_incident(_incident: Incident | None, event: RuntimeEvent) -> Incident | None:
    """Every incident is its own record; a cancellation is none."""
    category = text(event, "failureCategory", "errorCategory", "reasonCode")
    if category == "cancelled":
        return None
    return Incident(
        event_id=event.event_id,
        kind=event.type,
        at=event.timestamp,
        failure_category=category,
        message=short(event, "message", "error"),
        recovery_hint=short(event, "recoveryHint"),
        turn_id=event.turn_id,
        tool_call_id=event.tool_call_id,
    )


def fold_diagnostic(_diagnostic: Diagnostic | None, event: RuntimeEvent) -> Diagnostic:
    """Every remark is its own record."""
    return Diagnostic(
        event_id=event.event_id,
        code=text(event, "code", "reason") or event.type,
        message=short(event, "message"),
        at=event.timestamp,
        diagnostics_ref=text(event, "diagnosticsRef"),
    )


FOLDS = (
    Fold("incident", Incident, _INCIDENTS, lambda event: event.event_id, fold_incident),
    Fold("diagnostic", Diagnostic, _DIAGNOSTICS, lambda event: event.event_id, fold_diagnostic),
)
