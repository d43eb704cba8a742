"""Subagents, jobs, channels, processes, artifacts and outputs: what works or was made beside the talk."""

from typing import Any

from lime_desktop.app_server.runtime_core.folds.fold import Fold, joined, mapping, number, short
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import OpenWireModel, RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text, texts
from lime_desktop.protocol.runtime.statuses import ChannelStatus, JobStatus, SubagentStatus
from lime_desktop.protocol.runtime.threads import (
    ArtifactSnapshot,
    ChannelSnapshot,
    JobSnapshot,
    ProcessSnapshot,
    SubagentSnapshot,
)

_SUBAGENT: dict[str, SubagentStatus] = {
    "subagent.completed": "completed",
    "subagent.failed": "failed",
    "subagent.closed": "cancelled",
}
_JOB: dict[str, JobStatus] = {
    "job.created": "queued",
    "job.started": "running",
    "job.completed": "completed",
    "job.failed": "failed",
    "job.cancelled": "cancelled",
}
_ENDED_JOB = frozenset({"completed", "failed", "cancelled"})
_ENDED_ITEM = frozenset({"completed", "failed", "skipped", "cancelled"})
_CHANNEL: dict[str, ChannelStatus] = {
    "channel.connected": "connected",
    "channel.disconnected": "disconnected",
    "channel.resumed": "resumed",
}
_PROCESS = {
    "process.completed": "completed",
    "process.failed": "failed",
    "process.terminated": "terminated",
}


class JobItem(OpenWireModel):
    """One item of a job."""

    job_item_id: str
    job_id: str
    status: str
    attempt_count: int = 0
    output_ref: str | None = None
    last_error: JsonObject | None = None
    started_at: str | None = None
    ended_at: str | None = None
    detail: JsonObject | None = None
    """What the owner of the job says of it: see `JobSnapshot.detail`."""


class OutputRecord(OpenWireModel):
    """Output that lives in the content store."""

    output_ref: str
    owner: str | None = None
    media_type: str | None = None
    size: int | None = None
    preview: str | None = None
    status: str = "available"


def fold_subagent(agent: SubagentSnapshot | None, event: RuntimeEvent) -> SubagentSnapshot | None:
    """Fold one event into its subagent."""
    if event.type == "subagent.spawned":
        return agent or SubagentSnapshot(
            subagent_id=event.subagent_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
            status="running",
            role=short(event, "role"),
            title=short(event, "title", "nickname"),
            task_id=event.task_id,
            parent_task_id=event.parent_task_id or text(event, "parentTaskId"),  # pyright: ignore[reportArgumentType] - an id by name
            parent_run_id=text(event, "parentRunId") or event.run_id,  # pyright: ignore[reportArgumentType] - likewise
            parent_turn_id=event.turn_id,
            child_thread_id=text(event, "childThreadId"),  # pyright: ignore[reportArgumentType] - likewise
            last_event_sequence=event.sequence,
        )
    if agent is None:
        return None
    return agent.model_copy(update=_subagent_update(agent, event))


def _subagent_update(agent: SubagentSnapshot, event: RuntimeEvent) -> dict[str, Any]:
    update: dict[str, Any] = {"last_event_sequence": event.sequence}
    if status := _SUBAGENT.get(event.type):
        # Closing what has finished does not change how it ended.
        is_over = agent.status in _SUBAGENT.values()
        update["status"] = agent.status if is_over and event.type == "subagent.closed" else status
    elif event.type == "subagent.status" and text(event, "status") in {
        "queued",
        "running",
        "waiting",
    }:
        update["status"] = text(event, "status")
    gained = {
        "channel_ids": (event.channel_id,),
        "tool_call_ids": (event.tool_call_id,),
        "artifact_refs": (event.artifact_id, *texts(event, "artifactRefs")),
        "evidence_refs": (event.evidence_id, *texts(event, "evidenceRefs")),
    }
    for name, more in gained.items():
        found = tuple(str(item) for item in more if item)
        update |= {name: joined(getattr(agent, name), found)} if found else {}
    return update


def fold_job(job: JobSnapshot | None, event: RuntimeEvent) -> JobSnapshot | None:
    """Fold one event into its job. Item events count; they never change the job's own status."""
    if event.type == "job.created":
        return job or JobSnapshot(
            job_id=event.job_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
            status="queued",
            title=short(event, "title"),
            counts=mapping(event, "counts") or {},
            created_at=event.timestamp,
            detail=_merged(None, event),
        )
    if job is None:
        return None
    update: dict[str, Any] = {}
    if event.type.startswith("job.item."):
        name = event.type.removeprefix("job.item.")
        counts = dict(job.counts or {})
        seen = counts.get(name)
        counts[name] = (seen if isinstance(seen, int) else 0) + 1
        return job.model_copy(update={"counts": counts})
    if status := _JOB.get(event.type):
        update["status"] = status
        # A failed job that is taken up again is open again.
        update["ended_at"] = event.timestamp if status in _ENDED_JOB else None
    if event.job_item_id is None:
        update["detail"] = _merged(job.detail, event)
    return job.model_copy(update=update)


def fold_job_item(item: JobItem | None, event: RuntimeEvent) -> JobItem | None:
    """Fold one event into its job item. Progress of an item says how it stands; of the whole job, nothing of an item."""
    status = event.type.removeprefix("job.item.")
    if status == event.type:
        status = event.phase or "running"
    item = item or JobItem(
        job_item_id=event.job_item_id or "", job_id=event.job_id or "", status="pending"
    )
    is_started, is_progress = status == "started", event.type == "job.progress"
    return item.model_copy(
        update={
            "status": "running" if is_started else status,
            "attempt_count": item.attempt_count + is_started,
            "output_ref": event.output_ref or text(event, "outputRef") or item.output_ref,
            # Why it waits to be tried again is still to be read then.
            "last_error": item.last_error if is_progress else mapping(event, "lastError"),
            "started_at": item.started_at or event.timestamp,
            "ended_at": event.timestamp if status in _ENDED_ITEM else None,
            "detail": _merged(item.detail, event),
        }
    )


def _merged(before: JsonObject | None, event: RuntimeEvent) -> JsonObject | None:
    """What was said before with what is said now; null takes a field back."""
    stated = mapping(event, "detail")
    if stated is None:
        return before
    merged = {**(before or {}), **stated}
    return {name: value for name, value in merged.items() if value is not None}


def fold_channel(channel: ChannelSnapshot | None, event: RuntimeEvent) -> ChannelSnapshot | None:
    """Fold one event into its channel."""
    if channel is None:
        channel = ChannelSnapshot(
            channel_id=event.channel_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
            status="connected",
            transport=short(event, "transport"),
            peer_role=short(event, "peerRole"),
            native_protocol=short(event, "nativeProtocol"),
        )
    status = _CHANNEL.get(event.type, channel.status)
    return channel.model_copy(update={"status": status, "last_seen_at": event.timestamp})


def fold_process(process: ProcessSnapshot | None, event: RuntimeEvent) -> ProcessSnapshot | None:
    """Fold one event into its process."""
    if event.type == "process.started":
        return ProcessSnapshot(
            process_id=event.process_id or "",  # pyright: ignore[reportArgumentType] - the gate saw it
            status="running",
            command_summary=short(event, "commandSummary", "command"),
        )
    if process is None:
        return None
    ref = event.output_ref or text(event, "outputRef")
    return process.model_copy(
        update={
            "status": _PROCESS.get(event.type, process.status),
            "exit_code": number(event, "exitCode"),
            "output_refs": joined(process.output_refs, (ref,) if ref else ()),
        }
    )


def fold_artifact(artifact: ArtifactSnapshot | None, event: RuntimeEvent) -> ArtifactSnapshot:
    """The latest event of an artifact is what is known of it; what it leaves out stays."""
    artifact_id = event.artifact_id or ""
    before = artifact.model_dump(exclude_defaults=True) if artifact else {}
    now = {
        "artifact_id": artifact_id,
        "artifact_ref": text(event, "artifactRef", "readRef") or f"artifact://{artifact_id}",
        "event_id": event.event_id,
        "sequence": event.sequence,
        "turn_id": event.turn_id,
        "task_id": event.task_id,
        "subagent_id": event.subagent_id,
        "kind": short(event, "kind"),
        "title": short(event, "title"),
        "path": text(event, "path"),
        "version_id": text(event, "versionId"),
        "status": short(event, "status"),
        "acceptance": text(event, "acceptance"),
        "content_ref": text(event, "contentRef", "outputRef"),
    }
    return ArtifactSnapshot.model_validate(
        {**before, **{name: value for name, value in now.items() if value is not None}}
    )


def fold_output(output: OutputRecord | None, event: RuntimeEvent) -> OutputRecord:
    """Fold one event into its output."""
    output = output or OutputRecord(output_ref=event.output_ref or "")
    status = event.type.removeprefix("output.")
    stated = {
        "owner": text(event, "owner"),
        "media_type": text(event, "mediaType"),
        "size": number(event, "size"),
        "preview": short(event, "preview"),
    }
    known = {name: value for name, value in stated.items() if value is not None}
    return output.model_copy(
        update={**known, "status": "available" if status in {"spilled", "truncated"} else status}
    )


FOLDS = (
    Fold(
        "subagent",
        SubagentSnapshot,
        ("subagent.", "channel.", "tool.started", "artifact.changed", "evidence.changed"),
        lambda event: event.subagent_id,
        fold_subagent,
    ),
    Fold("job", JobSnapshot, ("job.",), lambda event: event.job_id, fold_job),
    Fold(
        "job_item",
        JobItem,
        ("job.item.", "job.progress"),
        lambda event: event.job_item_id,
        fold_job_item,
    ),
    Fold("channel", ChannelSnapshot, ("channel.",), lambda event: event.channel_id, fold_channel),
    Fold("process", ProcessSnapshot, ("process.",), lambda event: event.process_id, fold_process),
    Fold(
        "artifact", ArtifactSnapshot, ("artifact.",), lambda event: event.artifact_id, fold_artifact
    ),
    Fold("output", OutputRecord, ("output.",), lambda event: event.output_ref, fold_output),
)
