"""The root of every expected failure, and the form in which one crosses a process boundary.

Knows no particular code, and imports no models: every command pays for it.
"""

from collections.abc import Mapping
from typing import ClassVar, NotRequired

from typing_extensions import TypedDict


class ErrorData(TypedDict):
    """An expected failure as it travels: JSON-RPC `error.data`, evidence, telemetry."""

    code: str
    """The stable code, `APP_E` and three digits."""
    stableCode: str
    """The lower-case code that published SDKs hand to an app."""
    sdkCode: str
    """The upper-case cause that published SDKs know."""
    message: str
    """What happened, readable by a person, without secrets."""
    userAction: str
    """What a person can do about it."""
    recovery: str
    """What the calling program can do about it."""
    retryable: bool
    """Whether the same call may succeed later."""
    maxRetries: NotRequired[int]
    """How often to retry at most; no limit is suggested when absent."""
    traceId: NotRequired[str]
    """Finds the call in logs and evidence."""
    details: NotRequired[dict[str, object]]
    """Facts of this one failure: field paths, ids, limits; never input values."""


class AppError(Exception):
    """An expected failure: it has a code, and it goes to the caller. Anything else is a bug."""

    code: ClassVar[str]
    stable_code: ClassVar[str]
    sdk_code: ClassVar[str]
    user_action: ClassVar[str]
    recovery: ClassVar[str]
    retryable: ClassVar[bool] = False
    max_retries: ClassVar[int | None] = None
    rpc_code: ClassVar[int] = -32000

    def __init__(
        self,
        message: str,
        *,
        details: Mapping[str, object] | None = None,
        trace_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.details = dict(details or {})
        self.trace_id = trace_id

    def to_data(self) -> ErrorData:
        """This failure as it travels; absent facts are left out."""
        data = ErrorData(
            code=self.code,
            stableCode=self.stable_code,
            sdkCode=self.sdk_code,
            message=self.message,
            userAction=self.user_action,
            recovery=self.recovery,
            retryable=self.retryable,
        )
        if self.max_retries is not None:
            data["maxRetries"] = self.max_retries
        if self.trace_id is not None:
            data["traceId"] = self.trace_id
        if self.details:
            data["details"] = self.details
        return data
