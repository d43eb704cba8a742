"""One view's requests, from message to answer. Declared, known, allowed, carried out: in this order, or refused.

A capability without a handler is refused by name: nothing here makes an answer up.
"""

import inspect
from collections.abc import Mapping
from typing import Any, assert_never, cast

from pydantic import BaseModel, JsonValue

from lime_desktop.host.bridge.session import Answer
from lime_desktop.host.capabilities.handler import (
    Handlers,
    HandlerServices,
    InstantHandler,
    LaterHandler,
)
from lime_desktop.host.requests.targets import targets_of
from lime_desktop.policy.call import Call as PolicyCall
from lime_desktop.policy.call import Target
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Denied, NeedsApproval
from lime_desktop.policy.vocabulary import Access
from lime_desktop.protocol.bridge.from_app import (
    AppMessage,
    AppReady,
    Download,
    GetSnapshot,
    Invoke,
    Navigate,
    OpenExternal,
    Subscribe,
    Toast,
    Unsubscribe,
)
from lime_desktop.protocol.bridge.from_host import ResponsePayload
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalRequired,
    CapabilityMethodUnknown,
    CapabilityNotAvailable,
    CapabilityNotDeclared,
    PermissionDenied,
    PolicyDenied,
    ReadinessBlocked,
    SubscriptionUnknown,
    UntrustedUrl,
)

_CALLS: Mapping[tuple[str, str], Call[Any, Any]] = {
    (call.capability, call.method): call for call in CALLS
}
_OPEN_EXTERNAL = _CALLS["lime.ui", "openExternal"]
_REASONS = {row.name: row.unavailable_reason for row in CAPABILITIES}

_ACCESS: Mapping[Effect, Access] = {
    Effect.READ: "read",
    Effect.ASK: "read",
    Effect.WRITE: "write",
    Effect.EXECUTE: "execute",
    Effect.EXTERNAL: "execute",
}


class AppRequests:
    """Answers what one app asks, under the facts that hold now."""

    def __init__(self, services: HandlerServices, handlers: Handlers) -> None:
        self._services = services
        self._handlers = handlers
        self._actions = services.actions

    def answer(self, message: AppMessage) -> Answer:
        """Carry out one request."""
        match message:
            case Toast() | Navigate():
                return ResponsePayload.of_host_action(self._actions.carry_out(message))
            case OpenExternal():
                self._decide(_OPEN_EXTERNAL, targets_of(message.payload))
                return ResponsePayload.of_host_action(self._actions.carry_out(message))
            case Invoke():
                return self._invoke(message)
            case Download() | Subscribe():
                raise CapabilityNotAvailable(
                    f"This version of Lime Desktop does not serve {message.type} yet"
                )
            case Unsubscribe():
                raise SubscriptionUnknown("There is no subscription of that id")
            case AppReady() | GetSnapshot():
                raise AssertionError("the session answers these itself")
            case _:
                assert_never(message)

    def _invoke(self, message: Invoke) -> Answer:
        payload = message.payload
        call = _find_call(payload.capability, payload.method)
        self._decide(call)
        params = call.read_params(payload.arguments)
        if targets := targets_of(params):
            self._decide(call, targets)
        handler = self._handlers.get(call.name)
        if handler is None:
            raise CapabilityNotAvailable(
                f"This version of Lime Desktop does not serve {call.name} yet"
            )
        if inspect.iscoroutinefunction(handler):
            return _answer_later(cast("LaterHandler", handler), params)
        return _response(cast("InstantHandler", handler)(params))

    def _decide(self, call: Call[Any, Any], targets: tuple[Target, ...] = ()) -> None:
        asked = PolicyCall(
            app_id=self._services.app_id,
            entry=self._services.provenance.entry_key,
            capability=call.capability,
            method=call.method,
            targets=targets,
            access=_ACCESS[call.effect],
            event_direction="subscribe" if call.method == "subscribe" else "publish",
        )
        decision = decide(asked, self._services.facts())
        match decision:
            case Allowed():
                return
            case NeedsApproval() if call is _OPEN_EXTERNAL:
                return  # A link is only offered: whoever then opens it is the person to be asked.
            case NeedsApproval():
                raise ApprovalRequired(f"{call.name} needs a person's yes: {decision.would_change}")
            case Denied():
                raise _refusal(call.name, decision)


async def _answer_later(handler: LaterHandler, params: object) -> ResponsePayload:
    return _response(await handler(params))


def _response(result: BaseModel) -> ResponsePayload:
    return ResponsePayload.of(cast("JsonValue", result.model_dump(mode="json", by_alias=True)))


def _find_call(capability: str, method: str) -> Call[Any, Any]:
    if capability not in _REASONS:
        raise CapabilityNotAvailable("This host knows no capability of that name")
    if (reason := _REASONS[capability]) is not None:
        raise CapabilityNotAvailable(reason)
    call = _CALLS.get((capability, method))
    if call is None:
        raise CapabilityMethodUnknown(f"{capability} has no method of that name")
    return call


def _refusal(name: str, denied: Denied) -> AppError:
    message = f"{name} was refused: {denied.rule.text} {denied.would_change}"
    details = {"rule": denied.rule.id}
    match denied.cause:
        case "undeclared":
            return CapabilityNotDeclared(message, details=details)
        case "malformed":
            return UntrustedUrl(message, details=details)
        case "not-ready":
            return ReadinessBlocked(message, details=details)
        case "rule" | "policy":
            return PolicyDenied(message, details=details)
        case _:
            return PermissionDenied(message, details=details)
