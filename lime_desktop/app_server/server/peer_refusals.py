"""What the JSON-RPC peer refuses by itself, with the stable code and the words that all other refusals carry."""

from lime_desktop.jsonrpc.messages import (
    INVALID_REQUEST,
    OVERLOADED,
    PARSE_ERROR,
    REQUEST_CANCELLED,
)
from lime_desktop.protocol.errors import (
    AppError,
    Cancelled,
    InternalError,
    InvalidMessage,
    ServerOverloaded,
)

_PEER_ERRORS: dict[int, type[AppError]] = {
    PARSE_ERROR: InvalidMessage,
    INVALID_REQUEST: InvalidMessage,
    OVERLOADED: ServerOverloaded,
    REQUEST_CANCELLED: Cancelled,
}
_PEER_REASONS = {
    PARSE_ERROR: "The line is not JSON",
    INVALID_REQUEST: "The line is not a message of this protocol",
    OVERLOADED: "The server has too much to do; retry later",
    REQUEST_CANCELLED: "The request was cancelled",
}


def peer_error_data(code: int) -> object:
    """Give the peer's own refusals the stable code that all others carry."""
    kind = _PEER_ERRORS.get(code, InternalError)
    return kind(_PEER_REASONS.get(code, "Something went wrong")).to_data()
