"""What an app's calls did, told to the App Server, which keeps it. Nothing is kept here."""

import logging

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.call_trace import trace_of_call
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.policy.decision import Allowed
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE
from lime_desktop.protocol.calls.app_evidence import RECORD_APP_EVIDENCE, RecordAppEvidenceParams
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import EvidenceId
from lime_desktop.protocol.provenance import Provenance

_log = logging.getLogger(__name__)

_KIND = "capability-call"


def is_trust_relevant(asked: AskedCall, allowed: Allowed) -> bool:
    """Whether somebody may later want to know that this call was carried out."""
    call = asked.call
    return allowed.evidence_required or (call.acts and call.capability not in ALWAYS_AVAILABLE)


class CallEvidence:
    """Records the calls of one view."""

    def __init__(self, provenance: Provenance, call: CallServer) -> None:
        self._provenance = provenance
        self._call = call

    async def intend(self, asked: AskedCall, allowed: Allowed) -> EvidenceId:
        """Record that a call is about to be carried out: where evidence is demanded, there is none without it.

        Raises:
            AppError: it could not be kept, so the call must not happen.
        """
        return await self._record(asked, allowed, "is about to be carried out")

    async def tell(
        self, asked: AskedCall, allowed: Allowed, intent: EvidenceId | None
    ) -> EvidenceId | None:
        """Record that a call was carried out; that it was is not undone by a record that fails."""
        try:
            return await self._record(asked, allowed, "was carried out", intent)
        except AppError as error:
            _log.warning(
                "evidence of a call was not kept",
                extra={"call": asked.call.name, "code": error.code, "traceId": trace_of_call.get()},
            )
            return intent

    async def _record(
        self, asked: AskedCall, allowed: Allowed, said: str, intent: EvidenceId | None = None
    ) -> EvidenceId:
        rules = (allowed.rule, *allowed.audited_by, *allowed.answered_by)
        refs = (f"trace:{trace_of_call.get()}", f"arguments:sha256:{asked.digest}")
        params = RecordAppEvidenceParams(
            app_id=self._provenance.app_id,
            kind=_KIND,
            message=f"{asked.call.name} {said}: {allowed.rule.text}",
            subject=asked.call.name,
            refs=(
                *refs,
                *(f"rule:{rule.id}" for rule in dict.fromkeys(rules)),
                *((f"evidence:{intent}",) if intent else ()),
            ),
            provenance=self._provenance,
        )
        return (await self._call(RECORD_APP_EVIDENCE, params)).record.id
