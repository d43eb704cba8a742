"""What a run tells of a deliverable that was kept in it. Pure."""

from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent


def artifact_changed(kept: StoredArtifact) -> ProposedEvent:
    """A version was kept: which one, of what, and where its bytes are."""
    payload: JsonObject = {
        "kind": kept.kind,
        "title": kept.title,
        "versionId": str(kept.version),
        "contentRef": kept.content_ref,
        "mediaType": kept.media_type,
        "status": "created" if kept.version == 1 else "updated",
    }
    return ProposedEvent(type="artifact.changed", artifact_id=kept.artifact_id, payload=payload)
