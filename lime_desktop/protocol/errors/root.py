"""The root of every expected failure, and the form in which one crosses a process boundary.

Knows no particular code, and imports no models: every command pays for it.
"""

from collections.abc import Mapping
from typing import ClassVar, NotRequired

from typing_extensions import TypedDict

from lime_desktop.protocol.errors.declared import DeclaredFailure


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
        self.declared: DeclaredFailure | None = None
        """What the app's own catalogue says of it; its words go before those of the class."""
        self.translated_action: str | None = None
        """What a person can do about it, in their language; None where nobody knew which that is."""

    @property
    def told_action(self) -> str:
        """What a person can do about it, in the app's own words where it has some."""
        declared = self.declared.user_action if self.declared else None
        return declared or self.translated_action or self.user_action

    @property
    def told_recovery(self) -> str:
        """What the calling program can do about it, likewise."""
        return (self.declared and self.declared.recovery) or self.recovery

    @property
    def may_retry(self) -> bool:
        """Whether the same call may succeed later, by the app's own word where it has one."""
        stated = self.declared.retryable if self.declared else None
        return self.retryable if stated is None else stated

    @property
    def most_retries(self) -> int | None:
        """How often to retry at most, likewise."""
        stated = self.declared.max_retries if self.declared else None
        return self.max_retries if stated is None else stated

    def to_data(self) -> ErrorData:
        """This failure as it travels; absent facts are left out."""
        data = ErrorData(
            code=self.code,
            stableCode=self.stable_code,
            sdkCode=self.sdk_code,
            message=self.message,
            userAction=self.told_action,
            recovery=self.told_recovery,
            retryable=self.may_retry,
        )
        if (most := self.most_retries) is not None:
            data["maxRetries"] = most
        if self.trace_id is not None:
            data["traceId"] = self.trace_id
        if self.details:
            data["details"] = self.details
        return data
