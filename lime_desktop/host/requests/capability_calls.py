"""The life of a capability call: known, declared, allowed, read, carried out once, in time, and recorded."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from lime_desktop.host.app_server_client.connection import SharedTimeout
from lime_desktop.host.bridge.session import Answer, Payload
from lime_desktop.host.capabilities.handler import (
    Handler,
    Handlers,
    HandlerServices,
    InstantHandler,
    LaterHandler,
    PlainHandler,
    Result,
    ToolHandler,
)
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.host.requests.call_evidence import CallEvidence
from lime_desktop.host.requests.gate import PolicyGate
from lime_desktop.host.requests.one_artifact import refuse_other_artifacts
from lime_desktop.host.requests.repeated_calls import Repeats, WaitingCalls
from lime_desktop.host.view.shell_port import OfferUndo, Undo, offer_undo_of_call
from lime_desktop.host.view.tool_calls import ToolCalls
from lime_desktop.policy.decision import Allowed
from lime_desktop.policy.steps.approval import OWN_ACT
from lime_desktop.protocol.app_call import (
    APP_CALL,
    APP_UNDO,
    AppCallParams,
    UndoCallParams,
    split_undo,
)
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.bridge.from_app import InvokePayload
from lime_desktop.protocol.bridge.from_host import ResponsePayload, ValueRef, WrittenValue
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.capability_calls.table import CALLS, call_named
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalRequired,
    CapabilityMethodUnknown,
    CapabilityNotAvailable,
    InvalidInput,
    MessageTooLarge,
    TimedOut,
)
from lime_desktop.protocol.ids import EvidenceId
from lime_desktop.protocol.wire import Written
from lime_desktop.spelling import did_you_mean

T = TypeVar("T")

TIMEOUT_S = 12.0
"""Published clients wait 15 s; the refusal must reach them before that."""
_MAX_VALUE_BYTES = MAX_MESSAGE_CHARACTERS // 2 - 2_000
"""An answer carries its value under two names, and an envelope around them."""
_REASONS: Mapping[str, str | None] = {row.name: row.unavailable_reason for row in CAPABILITIES}


class CapabilityCalls:
    """Carries out what one view calls."""

    def __init__(self, services: HandlerServices, handlers: Handlers, gate: PolicyGate) -> None:
        self._services = services
        self._handlers = handlers
        self._instant = frozenset(name for name, each in handlers.items() if _is_instant(each))
        self._absent = services.absent
        self._shell = services.shell
        self._gate = gate
        self._evidence = CallEvidence(services)
        self._timeout = SharedTimeout(TIMEOUT_S)
        self._repeats = Repeats(services.app_id, services.center)
        self._tools = ToolCalls(services)
        self._waiting = WaitingCalls(services.approvals)

    def invoke(self, payload: InvokePayload) -> Answer:
        """Carry out one call, or refuse it by name."""
        asked = AskedCall(find_call(payload.capability, payload.method, self._absent), payload)
        asked = self._read(asked)
        if self._services.only_artifact is not None:
            refuse_other_artifacts(asked, self._services.only_artifact)
        handler = self._handler(asked)
        if self._waiting.late and self._waiting.is_late(asked):
            # It was let pass; but what was forbidden since is not handed out either.
            self._gate.refuse_denied(asked)
            return self._waiting.join(asked)
        attempt = partial(self._attempt, asked, handler)
        try:
            answer = attempt()
        except ApprovalRequired as needed:
            if not self._waiting.may_wait(asked):
                raise
            return self._waiting.run(asked, attempt, needed)
        if isinstance(answer, Payload) or not self._is_judged_later(asked, handler):
            return answer
        return self._waiting.run(asked, attempt, answer)

    def _is_judged_later(self, asked: AskedCall, handler: Handler) -> bool:
        return isinstance(handler, ToolHandler) or (asked.is_keyed and self._repeats.lasts(asked))

    def _attempt(self, asked: AskedCall, handler: Handler) -> Answer:
        if not isinstance(handler, ToolHandler) and not self._is_judged_later(asked, handler):
            return self._begin(asked, handler)
        self._judged(self._gate.refuse_denied, asked)
        return self._in_time(asked, lambda: self._begin_later(asked, handler))

    async def _begin_later(self, asked: AskedCall, handler: Handler) -> Payload:
        """Begin what cannot be judged at once: a call that may have been made before, or one that leads to a tool."""
        done = await self._repeats.done(asked)
        if done is not None:
            return done
        if isinstance(handler, ToolHandler):
            tool = await self._tools.find(await handler.find(asked.checked))
            asked, handler = replace(asked, tool=tool), partial(handler.run, tool)
        answer = self._begin(asked, handler)
        return answer if isinstance(answer, Payload) else await answer

    def _begin(self, asked: AskedCall, handler: PlainHandler) -> Answer:
        begun = self._repeats.begun(asked) if asked.is_keyed else None
        if begun is not None:
            # It was let pass before, and to wait for it has no effect of its own: nobody is asked twice. But what was
            # forbidden since is not handed out either.
            self._gate.refuse_denied(asked)
            return self._in_time(asked, lambda: asyncio.shield(begun))
        if asked.payload.dry_run:
            return self._respond(asked, self._gate.dry_run(asked))
        allowed = self._judged(self._gate.check, asked)
        if asked.call.name in self._instant and not self._needs_care(asked, allowed):
            return self._respond(asked, cast("InstantHandler", handler)(asked.checked))
        return self._in_time(asked, lambda: self._work(asked, allowed, handler))

    def _judged(self, judge: Callable[[AskedCall], T], asked: AskedCall) -> T:
        try:
            return judge(asked)
        except AppError as error:
            self._evidence.record_refusal(asked, error)
            raise

    def _read(self, asked: AskedCall) -> AskedCall:
        is_free = self._services.only_artifact is None and not self._gate.heeds_arguments
        if is_free and asked.may_pass_on and not asked.is_trust_relevant:
            return replace(asked, is_passed_on=True)
        try:
            return asked.read()
        except InvalidInput:
            # What is undeclared is refused for that, whatever it says: nobody learns more of it by trying.
            self._gate.refuse_denied(asked)
            raise

    def _handler(self, asked: AskedCall) -> Handler:
        name = asked.call.name
        if name in self._handlers:
            return self._handlers[name]
        if asked.call.by == "server":
            return partial(self._pass_on, asked)
        # What would be refused anyway is refused for that; nobody is asked about what cannot be done.
        self._gate.refuse_denied(asked)
        raise CapabilityNotAvailable(f"This version of Lime Desktop does not serve {name} yet")

    async def _pass_on(self, asked: AskedCall, _params: object) -> Result:
        """Have the App Server carry a call out: the arguments pass as they came, and the result as it was written."""
        services, call = self._services, asked.call
        offer = offer_undo_of_call.get() if call.can_be_undone else None
        envelope = AppCallParams(
            caller=services.caller(),
            call=call.name,
            params=asked.written,
            wants_undo=offer is not None,
        )
        answer = await services.call(APP_CALL, envelope, timeout_s=call.timeout_s)
        if offer is not None:
            return self._undoable(answer.value, envelope, offer)
        if call.session_of is not None:
            session_id = call.session_of(call.result.model_validate_json(answer.value))
            # What is asked there is put to the person, whether the page listens or not.
            if session_id is not None:
                services.approvals.follow_run(session_id)
        return answer.written

    def _undoable(self, answer: bytes, envelope: AppCallParams, offer: OfferUndo) -> Result:
        """Offer the person to take back what they pressed for, and give the page its result."""
        value, back = split_undo(answer)
        undoing = UndoCallParams(caller=envelope.caller, call=envelope.call, params=back)

        async def undo() -> None:
            await self._services.call(APP_UNDO, undoing)

        offer(undo)
        return Written(value)

    def _needs_care(self, asked: AskedCall, allowed: Allowed) -> bool:
        return asked.payload.idempotency_key is not None or _is_recorded(asked, allowed)

    def _work(
        self, asked: AskedCall, allowed: Allowed, handler: PlainHandler
    ) -> Coroutine[Any, Any, Payload]:
        work = self._carry_out(asked, allowed, handler)
        key = asked.payload.idempotency_key
        return work if key is None else self._repeats.once(asked, key, work)

    async def _in_time(self, asked: AskedCall, begin: Callable[[], Awaitable[Payload]]) -> Payload:
        timeout_ms = asked.payload.timeout_ms
        timeout = SharedTimeout(timeout_ms / 1_000) if timeout_ms else self._timeout
        try:
            return await timeout.wait_for(begin())
        except TimeoutError:
            raise self._too_late(asked) from None

    def _too_late(self, asked: AskedCall) -> TimedOut:
        # Under a key the person's answer is still waited for, and a repeated call gets it.
        is_open = asked.call.effect is Effect.ASK and self._repeats.begun(asked) is not None
        details = {"pending": True} if is_open else {}
        return TimedOut(f"{asked.call.name} took longer than it may", details=details)

    async def _carry_out(
        self, asked: AskedCall, allowed: Allowed, handler: PlainHandler
    ) -> Payload:
        intent: EvidenceId | None = None
        if allowed.evidence_required:
            intent = await self._evidence.intend(asked, allowed)
        if not _is_recorded(asked, allowed):
            return self._respond(asked, await _outcome(asked, handler))
        undoing = offer_undo_of_call.set(self._undo_of(asked, allowed))
        try:
            result = await _outcome(asked, handler)
        except AppError as error:
            await self._evidence.record_failure(asked, allowed, intent, error)
            raise
        except asyncio.CancelledError:
            self._evidence.record_abandoned(asked, allowed, intent)
            raise
        finally:
            offer_undo_of_call.reset(undoing)
        intent = await self._evidence.record_result(asked, allowed, intent, result)
        return self._respond(asked, result, intent)

    def _respond(
        self, asked: AskedCall, result: Result, evidence_id: EvidenceId | None = None
    ) -> Payload:
        """Send a result in the answer or, where it is too long for one, as a reference to fetch it by.

        Raises:
            MessageTooLarge: it is too long and the client cannot fetch it; the details say where it is all the same.
        """
        text = _text_of(result)
        if len(text) <= _MAX_VALUE_BYTES:
            return WrittenValue(text, evidence_id)
        url = self._services.bodies.offer(text)
        if not asked.payload.accepts_value_ref:
            raise MessageTooLarge(
                "The call was carried out, but its value is too long for a message",
                details={"valueUrl": url, "bytes": len(text)},
            )
        ref = ValueRef(url=url, bytes=len(text))
        return ResponsePayload.of(None, evidence_id=evidence_id, value_ref=ref)

    def _undo_of(self, asked: AskedCall, allowed: Allowed) -> OfferUndo | None:
        if OWN_ACT not in allowed.answered_by:
            return None

        def offer(undo: Undo) -> None:
            async def take_back() -> None:
                await undo()
                await self._evidence.record_undone(asked)

            self._shell.offer_undo(asked.call.name, take_back)

        return offer


def find_call(capability: str, method: str, absent: frozenset[str] = frozenset()) -> Call[Any, Any]:
    """The row of a call.

    Raises:
        CapabilityNotAvailable: this host offers no such capability, and says why.
        CapabilityMethodUnknown: the capability has no such method.
    """
    if capability not in _REASONS or capability in absent:
        raise CapabilityNotAvailable(
            f"This host knows no capability of that name.{did_you_mean(capability, _REASONS)}"
        )
    if (reason := _REASONS[capability]) is not None:
        raise CapabilityNotAvailable(reason)
    call = call_named(capability, method)
    if call is None:
        known = [each.method for each in CALLS if each.capability == capability]
        raise CapabilityMethodUnknown(
            f"{capability} has no method of that name.{did_you_mean(method, known)}"
        )
    return call


def _is_instant(handler: Handler) -> bool:
    return not (isinstance(handler, ToolHandler) or inspect.iscoroutinefunction(handler))


def _waits_for_a_person(handler: PlainHandler, result: Result) -> bool:
    """Whether a handler has waited its time for somebody and asks to be called again."""
    return not _is_instant(handler) and getattr(result, "status", None) == "pending"


def _is_recorded(asked: AskedCall, allowed: Allowed) -> bool:
    return allowed.evidence_required or asked.is_trust_relevant


async def _outcome(asked: AskedCall, handler: PlainHandler) -> Result:
    """What a handler gives in the end: under a key it is waited with it for a person."""
    try:
        result = await _result_of(handler, asked.checked)
    except ValidationError as error:
        # What a handler makes of an app's words for the next call did not fit there. Anything else is a fault of ours.
        if not error.title.endswith("Params"):
            raise
        raise InvalidInput.from_validation(error) from None
    while asked.payload.idempotency_key and _waits_for_a_person(handler, result):
        result = await _result_of(handler, asked.checked)
    return result


async def _result_of(handler: PlainHandler, params: object) -> Result:
    if _is_instant(handler):
        return cast("InstantHandler", handler)(params)
    return await cast("LaterHandler", handler)(params)


def _text_of(result: Result) -> bytes:
    if isinstance(result, Written):
        return result.json
    return result.model_dump_json(by_alias=True).encode()
