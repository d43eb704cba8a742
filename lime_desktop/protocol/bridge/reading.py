"""How untrusted text becomes a message from an app or an expected error; never anything else.

A message of the wrong shape is given as its envelope alone, so that it can still be answered by its request id.
"""

import json
from typing import Any, cast

import msgspec
from pydantic import JsonValue, ValidationError

from lime_desktop.protocol.bridge.envelope import (
    MAX_MESSAGE_CHARACTERS,
    PROTOCOL,
    VERSION,
    Envelope,
)
from lime_desktop.protocol.bridge.from_app import APP_MESSAGES, AppMessage
from lime_desktop.protocol.errors import (
    InvalidInput,
    InvalidMessage,
    MessageTooLarge,
    UnknownMessage,
    UnsupportedProtocol,
)
from lime_desktop.protocol.ids import JsonText
from lime_desktop.unique_names import unique_table

_BY_TYPE: dict[str, type[AppMessage]] = unique_table(
    ((str(message.model_fields["type"].default), message) for message in APP_MESSAGES),
    of="message type",
)


_ARGUMENTS = ("input", "args")
_cut = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode = msgspec.json.Decoder(Any).decode


def parse_incoming(text: str) -> AppMessage | Envelope:
    """Check size, JSON, protocol, version, the shared fields and the payload; the envelope alone where that does not fit.

    What is wrong with the payload `read_message` says, once whoever sent it was found to be who it should be.
    """
    value = _parse_tagged(text)
    kind = value.get("type")
    message = _BY_TYPE.get(kind) if isinstance(kind, str) else None
    if message is not None:
        try:
            return message.model_validate(value)
        except ValidationError:
            pass
    return _read_envelope(value)


def read_message(envelope: Envelope) -> AppMessage:
    """Look at the type and check the payload against it."""
    message = _BY_TYPE.get(envelope.type)
    if message is None:
        raise UnknownMessage("This host knows no message of this type")
    try:
        return message.model_validate(dict(envelope))
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None


def parse_app_message(text: str) -> AppMessage:
    """Read a text that claims to be a message from an app."""
    incoming = parse_incoming(text)
    return read_message(incoming) if isinstance(incoming, Envelope) else incoming


def _parse_tagged(text: str) -> dict[str, JsonValue]:
    value = _parse_json(text)
    version = value.get("version")
    # `True == 1` in Python; a version is a number.
    if value.get("protocol") != PROTOCOL or version != VERSION or isinstance(version, bool):
        raise UnsupportedProtocol(f"This host speaks {PROTOCOL} version {VERSION}")
    return value


def _read_envelope(value: dict[str, JsonValue]) -> Envelope:
    try:
        return Envelope.model_validate(value)
    except ValidationError as error:
        facts = InvalidInput.from_validation(error)
        raise InvalidMessage(facts.message, details=facts.details) from None


def _parse_json(text: str) -> dict[str, JsonValue]:
    if len(text) > MAX_MESSAGE_CHARACTERS:
        raise MessageTooLarge(f"A bridge message has at most {MAX_MESSAGE_CHARACTERS} characters")
    try:
        fields = _cut(text.encode())
        payload = fields.pop("payload", None)
        value = {name: _decode(field) for name, field in fields.items()}
        if payload is not None:
            is_call = value.get("type") == "capability:invoke"
            value["payload"] = _read_call(payload) if is_call else _decode(payload)
    except msgspec.ValidationError:
        raise InvalidMessage("A bridge message is a JSON object") from None
    except (ValueError, RecursionError):
        # Not chained: the parser's prose quotes the text.
        raise InvalidMessage("The text is not JSON, or holds half a surrogate pair") from None
    return value


def _read_call(payload: msgspec.Raw) -> JsonValue:
    """A call's payload; its arguments are left as they were written, for whoever carries it out to read."""
    try:
        fields = _cut(payload)
    except msgspec.ValidationError:
        return _decode(payload)
    return {
        name: cast("JsonValue", JsonText(field)) if name in _ARGUMENTS else _decode(field)
        for name, field in fields.items()
    }


def claimed_request_id(text: str) -> str | None:
    """By which id a text that cannot be read may be answered: a page would wait in vain for an answer to none.

    The standard library reads more than the bridge does, such as half a surrogate pair.
    """
    if len(text) > MAX_MESSAGE_CHARACTERS:
        return None
    try:
        value = json.loads(text)
        # Without its payload, which is where such a thing may well be.
        return Envelope.model_validate({**value, "payload": None}).request_id
    except (ValueError, TypeError, RecursionError):
        return None
