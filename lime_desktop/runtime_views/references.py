"""Artifacts, evidence and diagnostics: what the work points at, and what it complained about."""

import re

from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.payload import preview, references
from lime_desktop.runtime_views.views import DiagnosticView, ReferenceView

_ABSOLUTE = re.compile(r"^([/\\~]|[A-Za-z]:|[a-z][a-z0-9+.-]*://)")


def fold_artifacts(artifacts: dict[str, ReferenceView], event: RuntimeEvent) -> None:
    """Keep each artifact at its latest version."""
    if event.type == "artifact.changed" and event.artifact_id:
        artifacts[event.artifact_id] = _reference(event.artifact_id, event)


def fold_evidence(evidence: dict[str, ReferenceView], event: RuntimeEvent) -> None:
    """Keep each piece of evidence with everything that was exported of it."""
    if event.type != "evidence.changed" or not event.evidence_id:
        return
    found = _reference(event.evidence_id, event)
    exported = (text(event, name) for name in ("packRef", "replayRef", "reviewRef"))
    before = evidence.get(event.evidence_id)
    refs = dict.fromkeys((*(before.refs if before else ()), *(ref for ref in exported if ref)))
    evidence[event.evidence_id] = found.model_copy(update={"refs": tuple(refs)})


def fold_diagnostics(diagnostics: dict[str, DiagnosticView], event: RuntimeEvent) -> None:
    """Failures, warnings and crossed boundaries, each once."""
    is_failure = event.type.endswith(".failed") and not event.type.startswith("task.")
    if is_failure or event.type in {"runtime.warning", "runtime.error", "sandbox.violation"}:
        diagnostics[event.event_id] = DiagnosticView(
            diagnostic_id=event.event_id,
            code=event.type,
            source_event_id=event.event_id,
            category=text(event, "failureCategory"),
            message=preview(event, "message", "failureCategory", "reasonCode", "code"),
            recovery_hint=preview(event, "recoveryHint"),
            turn_id=event.turn_id,
        )


def relative_path(path: str | None) -> str | None:
    """A path that means something only inside its workspace, or nothing."""
    is_inside = (
        path and not _ABSOLUTE.match(path) and ".." not in path.replace("\\", "/").split("/")
    )
    return path if is_inside else None


def _reference(key: str, event: RuntimeEvent) -> ReferenceView:
    return ReferenceView(
        id=key,
        source_event_id=event.event_id,
        title=preview(event, "title"),
        status=preview(event, "status"),
        path=relative_path(text(event, "path")),
        content_ref=text(event, "readRef", "previewRef"),
        mime_type=preview(event, "mimeType", "mediaType"),
        turn_id=event.turn_id,
        task_id=event.task_id,
        subagent_id=event.subagent_id,
        refs=references(event),
    )
