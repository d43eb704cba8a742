"""Step two: is the calling entry ready? Knows which calls are needed to become ready."""

from lime_desktop.policy.decision import Denial, Step
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.resolved_call import ResolvedCall
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE, ReadinessState

SETUP_CALLS = frozenset(
    {
        "lime.cloudSession.getSnapshot",
        "lime.cloudSession.requestLogin",
        "lime.connectors.requestAuth",
        "lime.knowledge.bind",
        "lime.knowledge.bindStatus",
        "lime.policy.check",
        "lime.policy.requestPermission",
        "lime.secrets.requestBinding",
    }
)
"""An app that needs setup must be able to ask for just that."""

_WOULD_CHANGE: dict[ReadinessState, str] = {
    "needs-setup": "Finish the setup that readiness lists.",
    "blocked": "Clear what blocks the app, as readiness lists it.",
    "failed": "Repair the package: its readiness could not be established.",
    "unknown": "Run the readiness check.",
    "disabled": "Have the administrator or owner enable this entry.",
}


def check_readiness(resolved: ResolvedCall, facts: PolicyFacts) -> Step:
    """Refuse an entry that is not ready, except for what it needs to say so or to get there."""
    call, state = resolved.call, facts.readiness.state
    reasons = "".join(f" {reason}" for reason in facts.readiness.reasons)
    rule = RuleRef(f"readiness.{state}", "host", "readiness", f"The entry is {state}.{reasons}")
    if state in {"ready", "ready-degraded"} or _may_pass(call.capability, call.name, state):
        return Step(name="readiness", notes=(rule,))
    denial = Denial(rule, "not-ready", _WOULD_CHANGE[state])
    return Step(name="readiness", denials=(denial,))


def _may_pass(capability: str, call: str, state: ReadinessState) -> bool:
    if state == "disabled":
        return False
    # The page of an app that can't run still has to show why.
    return capability in ALWAYS_AVAILABLE or (state == "needs-setup" and call in SETUP_CALLS)
