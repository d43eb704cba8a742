"""lime.evidence: kept by the App Server, with the view's provenance."""

from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given


async def _recorded(page: Bridged) -> Given:
    record = await page.value("lime.evidence.record", message="Seen", kind="note")
    return {"evidenceId": record["id"]}


async def _some(page: Bridged) -> Given:
    await _recorded(page)
    return {}


CONTRACTS = (
    Contract(
        "lime.evidence.record",
        {"subject": "artifact_1", "sources": {"records": [{"id": "passage"}]}},
        bad={"kind": "note"},
        expect=lambda kept: (
            (kept["sources"], kept["provenance"]["appId"]) == ([{"id": "passage"}], "notes")
        ),
    ),
    Contract(
        "lime.evidence.linkArtifact",
        {"evidenceId": "evidence_x", "artifactId": "artifact_1"},
        bad={"artifactId": "artifact_1"},
        prepare=_recorded,
        expect=lambda kept: kept["refs"] == ["artifact_1"],
    ),
    Contract(
        "lime.evidence.list",
        {"kind": "note"},
        bad={"limit": 100_000},
        prepare=_some,
        expect=lambda listed: [each["message"] for each in listed] == ["Seen"],
    ),
)
