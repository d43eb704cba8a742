"""What a provider's failure means: for the person, for the log, and whether it may pass by itself."""

from dataclasses import dataclass

from pydantic_ai import exceptions as library

from lime_desktop.app_server.providers.connection_failures import (
    LASTING,
    REASONS,
    unreachable,
    why_unreachable,
)
from lime_desktop.protocol.errors import (
    AppError,
    ContextTooLong,
    ProviderFailed,
    ProviderNotReady,
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed round, understood. Its words are ours: a provider's own may quote anything, keys too."""

    error: AppError
    reason: str
    may_pass: bool = False
    retry_after_s: float | None = None


def understand(error: Exception) -> Failure:
    """Read a failure of the library or of what it is fed with."""
    if isinstance(error, library.ModelConnectionError):
        return _failure(why_unreachable(error), error.retry_after)
    for kind, reason in _KINDS:
        if isinstance(error, kind):
            return _failure(reason, getattr(error, "retry_after", None))
    if isinstance(error, library.ModelHTTPError) and error.status_code in {401, 403}:
        return _failure("key_refused", None)
    if isinstance(error, library.ModelHTTPError):
        return _failure("request_rejected", None)
    # A parser that stumbles over a stranger's bytes may raise anything.
    return _failure("malformed_output", None)


_KINDS: tuple[tuple[type[Exception], str], ...] = (
    (library.ModelQuotaExceededError, "quota_exhausted"),
    (library.ModelRateLimitError, "rate_limited"),
    (library.ModelContextWindowExceededError, "context_too_long"),
    (library.ModelAuthenticationError, "key_refused"),
    (library.ModelNotFoundError, "model_unknown"),
    (library.ModelTimeoutError, "timeout"),
    (library.ModelUnavailableError, "provider_overloaded"),
    (library.ModelServerError, "provider_error"),
    (library.ContentFilterError, "content_filtered"),
    (library.ModelRequestRejectedError, "request_rejected"),
)
"""The narrow kinds before the wide ones."""

_PASSING = frozenset(
    {"rate_limited", "provider_overloaded", "provider_error", *(REASONS - LASTING)}
)
_MESSAGES = {
    "quota_exhausted": "The quota of the account at the provider is used up.",
    "rate_limited": "The provider is asked more often than it allows.",
    "key_refused": "The provider refused the key.",
    "model_unknown": "The provider does not know this model.",
    "stream_interrupted": "The connection to the provider broke in the middle of an answer.",
    "provider_overloaded": "The provider has too much to do.",
    "provider_error": "The provider reported an error of its own.",
    "content_filtered": "The provider refused to answer this.",
    "request_rejected": "The provider rejected the request.",
    "malformed_output": "The provider's answer cannot be understood.",
    "output_too_long": "The provider's answer is longer than a turn may hold.",
}
_SETUP_ACTIONS = {
    "quota_exhausted": "Add credit to the account at the provider, or choose another one",
    "key_refused": "Enter the provider's key again in Settings",
    "model_unknown": "Choose another model in Settings",
}


def provider_failure(reason: str) -> AppError:
    """The catalogue's error for a reason."""
    if reason == "context_too_long":
        return ContextTooLong("The conversation does not fit the model's window.")
    if reason in REASONS:
        return unreachable(reason)
    details = {"reasonCode": reason}
    if reason in _SETUP_ACTIONS:
        details["setupAction"] = _SETUP_ACTIONS[reason]
        return ProviderNotReady(_MESSAGES[reason], details=details)
    return ProviderFailed(_MESSAGES[reason], details=details)


def _failure(reason: str, retry_after_s: float | None) -> Failure:
    return Failure(provider_failure(reason), reason, reason in _PASSING, retry_after_s)
