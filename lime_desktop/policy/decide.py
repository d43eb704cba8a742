"""Decide whether a call may happen. Knows the order of the steps; knows nothing of handlers, windows or databases.

The standard's order: manifest → readiness → organisation and workspace policy → deny rules → risk → approval. The first
step that refuses ends it, and within a step a refusal outweighs everything. Reasons to ask are gathered on the way and
put to a person once, at the end. After the action comes its evidence, which `Allowed` says whether to record.
"""

import math
from dataclasses import fields
from operator import attrgetter

from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import (
    Allowed,
    Decision,
    Demand,
    Denied,
    Explanation,
    NeedsApproval,
    Step,
    StepName,
)
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.question import build_question
from lime_desktop.policy.resolved_call import ResolvedCall, resolve_call
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.steps.allowlist import check_allowlist
from lime_desktop.policy.steps.approval import check_approval
from lime_desktop.policy.steps.layers import check_deny_rules, check_governance
from lime_desktop.policy.steps.readiness import check_readiness
from lime_desktop.policy.steps.risk import check_risk

_CHECKS = (check_allowlist, check_readiness, check_governance, check_deny_rules, check_risk)
_ORDER: tuple[StepName, ...] = (
    "manifest",
    "readiness",
    "policy",
    "deny-rules",
    "risk",
    "approval",
)

MOST_KEPT = 1_000
"""Calls that differ in what they reach for are decided apart; an app that makes up names must not fill the memory."""


def decide(call: PolicyCall, facts: PolicyFacts) -> Decision:
    """Answer whether a call may happen, may happen if a person agrees, or may not."""
    return explain(call, facts).decision


def explain(call: PolicyCall, facts: PolicyFacts) -> Explanation:
    """Give the same answer with every step on the way to it."""
    resolved = resolve_call(call, facts.declared)
    steps = _run_steps(resolved, facts)
    unreached = [Step(name=name, is_reached=False) for name in _ORDER[len(steps) :]]
    return Explanation(decision=_conclude(steps, resolved, facts), steps=(*steps, *unreached))


def _run_steps(resolved: ResolvedCall, facts: PolicyFacts) -> tuple[Step, ...]:
    steps: list[Step] = []
    for check in _CHECKS:
        steps.append(check(resolved, facts))
        if steps[-1].denials:
            return tuple(steps)
    demands = dict.fromkeys(demand for step in steps for demand in step.demands)
    return (*steps, check_approval(resolved, facts, demands))


def _conclude(steps: tuple[Step, ...], resolved: ResolvedCall, facts: PolicyFacts) -> Decision:
    last = steps[-1]
    if last.denials:
        return _denied(last)
    if last.demands:
        return _needs_approval(last.demands, resolved, facts)
    return _allowed(steps, resolved, facts)


def _denied(step: Step) -> Denied:
    first, *others = sorted(step.denials, key=lambda denial: (denial.rule, denial.would_change))
    asked = {demand.rule for demand in step.demands}
    also = {denial.rule for denial in others} | (
        asked if step.name == "approval" else set[RuleRef]()
    )
    return Denied(
        rule=first.rule,
        cause=first.cause,
        would_change=first.would_change,
        outcome="blocked" if first.cause == "not-ready" else "deny",
        also=tuple(sorted(also - {first.rule})),
    )


def _needs_approval(
    demands: tuple[Demand, ...], resolved: ResolvedCall, facts: PolicyFacts
) -> NeedsApproval:
    question = build_question(demands, resolved, facts)
    change = (
        "Somebody supplies what is missing."
        if question.kind == "elicitation"
        else "Somebody says yes to this call."
    )
    return NeedsApproval(rule=question.reasons[0], question=question, would_change=change)


def _allowed(steps: tuple[Step, ...], resolved: ResolvedCall, facts: PolicyFacts) -> Allowed:
    manifest, _, governance, deny_rules, _, approval = steps
    audited_by = tuple(sorted({*governance.notes, *deny_rules.notes}))
    is_degraded = facts.readiness.state == "ready-degraded"
    return Allowed(
        rule=(*approval.notes, *manifest.notes)[0],
        # Of the call and not of the app: what an app does without says nothing of a call that needs none of it.
        outcome="audit-only" if audited_by else "allow",
        evidence_required=_needs_evidence(resolved) or bool(audited_by or approval.notes),
        audited_by=audited_by,
        degraded_by=facts.readiness.reasons if is_degraded else (),
        answered_by=approval.notes,
    )


def _needs_evidence(resolved: ResolvedCall) -> bool:
    # What an app writes into its own storage is its own business, unless it declared otherwise.
    return bool(resolved.effects - {"app_storage_write"}) or any(
        each.evidence_required for each in resolved.operations
    )


_standing = attrgetter(*(each.name for each in fields(PolicyFacts) if each.name != "now_ms"))


class KeptDecisions:
    """The decisions that hold under the latest facts: the same call under the same facts is decided once.

    The facts are the key, not a number that somebody would have to remember to raise: whatever changes in them makes
    every kept decision void. Time alone passes without such a change, and it matters only where something lapses.
    """

    def __init__(self) -> None:
        self._latest: PolicyFacts | None = None
        self._facts: object = None
        self._since_ms = self._until_ms = -math.inf
        self._decisions: dict[PolicyCall, Decision] = {}

    def decide(self, call: PolicyCall, facts: PolicyFacts) -> Decision:
        """Answer as `decide` would."""
        self._follow(facts)
        known = self._decisions.get(call)
        if known is None:
            if len(self._decisions) >= MOST_KEPT:
                self._decisions.clear()
            known = self._decisions[call] = decide(call, facts)
        return known

    def __len__(self) -> int:
        return len(self._decisions)

    def _follow(self, facts: PolicyFacts) -> None:
        if facts is self._latest:
            return
        self._latest = facts
        # Facts that nobody touched are the same objects, and then comparing them costs next to nothing.
        standing = _standing(facts)
        if standing == self._facts and self._since_ms <= facts.now_ms < self._until_ms:
            return
        self._decisions.clear()
        self._facts = standing
        self._since_ms, self._until_ms = facts.standing_time()


def heeds_arguments(facts: PolicyFacts) -> bool:
    """Whether some approval was given for one exact call, so that the arguments decide. The digest is taken only then."""
    return any(approval.scope == "call" for approval in facts.approvals)
