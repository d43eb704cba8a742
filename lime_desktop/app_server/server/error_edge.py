"""The edge of the program: expected failures become answers, bugs become a traced, mute one.

One of the two places where every exception may be caught: past here nobody could.
"""

import logging
from types import TracebackType
from typing import cast

from lime_desktop.jsonrpc.messages import (
    INVALID_REQUEST,
    OVERLOADED,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    RpcError,
)
from lime_desktop.protocol.errors import (
    AppError,
    Cancelled,
    InternalError,
    InvalidMessage,
    ServerOverloaded,
)
from lime_desktop.protocol.ids import TraceId

_log = logging.getLogger(__name__)

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


class ErrorEdge:
    """Everything raised inside leaves as `RpcError`, except cancellation, which is no failure."""

    def __init__(self, method: str, trace_id: TraceId) -> None:
        self._method = method
        self.trace_id = trace_id

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Translate what was raised."""
        del kind, traceback
        if isinstance(error, Exception):
            raise self._translate(error) from None

    def _translate(self, error: Exception) -> RpcError:
        expected = self._expected(error)
        expected.trace_id = expected.trace_id or self.trace_id
        return RpcError(expected.rpc_code, expected.message, cast("object", expected.to_data()))

    def _expected(self, error: Exception) -> AppError:
        if isinstance(error, AppError):
            _log.debug(
                "call refused",
                extra={"method": self._method, "traceId": self.trace_id, "code": error.code},
            )
            return error
        _log.error(
            "call failed unexpectedly",
            exc_info=error,
            extra={"method": self._method, "traceId": self.trace_id},
        )
        return InternalError("Something went wrong; the trace id finds it in the log")
