"""One view's requests, from message to answer. Declared, known, allowed, carried out: in this order, or refused.

A capability without a handler is refused by name: nothing here makes an answer up.
"""

from typing import assert_never, cast

from pydantic_core import from_json

from lime_desktop.host.bridge.session import Answer, Payload
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.host.requests.capability_calls import CapabilityCalls, find_call
from lime_desktop.host.requests.gate import PolicyGate
from lime_desktop.host.requests.subscribing import Subscribing
from lime_desktop.protocol.bridge.from_app import (
    AppMessage,
    AppReady,
    Cancel,
    Download,
    GetSnapshot,
    Invoke,
    InvokePayload,
    Navigate,
    OpenExternal,
    Subscribe,
    Toast,
    Unsubscribe,
)
from lime_desktop.protocol.bridge.from_host import ResponsePayload
from lime_desktop.protocol.ids import JsonObject

_OPEN_EXTERNAL = find_call("lime.ui", "openExternal")
_NOTHING_BESIDE = InvokePayload(capability="lime.ui", method="openExternal")


class AppRequests:
    """Answers what one app asks, under the facts that hold now."""

    def __init__(self, services: HandlerServices, handlers: Handlers) -> None:
        self._actions = services.actions
        self._gate = PolicyGate(services)
        self._calls = CapabilityCalls(services, handlers, self._gate)
        self._subscribing = Subscribing(services, self._gate)

    def answer(self, message: AppMessage) -> Answer:
        """Carry out one request."""
        match message:
            case Invoke():
                return self._calls.invoke(message.payload)
            case Toast() | Navigate():
                return ResponsePayload.of_host_action(self._actions.carry_out(message))
            case OpenExternal():
                return self._open_external(message)
            case Subscribe():
                return self._subscribing.subscribe(message.payload)
            case Unsubscribe():
                return self._subscribing.unsubscribe(message.payload)
            case Download():
                return self._download(message)
            case AppReady() | GetSnapshot() | Cancel():
                raise AssertionError("the session answers these itself")
            case _:
                assert_never(message)

    async def _download(self, message: Download) -> ResponsePayload:
        asked = InvokePayload(
            capability="lime.ui", method="download", input=message.payload.to_wire()
        )
        answer = self._calls.invoke(asked)
        payload = answer if isinstance(answer, Payload) else await answer
        if isinstance(payload, ResponsePayload):
            return payload
        fields = cast("JsonObject", from_json(payload.json))
        return ResponsePayload.of_host_action(fields, evidence_id=payload.evidence_id)

    def _open_external(self, message: OpenExternal) -> ResponsePayload:
        # Only offered: whoever then opens it is the person to be asked.
        self._gate.refuse_denied(AskedCall(_OPEN_EXTERNAL, _NOTHING_BESIDE, message.payload))
        return ResponsePayload.of_host_action(self._actions.carry_out(message))
