"""lime.evidence: forwarded to the App Server, which keeps it with the view's provenance."""

import json

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.calls.app_evidence import (
    LINK_APP_EVIDENCE,
    LIST_APP_EVIDENCE,
    RECORD_APP_EVIDENCE,
    LinkAppEvidenceParams,
    ListAppEvidenceParams,
    RecordAppEvidenceParams,
)
from lime_desktop.protocol.capability_calls.evidence import (
    LinkArtifactParams,
    ListEvidenceParams,
    ListEvidenceResult,
    RecordEvidenceParams,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id

    async def record(params: RecordEvidenceParams) -> BaseModel:
        asked = RecordAppEvidenceParams(
            app_id=app_id,
            kind=params.kind,
            message=params.message or f"Evidence about {params.subject}",
            subject=params.subject,
            sources_json=json.dumps(params.sources),
            refs=params.refs,
            provenance=services.provenance,
        )
        return (await call(RECORD_APP_EVIDENCE, asked)).record

    async def link(params: LinkArtifactParams) -> BaseModel:
        asked = LinkAppEvidenceParams(
            app_id=app_id, evidence_id=params.evidence_id, artifact_id=params.artifact_id
        )
        return (await call(LINK_APP_EVIDENCE, asked)).record

    async def list_some(params: ListEvidenceParams) -> BaseModel:
        asked = ListAppEvidenceParams(app_id=app_id, kind=params.kind, limit=params.limit)
        return ListEvidenceResult((await call(LIST_APP_EVIDENCE, asked)).records)

    return {
        "lime.evidence.record": record,
        "lime.evidence.linkArtifact": link,
        "lime.evidence.list": list_some,
    }
