"""Steps three and four: rules, budgets and defaults of some layers. Deny wins, in whatever order rules are given."""

from lime_desktop.policy.decision import Demand, Denial, DenialCause, Step
from lime_desktop.policy.facts import CostLimit, DefaultRule, PolicyFacts
from lime_desktop.policy.resolved_call import ResolvedCall
from lime_desktop.policy.rules import Effect, Rule, RuleRef
from lime_desktop.policy.vocabulary import ALWAYS_AVAILABLE, Layer

GOVERNING: frozenset[Layer] = frozenset({"organisation", "workspace"})
OTHERS: frozenset[Layer] = frozenset({"host", "manifest", "overlay", "user"})


def check_governance(resolved: ResolvedCall, facts: PolicyFacts) -> Step:
    """Ask the organisation's and the workspace's policy."""
    denials, demands = _defaults(resolved, facts)
    found = _check(resolved, facts, GOVERNING, "policy")
    return Step(
        name="policy",
        denials=(*denials, *found.denials),
        demands=(*demands, *found.demands),
        notes=found.notes,
    )


def check_deny_rules(resolved: ResolvedCall, facts: PolicyFacts) -> Step:
    """Ask every other layer's rules."""
    found = _check(resolved, facts, OTHERS, "rule")
    return Step(name="deny-rules", denials=found.denials, demands=found.demands, notes=found.notes)


def _check(
    resolved: ResolvedCall, facts: PolicyFacts, layers: frozenset[Layer], cause: DenialCause
) -> Step:
    rules = [rule for rule in facts.rules if rule.ref.layer in layers]
    denied = _applying(rules, "deny", resolved, facts)
    asked = _applying(rules, "ask", resolved, facts)
    exceeded = [limit for limit in _exceeded(resolved, facts) if limit.ref.layer in layers]
    return Step(
        name="policy",
        denials=(
            *(
                Denial(rule.ref, cause, f"{_owner(rule.ref)} removes or narrows this rule.")
                for rule in denied
            ),
            *(Denial(limit.ref, "budget", _raise(limit)) for limit in exceeded if limit.is_hard),
        ),
        demands=(
            *(Demand(rule.ref, "policy_exception", rule.remember) for rule in asked),
            *(
                Demand(limit.ref, "policy_exception", "task")
                for limit in exceeded
                if not limit.is_hard
            ),
        ),
        notes=tuple(rule.ref for rule in _applying(rules, "audit", resolved, facts)),
    )


def _applying(
    rules: list[Rule], effect: Effect, resolved: ResolvedCall, facts: PolicyFacts
) -> list[Rule]:
    return [
        rule
        for rule in rules
        if rule.effect == effect and rule.applies(resolved.facets, facts.now_ms)
    ]


def _exceeded(resolved: ResolvedCall, facts: PolicyFacts) -> list[CostLimit]:
    estimate = resolved.call.estimated_cost
    if estimate is None:
        return []
    return [limit for limit in facts.cost_limits if limit.is_exceeded_by(estimate)]


def _raise(limit: CostLimit) -> str:
    return f"{_owner(limit.ref)} raises the limit of {limit.limit}, or a new period begins."


def _defaults(
    resolved: ResolvedCall, facts: PolicyFacts
) -> tuple[tuple[Denial, ...], tuple[Demand, ...]]:
    if resolved.call.capability in ALWAYS_AVAILABLE and not resolved.call.targets:
        return (), ()
    unmet = [default for default in facts.defaults if not _is_allowed(default, resolved, facts)]
    change = "A rule of the same policy allows this call."
    return (
        tuple(Denial(each.ref, "policy", change) for each in unmet if each.effect == "deny"),
        tuple(Demand(each.ref, "policy_exception") for each in unmet if each.effect == "ask"),
    )


def _is_allowed(default: DefaultRule, resolved: ResolvedCall, facts: PolicyFacts) -> bool:
    own = [rule for rule in facts.rules if rule.ref.layer == default.ref.layer]
    return bool(_applying(own, "allow", resolved, facts))


def _owner(ref: RuleRef) -> str:
    return {
        "organisation": "The organisation",
        "workspace": "The workspace's owner",
        "user": "The user",
        "overlay": "Whoever owns the overlay",
        "manifest": "The app's author",
        "host": "Lime Desktop",
    }[ref.layer]
