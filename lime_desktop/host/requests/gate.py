"""The gate before every capability: policy decides, a person is asked where policy says so. Runs nothing itself."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, JsonValue

from lime_desktop.host.capabilities.handler import HandlerServices
from lime_desktop.host.requests.targets import targets_of
from lime_desktop.policy.call import Call as PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Denied, NeedsApproval
from lime_desktop.policy.vocabulary import Access
from lime_desktop.protocol.capability_calls.call import Call, Effect
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityNotDeclared,
    PermissionDenied,
    PolicyDenied,
    ReadinessBlocked,
    UntrustedUrl,
)

_ACCESS: Mapping[Effect, Access] = {
    Effect.READ: "read",
    Effect.ASK: "read",
    Effect.WRITE: "write",
    Effect.EXECUTE: "execute",
    Effect.EXTERNAL: "execute",
}


class PolicyGate:
    """Lets the calls of one view pass, or refuses them with the rule that did it."""

    def __init__(self, services: HandlerServices) -> None:
        self._services = services

    def refuse_denied(self, call: Call[Any, Any], params: BaseModel | None = None) -> None:
        """Refuse what no yes could let pass: by its name before arguments are read, then by what they lead to."""
        targets = targets_of(params) if params else ()
        decision = decide(replace(self._asked(call), targets=targets), self._services.facts())
        if isinstance(decision, Denied):
            raise refusal(call.name, decision)

    def check(self, call: Call[Any, Any], params: BaseModel, *, has_key: bool = False) -> Allowed:
        """Let a call with these arguments pass, or raise what the app is told instead."""
        arguments: JsonValue = params.model_dump(mode="json", by_alias=True)
        asked = replace(
            self._asked(call),
            targets=targets_of(params),
            arguments_digest=_digest(arguments),
            has_idempotency_key=has_key,
        )
        decision = decide(asked, self._services.facts())
        match decision:
            case Allowed():
                self._services.approvals.was_allowed(asked, decision)
                return decision
            case NeedsApproval():
                raise self._services.approvals.ask(asked, decision, arguments)
            case Denied():
                raise refusal(call.name, decision)

    def _asked(self, call: Call[Any, Any]) -> PolicyCall:
        return PolicyCall(
            app_id=self._services.app_id,
            entry=self._services.provenance.entry_key,
            capability=call.capability,
            method=call.method,
            access=_ACCESS[call.effect],
            session_id=self._services.view_id,
            workspace_id=self._services.workspace_id,
            event_direction="subscribe" if call.method == "subscribe" else "publish",
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
        case "rule" | "policy":
            return PolicyDenied(message, details=details)
        case _:
            return PermissionDenied(message, details=details)


def _digest(arguments: JsonValue) -> str:
    """The same for the same arguments, however the page ordered them."""
    text = json.dumps(arguments, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
