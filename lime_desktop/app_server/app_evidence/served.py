"""Which method of the protocol is answered by whom: one row each."""

from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.runtime_core.served import AddRoute
from lime_desktop.protocol.calls import app_evidence as calls


def serve_evidence(evidence: AppEvidence, add: AddRoute) -> None:
    """Add every method of appEvidence."""
    add(calls.RECORD_APP_EVIDENCE, evidence.record)
    add(calls.LINK_APP_EVIDENCE, evidence.link)
    add(calls.LIST_APP_EVIDENCE, evidence.list)
