"""From bytes to messages: lines are cut, each is a request, a notification, an answer, or malformed; errors by number.

The ``jsonrpc`` member is optional both ways; a peer sends it once the other side has.
"""

import json
from typing import Any, Final, NamedTuple, TypeAlias, TypeGuard, cast

import msgspec

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INTERNAL_ERROR = -32603
OVERLOADED = -32001
REQUEST_CANCELLED = -32800


class RpcError(Exception):
    """An answer that says no: raised by a handler to send it, and by a call that received it."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class ConnectionLostError(Exception):
    """The connection ended before the answer came. Whether the call took effect is unknown."""


class TooLong:
    """Stands for a line that was longer than allowed and was thrown away."""


TOO_LONG: Final = TooLong()


class LineCutter:
    """Bytes in, whole lines out. An overlong line costs its limit in memory and is dropped."""

    def __init__(self, max_line_bytes: int) -> None:
        self._max_line_bytes = max_line_bytes
        self._rest = bytearray()
        self._is_skipping = False

    def cut(self, data: bytes) -> list[bytes | TooLong]:
        """Take more bytes and give the lines they complete, without their ends."""
        first, *others = data.split(b"\n")
        if not others:
            self._keep(first)
            return []
        rest = others.pop()
        lines = [self._complete(first), *(self._judge(line) for line in others)]
        self._keep(rest)
        return lines

    def end(self) -> list[bytes | TooLong]:
        """Give what is left as the last line: no more bytes will come."""
        has_rest = self._is_skipping or bool(self._rest)
        return [self._complete(b"")] if has_rest else []

    def _keep(self, part: bytes) -> None:
        if self._is_skipping or len(self._rest) + len(part) > self._max_line_bytes:
            self._is_skipping = True
            self._rest.clear()
        elif part:
            self._rest += part

    def _complete(self, part: bytes) -> bytes | TooLong:
        if not self._rest and not self._is_skipping:
            return self._judge(part)
        self._keep(part)
        line = TOO_LONG if self._is_skipping else bytes(self._rest)
        self._is_skipping = False
        self._rest.clear()
        return line

    def _judge(self, line: bytes) -> bytes | TooLong:
        return TOO_LONG if len(line) > self._max_line_bytes else line


RequestId: TypeAlias = int | str

CANCEL_REQUEST = "$/cancelRequest"


class Request(msgspec.Struct, frozen=True):
    """A call that wants an answer."""

    id: RequestId
    method: str
    params: msgspec.Raw
    """As they were written: whoever answers reads them, or passes them on unread."""


class Notification(msgspec.Struct, frozen=True):
    """A message that wants none."""

    method: str
    params: object


class Response(msgspec.Struct, frozen=True):
    """An answer to one of our requests."""

    id: RequestId
    result: msgspec.Raw
    """As it was written."""


class Failure(msgspec.Struct, frozen=True):
    """A refusal of one of our requests, or, without an id, of something unreadable we sent."""

    id: RequestId | None
    error: RpcError


class Malformed(msgspec.Struct, frozen=True):
    """A line to be answered with an error; the id is known only if that much was readable."""

    id: RequestId | None
    error: RpcError


Message: TypeAlias = Request | Notification | Response | Failure | Malformed


_NULL = msgspec.Raw(b"null")
_ABSENT = msgspec.Raw()


class _Envelope(msgspec.Struct):
    jsonrpc: Any = msgspec.UNSET
    id: Any = msgspec.UNSET
    method: Any = msgspec.UNSET
    params: msgspec.Raw = _NULL
    result: msgspec.Raw = _ABSENT
    error: Any = msgspec.UNSET


_decoder = msgspec.json.Decoder(_Envelope)
_value_decoder = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()


class Parsed(NamedTuple):
    """A line's message, and whether its writer uses the ``jsonrpc`` member."""

    message: Message
    has_version: bool


def parse(line: bytes) -> Parsed:
    """Read one line. Whatever the bytes are, the outcome is a message."""
    try:
        envelope = _decoder.decode(line)
    except msgspec.ValidationError:
        return _refusal(INVALID_REQUEST, "A message is one JSON object; batches are not accepted")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _refusal(PARSE_ERROR, "The line is not JSON", _claimed_id(line))
    has_version = envelope.jsonrpc is not msgspec.UNSET
    return Parsed(_classify(envelope), has_version)


def read_value(raw: msgspec.Raw) -> Any:
    """What the bytes of a message's part mean.

    Raises:
        RpcError: they are not UTF-8, which is all that was not looked at when the line was cut.
    """
    try:
        return _value_decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RpcError(PARSE_ERROR, "The line is not JSON") from None


def _refusal(code: int, message: str, request_id: RequestId | None = None) -> Parsed:
    return Parsed(Malformed(request_id, RpcError(code, message)), has_version=False)


def _claimed_id(line: bytes) -> RequestId | None:
    """By which id a request that cannot be read may be refused: whoever asked would wait in vain for an answer to none.

    The standard library reads more than is spoken here, such as half a surrogate pair.
    """
    try:
        value = json.loads(line)
        fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        claimed = fields.get("id")
        # What has no method is an answer: its id is one of ours.
        if "method" in fields and is_request_id(claimed):
            _encoder.encode(claimed)
            return claimed
    except (ValueError, OverflowError, RecursionError):
        pass
    return None


def _classify(envelope: _Envelope) -> Message:
    valid_id = envelope.id if is_request_id(envelope.id) else None
    if envelope.jsonrpc not in (msgspec.UNSET, "2.0"):
        return Malformed(valid_id, RpcError(INVALID_REQUEST, "Only JSON-RPC 2.0 is spoken"))
    if envelope.id is not msgspec.UNSET and valid_id is None:
        return _without_usable_id(envelope)
    if envelope.method is not msgspec.UNSET:
        return _call(envelope, valid_id)
    return _answer(envelope, valid_id)


def is_request_id(value: object) -> TypeGuard[RequestId]:
    """Say whether this can name a request: a whole number or a string, and never a bool."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def _without_usable_id(envelope: _Envelope) -> Message:
    if envelope.id is None and envelope.error is not msgspec.UNSET:
        return Failure(None, _rpc_error(envelope.error))
    return Malformed(None, RpcError(INVALID_REQUEST, "An id is a whole number or a string"))


def _call(envelope: _Envelope, request_id: RequestId | None) -> Message:
    if not isinstance(envelope.method, str):
        return Malformed(request_id, RpcError(INVALID_REQUEST, "A method is named by a string"))
    if request_id is None:
        try:
            return Notification(envelope.method, read_value(envelope.params))
        except RpcError as error:
            return Malformed(None, error)
    return Request(request_id, envelope.method, envelope.params)


def _answer(envelope: _Envelope, request_id: RequestId | None) -> Message:
    if request_id is not None and envelope.error is not msgspec.UNSET:
        return Failure(request_id, _rpc_error(envelope.error))
    if request_id is not None and envelope.result is not _ABSENT:
        return Response(request_id, envelope.result)
    return Malformed(
        request_id, RpcError(INVALID_REQUEST, "A message has a method, a result or an error")
    )


def _rpc_error(value: object) -> RpcError:
    """Read the other side's error leniently: a badly written refusal is still a refusal."""
    fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    code, message = fields.get("code"), fields.get("message")
    return RpcError(
        code if isinstance(code, int) else INVALID_REQUEST,
        message if isinstance(message, str) else "The other side refused without a message",
        fields.get("data"),
    )


def encode_request(request_id: RequestId, method: str, params: object) -> bytes:
    """One line that asks."""
    return _line({"id": request_id, "method": method, "params": params}, has_version=False)


def encode_notification(method: str, params: object, *, has_version: bool = False) -> bytes:
    """One line that tells."""
    return _line({"method": method, "params": params}, has_version=has_version)


def encode_response(request_id: RequestId, result: object, *, has_version: bool = False) -> bytes:
    """One line that answers."""
    return _line({"id": request_id, "result": result}, has_version=has_version)


def encode_failure(
    request_id: RequestId | None, error: RpcError, *, has_version: bool = False
) -> bytes:
    """One line that refuses."""
    body: dict[str, object] = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return _line({"id": request_id, "error": body}, has_version=has_version)


def _line(fields: dict[str, object], *, has_version: bool) -> bytes:
    message = {"jsonrpc": "2.0", **fields} if has_version else fields
    return _encoder.encode(message) + b"\n"
