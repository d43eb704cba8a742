"""What an app is told where policy says no: the code of what stood in the way, and the rule by name."""

from lime_desktop.policy.decision import Denied
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityNotDeclared,
    CostLimitExceeded,
    PermissionDenied,
    PolicyDenied,
    ReadinessBlocked,
    UntrustedUrl,
)


def refusal(name: str, denied: Denied) -> AppError:
    """What an app is told of a refusal."""
    message = f"{name} was refused: {denied.rule.text} {denied.would_change}"
    details = {"rule": denied.rule.id}
    match denied.cause:
        case "undeclared":
            return CapabilityNotDeclared(message, details=details)
        case "malformed":
            return UntrustedUrl(message, details=details)
        case "not-ready":
            return ReadinessBlocked(message, details=details)
        case "rule" | "policy" | "demand-unmet":
            return PolicyDenied(message, details=details)
        case "budget":
            return CostLimitExceeded(message, details=details)
        case "nobody-to-ask":
            return PermissionDenied(message, details=details)
