"""What an app's calls did and what came of them, told to the App Server, which keeps it. Nothing is kept here."""

import logging
from collections import OrderedDict
from collections.abc import Iterable
from contextvars import copy_context
from typing import Literal

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.approvals.question import Answer
from lime_desktop.host.bridge.timeline import trace_of_call
from lime_desktop.host.capabilities.handler import HandlerServices, Result
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.policy.decision import Allowed
from lime_desktop.policy.steps.approval import OWN_ACT
from lime_desktop.protocol.capability_calls.call import Effect
from lime_desktop.protocol.capability_calls.evidence import RECORD_EVIDENCE, RecordEvidenceParams
from lime_desktop.protocol.errors import AppError, ApprovalDeclined, ApprovalRequired
from lime_desktop.protocol.ids import EvidenceId
from lime_desktop.protocol.wire import Written

_log = logging.getLogger(__name__)

_KIND = "capability-call"
Outcome = Literal["intended", "done", "declined", "failed", "undone", "abandoned", "refused"]
_NOT_GIVEN = frozenset({"cancelled", "denied", "unbound"})
_KEPT_REFUSALS = 256
"""An app that is refused the same over and over is told of once in this many."""


class CallEvidence:
    """Records the calls of one view."""

    def __init__(self, services: HandlerServices) -> None:
        self._services = services
        self._refusals: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._tasks = BackgroundTasks(_log, AppError)

    async def intend(self, asked: AskedCall, allowed: Allowed) -> EvidenceId:
        """Record that a call is about to be carried out: where evidence is demanded, there is none without it.

        Raises:
            AppError: it could not be kept, so the call must not happen.
        """
        said = f"is about to be carried out: {allowed.rule.text}"
        return await self._record(asked, "intended", said, _rules(allowed))

    async def record_result(
        self, asked: AskedCall, allowed: Allowed, intent: EvidenceId | None, result: Result
    ) -> EvidenceId | None:
        """Record what came of a call; that it was carried out is not undone by a record that fails."""
        status = _status_of(asked, result)
        if status == "pending":
            return intent
        outcome: Outcome = "declined" if status in _NOT_GIVEN else "done"
        said = "was declined by the person" if outcome == "declined" else "was carried out"
        words = f"{said}: {allowed.rule.text}"
        return await self._close(asked, outcome, words, _rules(allowed), intent)

    async def record_failure(
        self, asked: AskedCall, allowed: Allowed, intent: EvidenceId | None, error: AppError
    ) -> None:
        """Record that a call which was let pass has failed."""
        await self._close(asked, "failed", f"failed: {error.code}", _rules(allowed), intent)

    async def record_undone(self, asked: AskedCall) -> None:
        """Record that the person took back what they had pressed for."""
        await self._close(asked, "undone", "was undone by the person", (OWN_ACT.id,), None)

    def record_abandoned(
        self, asked: AskedCall, allowed: Allowed, intent: EvidenceId | None
    ) -> None:
        """Record, in its own time, that nobody waited for the end of a call: it may have happened."""
        said = "was given up before it ended"
        self._tasks.spawn(self._close(asked, "abandoned", said, _rules(allowed), intent))

    def record_refusal(self, asked: AskedCall, error: AppError) -> None:
        """Record, in its own time, that a call was refused by policy; a person's no the moment they say it."""
        if isinstance(error, ApprovalRequired):
            self._await_no(asked, error)
            return
        if isinstance(error, ApprovalDeclined) or not asked.is_trust_relevant:
            return
        name = (asked.digest, error.code)
        if name in self._refusals:
            return
        self._refusals[name] = None
        while len(self._refusals) > _KEPT_REFUSALS:
            self._refusals.popitem(last=False)
        rule = (error.details or {}).get("rule")
        rules = (rule,) if isinstance(rule, str) else ()
        said = f"was refused: {error.code}"
        self._tasks.spawn(self._close(asked, "refused", said, rules, None))

    def _await_no(self, asked: AskedCall, needed: ApprovalRequired) -> None:
        """Have a no recorded as a yes is, whatever the call: what was refused may be asked about later."""
        context = copy_context()

        def record(answer: Answer) -> None:
            said = "was declined by the person" + (" for good" if answer.is_never else "")
            work = self._close(asked, "declined", said, (), None)
            # Under the trace of the call that asked.
            context.run(self._tasks.spawn, work)

        question_id = (needed.details or {}).get("questionId")
        if isinstance(question_id, str):
            self._services.approvals.tell_of_no(question_id, record)

    async def _close(
        self,
        asked: AskedCall,
        outcome: Outcome,
        said: str,
        rules: Iterable[str],
        intent: EvidenceId | None,
    ) -> EvidenceId | None:
        try:
            return await self._record(asked, outcome, said, rules, intent)
        except AppError as error:
            _log.warning(
                "evidence of a call was not kept",
                extra={"call": asked.call.name, "code": error.code, "traceId": trace_of_call.get()},
            )
            return intent

    async def _record(
        self,
        asked: AskedCall,
        outcome: Outcome,
        said: str,
        rules: Iterable[str],
        intent: EvidenceId | None = None,
    ) -> EvidenceId:
        operation = asked.payload.operation
        refs = (
            f"trace:{trace_of_call.get()}",
            # The message is for whoever keeps such records; by this word a page tells it in a person's language.
            f"outcome:{outcome}",
            f"arguments:sha256:{asked.digest}",
            *((f"operation:{operation}",) if operation else ()),
        )
        fact = RecordEvidenceParams(
            kind=_KIND,
            message=f"{asked.call.name} {said}",
            subject=asked.call.name,
            refs=(
                *refs,
                *(f"rule:{rule}" for rule in dict.fromkeys(rules)),
                *((f"evidence:{intent}",) if intent else ()),
            ),
        )
        return (await self._services.ask(RECORD_EVIDENCE, fact)).id


def _status_of(asked: AskedCall, result: Result) -> object:
    """What the result says came of the call; what passed as it was written is read where a person is asked."""
    if not isinstance(result, Written):
        return getattr(result, "status", None)
    if asked.call.effect is not Effect.ASK:
        return None
    return getattr(asked.call.result.model_validate_json(result.json), "status", None)


def _rules(allowed: Allowed) -> list[str]:
    return [rule.id for rule in (allowed.rule, *allowed.audited_by, *allowed.answered_by)]
