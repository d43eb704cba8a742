"""What an app is told when policy says no: the error of the catalogue, by what stood in the way."""

from collections.abc import Mapping

from lime_desktop.policy.decision import DenialCause, Denied
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityNotDeclared,
    CostLimitExceeded,
    PermissionDenied,
    PolicyDenied,
    ReadinessBlocked,
    UntrustedUrl,
)

_REFUSALS: Mapping[DenialCause, type[AppError]] = {
    "undeclared": CapabilityNotDeclared,
    "malformed": UntrustedUrl,
    "not-ready": ReadinessBlocked,
    "policy": PolicyDenied,
    "rule": PolicyDenied,
    "demand-unmet": PolicyDenied,
    "budget": CostLimitExceeded,
    "nobody-to-ask": PermissionDenied,
}
"""By what stood in the way. A rule of the person's own is their no, which they can take back: no policy of anybody's."""


def refusal_of(name: str, denied: Denied) -> AppError:
    """What an app is told of a refusal."""
    message = f"{name} was refused: {denied.rule.text} {denied.would_change}"
    is_own_no = denied.cause == "rule" and denied.rule.layer == "user"
    refused = PermissionDenied if is_own_no else _REFUSALS[denied.cause]
    return refused(message, details={"rule": denied.rule.id})
