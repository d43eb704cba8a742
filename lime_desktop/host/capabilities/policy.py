"""lime.policy: what would happen, by the same rules that decide when it does."""

from typing import Literal

from pydantic import BaseModel

from lime_desktop.host.approvals.calls import DecidedCall
from lime_desktop.host.approvals.deferred_prompts import TIMEOUT_S
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, Source
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.capabilities import capability_named
from lime_desktop.protocol.capability_calls.call import Effect
from lime_desktop.protocol.capability_calls.policy import (
    CheckPolicyParams,
    CheckPolicyResult,
    RequestPermissionParams,
    RequestPermissionResult,
)
from lime_desktop.protocol.capability_calls.table import call_named
from lime_desktop.protocol.errors import ApprovalRequired, InvalidInput
from lime_desktop.protocol.ids import JsonObject

_EXECUTING = frozenset({Effect.EXECUTE, Effect.EXTERNAL})


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""

    def check(params: CheckPolicyParams) -> BaseModel:
        decision = decide(_call(services, params.capability, params.action), services.facts())
        return CheckPolicyResult(
            capability=params.capability,
            action=params.action,
            outcome=_outcome(decision),
            rule=decision.rule.id,
            reason=_reason(decision),
        )

    async def request(params: RequestPermissionParams) -> BaseModel:
        asked = _call(services, _capability_of(services, params.capability), None)
        decision = decide(asked, services.facts())
        status = _status(services, asked, decision)
        if isinstance(status, ApprovalRequired):
            question_id = str(status.details["questionId"])
            wait_s = min(services.approvals.wait_s, TIMEOUT_S)
            await services.approvals.answered(question_id, wait_s)
            decision = decide(asked, services.facts())
            status = _status(services, asked, decision)
        return RequestPermissionResult(
            capability=params.capability,
            status="pending" if isinstance(status, ApprovalRequired) else status,
            rule=decision.rule.id,
        )

    return {"lime.policy.check": check, "lime.policy.requestPermission": request}


def _call(services: HandlerServices, capability: str, method: str | None) -> PolicyCall:
    known = capability_named(capability)
    if known is None:
        raise InvalidInput.at_fields([("capability", "unknown_capability")])
    name = method or next(iter(known.methods), "any")
    row = call_named(capability, name)
    effect = row.effect if row else Effect.READ
    access = "execute" if effect in _EXECUTING else "write" if effect is Effect.WRITE else "read"
    return PolicyCall(
        app_id=services.app_id,
        entry=services.provenance.entry_key,
        capability=capability,
        method=name,
        access=access,
        session_id=services.view_id,
        workspace_id=services.workspace_id,
    )


def _capability_of(services: HandlerServices, asked: str) -> str:
    """The capability that is meant, by its own name or by a permission the manifest declares."""
    for permission in services.app().package.manifest.permissions:
        if permission.key == asked:
            return f"lime.{_CAPABILITY_OF_SCOPE.get(permission.scope, permission.scope)}"
    return asked


_CAPABILITY_OF_SCOPE = {
    "filesystem": "files",
    "network": "ui",
    "model": "agent",
    "tool": "tools",
    "secret": "secrets",
    "artifact": "artifacts",
    "tenant": "workspace",
    "export": "artifacts",
}


def _outcome(decision: Decision) -> Literal["allow", "ask", "deny"]:
    match decision:
        case Allowed():
            return "allow"
        case NeedsApproval():
            return "ask"
        case Denied():
            return "deny"


def _reason(decision: Decision) -> str:
    match decision:
        case Allowed():
            return decision.rule.text
        case NeedsApproval() | Denied():
            return f"{decision.rule.text} {decision.would_change}"


def _status(
    services: HandlerServices, asked: PolicyCall, decision: Decision
) -> Literal["granted", "denied"] | ApprovalRequired:
    match decision:
        case Allowed():
            return "granted"
        case Denied():
            return "denied"
        case NeedsApproval():
            services.approvals.heed_press(asked, services.shell.take_press)
            told = services.approvals.ask(asked, decision, None)
            return told if isinstance(told, ApprovalRequired) else "denied"


def source(services: HandlerServices) -> Source:
    """What was answered to the app's calls, for pages that were told to come back."""

    async def start(subscription: Subscription, wish: SubscribePayload) -> JsonObject:
        if wish.delivery != "push":
            raise InvalidInput.at_fields([("delivery", "push_only")])

        def hear(decided: DecidedCall) -> None:
            if decided.app_id == services.app_id:
                answer: JsonObject = {
                    "questionId": decided.question_id,
                    "decision": "allowed" if decided.is_allowed else "declined",
                }
                subscription.publish("decision", payload=answer)

        subscription.on_end(services.approvals.decided.subscribe(hear))
        return {}

    return Source("check", start)
