"""Untrusted text to a bridge message, or an expected error; never anything else.

A message of the wrong shape is given as its envelope alone, so that it can still be answered by its request id.
"""

import json
from typing import cast

from pydantic import JsonValue, ValidationError
from pydantic_core import from_json

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
from lime_desktop.unique_names import unique_table

_BY_TYPE: dict[str, type[AppMessage]] = unique_table(
    ((str(message.model_fields["type"].default), message) for message in APP_MESSAGES),
    of="message type",
)


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
    if not isinstance(value, dict):
        raise InvalidMessage("A bridge message is a JSON object")
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


def _parse_json(text: str) -> JsonValue:
    if len(text) > MAX_MESSAGE_CHARACTERS:
        raise MessageTooLarge(f"A bridge message has at most {MAX_MESSAGE_CHARACTERS} characters")
    try:
        return cast("JsonValue", from_json(text, allow_inf_nan=False))
    except (ValueError, TypeError):
        # TypeError is the parser's word for half a surrogate pair. Not chained: its prose quotes the text.
        raise InvalidMessage("The text is not JSON, or holds half a surrogate pair") from None


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
