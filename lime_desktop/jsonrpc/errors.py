"""Failures of a call, as JSON-RPC numbers them, and of the connection itself."""

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
