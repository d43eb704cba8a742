"""How a result travels: in the answer, or, where it is too long for one, by a reference to fetch it from the app's own origin."""

from lime_desktop.host.capabilities.handler import Result
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.bridge.from_host import ResponsePayload, ValueRef
from lime_desktop.protocol.bridge.written_value import WrittenValue
from lime_desktop.protocol.errors import MessageTooLarge
from lime_desktop.protocol.ids import EvidenceId
from lime_desktop.protocol.wire import Written

# An answer carries its value under two names, and an envelope around them.
MAX_VALUE_BYTES = MAX_MESSAGE_CHARACTERS // 2 - 2_000


class SentValues:
    """Answers of one view."""

    def __init__(self, bodies: ViewBodies) -> None:
        self._bodies = bodies

    def respond(
        self, asked: AskedCall, result: Result, evidence_id: EvidenceId | None = None
    ) -> WrittenValue | ResponsePayload:
        """Wrap a result.

        Raises:
            MessageTooLarge: it is too long and the client cannot fetch it; the details say where it is all the same.
        """
        text = _text_of(result)
        if len(text) <= MAX_VALUE_BYTES:
            return WrittenValue(text, evidence_id)
        url = self._bodies.offer(text)
        if not asked.payload.accepts_value_ref:
            raise MessageTooLarge(
                "The call was carried out, but its value is too long for a message",
                details={"valueUrl": url, "bytes": len(text)},
            )
        ref = ValueRef(url=url, bytes=len(text))
        return ResponsePayload.of(None, evidence_id=evidence_id, value_ref=ref)


def _text_of(result: Result) -> bytes:
    if isinstance(result, Written):
        return result.json
    return result.model_dump_json(by_alias=True).encode()
