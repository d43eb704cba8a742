"""A verdict in the words of the runtime: evidence for each gate, a reviewer's verdict, and how the artifact stands. Pure."""

from collections.abc import Iterator

from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.protocol.acceptance import Acceptance, GateOutcome
from lime_desktop.protocol.calls.artifacts import StoredArtifact
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent


def said_of(outcome: GateOutcome) -> str:
    """The evidence's own words."""
    reasons = ", ".join(f"{each.code}: {each.detail}".strip(": ") for each in outcome.reasons)
    measured = f" ({outcome.score} of {outcome.threshold})" if outcome.score is not None else ""
    return f"{outcome.eval_key} {outcome.status}{measured}{f': {reasons}' if reasons else ''}"


def evidence_fact(
    artifact: StoredArtifact, outcome: GateOutcome, evidence_id: str
) -> Iterator[ProposedEvent]:
    """That a gate was run on a version, with whose app it was; and where a person decided, their verdict."""
    payload: JsonObject = {
        "verificationOutcomes": [{"name": outcome.eval_key, "status": outcome.status}],
        "versionId": str(artifact.version),
        "gate": outcome.to_wire(),
        "provenance": artifact.provenance.to_wire(),
    }
    yield fact("evidence.changed", payload=payload, **_ids(artifact), evidence_id=evidence_id)
    if outcome.kind == "human-review":
        verdict: JsonObject = {
            "verdict": "approved" if outcome.status == "passed" else "rejected",
            "reviewRef": evidence_id,
            "versionId": str(artifact.version),
        }
        yield fact("review.verdict", payload=verdict, **_ids(artifact), evidence_id=evidence_id)


def artifact_fact(artifact: StoredArtifact, acceptance: Acceptance) -> ProposedEvent:
    """How a version stands. What else is known of the artifact stays as it was told."""
    payload: JsonObject = {
        "kind": artifact.kind,
        "title": artifact.title,
        "versionId": str(artifact.version),
        "contentRef": artifact.content_ref,
        "mediaType": artifact.media_type,
        "acceptance": acceptance.status,
        "provenance": artifact.provenance.to_wire(),
    }
    return fact("artifact.changed", payload=payload, **_ids(artifact))


def _ids(artifact: StoredArtifact) -> dict[str, object]:
    """What joins it to the work that made it."""
    provenance = artifact.provenance
    return {
        "artifact_id": artifact.artifact_id,
        "task_id": provenance.task_id,
        "run_id": provenance.run_id,
    }
