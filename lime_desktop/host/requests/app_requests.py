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
from lime_desktop.host.requests.gate import PolicyGate
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
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.errors import (
    CapabilityMethodUnknown,
    CapabilityNotAvailable,
    SubscriptionUnknown,
)

_CALLS: Mapping[tuple[str, str], Call[Any, Any]] = {
    (call.capability, call.method): call for call in CALLS
}
_OPEN_EXTERNAL = _CALLS["lime.ui", "openExternal"]
_REASONS = {row.name: row.unavailable_reason for row in CAPABILITIES}


class AppRequests:
    """Answers what one app asks, under the facts that hold now."""

    def __init__(self, services: HandlerServices, handlers: Handlers) -> None:
        self._services = services
        self._handlers = handlers
        self._actions = services.actions
        self._gate = PolicyGate(services)

    def answer(self, message: AppMessage) -> Answer:
        """Carry out one request."""
        match message:
            case Toast() | Navigate():
                return ResponsePayload.of_host_action(self._actions.carry_out(message))
            case OpenExternal():
                # Only offered: whoever then opens it is the person to be asked.
                self._gate.refuse_denied(_OPEN_EXTERNAL, message.payload)
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
        self._gate.refuse_denied(call)
        params = call.read_params(payload.arguments)
        self._gate.refuse_denied(call, params)
        handler = self._handlers.get(call.name)
        if handler is None:
            raise CapabilityNotAvailable(
                f"This version of Lime Desktop does not serve {call.name} yet"
            )
        self._gate.check(call, params, has_key=payload.idempotency_key is not None)
        if inspect.iscoroutinefunction(handler):
            return _answer_later(cast("LaterHandler", handler), params)
        return _response(cast("InstantHandler", handler)(params))


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
