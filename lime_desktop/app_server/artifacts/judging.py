"""Who judges deliverables: asked before a version is kept, told after. The gates themselves are in `quality`."""

from typing import Protocol

from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.protocol.acceptance import Acceptance, GateReason
from lime_desktop.protocol.calls.artifacts import StoredArtifact


class ArtifactJudge(Protocol):
    """Says whether a version is accepted, and writes down that it said so."""

    async def judge(self, artifact: StoredArtifact, body: bytes) -> Acceptance | None:
        """The verdict on a version that is about to be kept; None where nothing judges it."""
        ...

    async def record(self, artifact: StoredArtifact) -> None:
        """Keep the verdict of a version as evidence and as facts."""
        ...


class NoJudge:
    """Accepts nothing and refuses nothing."""

    async def judge(self, artifact: StoredArtifact, body: bytes) -> Acceptance | None:
        """Say nothing."""
        del artifact, body

    async def record(self, artifact: StoredArtifact) -> None:
        """Write nothing."""
        del artifact


def decided(acceptance: Acceptance, *, is_accepted: bool, note: str | None) -> Acceptance:
    """The verdict after a person's word: it settles what waits for one, and no failed check."""
    status = "passed" if is_accepted else "failed"
    gates = tuple(
        each.model_copy(
            update={
                "status": status,
                "note": note,
                "reasons": ()
                if is_accepted
                else (GateReason(code="rejected", detail=(note or "")[:300]),),
            }
        )
        if each.status == "waiting"
        else each
        for each in acceptance.gates
    )
    is_failed = any(each.status == "failed" for each in gates)
    return Acceptance(
        status="not-accepted" if is_failed else "accepted", gates=gates, judged_at=now()
    )
