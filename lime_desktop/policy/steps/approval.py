"""Step six: which reasons to ask are answered already, and is anybody there to answer the rest?"""

from collections.abc import Iterable

from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import Demand, Denial, Step
from lime_desktop.policy.facts import Approval, PolicyFacts
from lime_desktop.policy.resolved_call import ResolvedCall
from lime_desktop.policy.rules import MAY_ANSWER, RuleRef
from lime_desktop.policy.steps.allowlist import PRODUCT
from lime_desktop.policy.steps.risk import assess_risk
from lime_desktop.policy.vocabulary import LOCAL, REMEMBER_LIMITS, TargetKind, rank

OWN_ACT = RuleRef(
    "host.own-act",
    "host",
    PRODUCT,
    "The person's own act: they pressed for it in the app's page, it stays here and can be undone.",
)
_TARGETS: frozenset[TargetKind] = frozenset({"artifact"})
"""What such a call may reach for: everything else is somebody else's, or elsewhere."""
_CAPABILITIES = frozenset({"lime.storage", "lime.settings", "lime.artifacts"})
"""Whose calls change what is the app's own. A tool, a program, a server or an agent is never one of them."""


_UNASKED = {
    "auto-deny": "The app has its agents do without whatever would need a person's yes.",
    "manifest-only": "The app has its agents ask only about what its manifest announces.",
}


def is_answered_by_press(
    demands: Iterable[Demand], resolved: ResolvedCall, facts: PolicyFacts
) -> bool:
    """Whether a press is the person's yes: they just pressed in the app's own page for what stays here and can be undone.

    That they pressed is the host's word (`Call.is_own_act`), never the page's. All the rest is decided here.
    """
    call = resolved.call
    return (
        call.is_own_act
        # One reason that has to be asked about asks about all of them: nobody is asked twice for one call.
        and all(demand.can_be_own_act for demand in demands)
        and set(call.capabilities) <= _CAPABILITIES
        and resolved.effects <= LOCAL
        and all(target.kind in _TARGETS for target in call.targets)
        and all(operation.integration is None for operation in resolved.operations)
        and _is_by_a_page_here(resolved)
        and assess_risk(resolved, facts).level != "high"
    )


def _is_by_a_page_here(resolved: ResolvedCall) -> bool:
    """No agent, program, server or cost is in it, and somebody sits there."""
    call = resolved.call
    is_elsewhere = call.runs_remotely or call.is_unconfined or bool(call.program)
    return (
        call.is_interactive
        and not is_elsewhere
        and call.task_id is None
        and call.estimated_cost is None
    )


def check_approval(resolved: ResolvedCall, facts: PolicyFacts, demands: Iterable[Demand]) -> Step:
    """Keep the demands that nothing answers; without a person they are refusals."""
    answers = {demand: _answer(demand, resolved, facts) for demand in demands}
    notes = tuple(sorted({answer for answer in answers.values() if answer}))
    left = tuple(demand for demand, answer in answers.items() if answer is None)
    if left and is_answered_by_press(left, resolved, facts):
        return Step(name="approval", notes=tuple(sorted({*notes, OWN_ACT})))
    if left and (denial := _unaskable(left, resolved, facts)):
        return Step(name="approval", denials=(denial,), demands=left, notes=notes)
    if left and not resolved.call.is_interactive:
        text = "This needs a person's answer, and nobody is there to give one."
        rule = RuleRef("host.nobody-to-ask", "host", PRODUCT, text)
        change = "Run it where somebody can answer, or have the answer remembered before."
        denial = Denial(rule, "nobody-to-ask", change)
        return Step(name="approval", denials=(denial,), demands=left, notes=notes)
    return Step(name="approval", demands=left, notes=notes)


def _unaskable(
    left: tuple[Demand, ...], resolved: ResolvedCall, facts: PolicyFacts
) -> Denial | None:
    """Refuse what the app's own contract keeps its agents from asking: everything, or what its manifest does not announce."""
    asking = facts.declared.asking
    is_announced = any(demand.rule.layer == "manifest" for demand in left)
    is_asked = asking.behavior == "host-mediated" or (
        asking.behavior == "manifest-only" and is_announced
    )
    if is_asked or not resolved.call.task_id:
        return None
    text = _UNASKED[asking.behavior]
    rule = RuleRef(f"approval.{asking.behavior}", "manifest", asking.source, text)
    return Denial(rule, "nobody-to-ask", "Change the approval behavior in the manifest.")


def _answer(demand: Demand, resolved: ResolvedCall, facts: PolicyFacts) -> RuleRef | None:
    found = [
        *(
            _approval_ref(each)
            for each in facts.approvals
            if _answers(each, demand, resolved, facts)
        ),
        *(_waivers(resolved, facts) if demand.can_be_waived else ()),
    ]
    return min(found, default=None)


def _waivers(resolved: ResolvedCall, facts: PolicyFacts) -> Iterable[RuleRef]:
    for rule in facts.rules:
        may_answer = rule.effect == "allow" and rule.ref.layer in MAY_ANSWER
        if may_answer and rule.applies(resolved.facets, facts.now_ms):
            yield rule.ref


def _approval_ref(approval: Approval) -> RuleRef:
    text = f"Somebody said yes to this, for the {approval.scope}."
    return RuleRef(f"approval.{approval.id}", "user", "remembered approvals", text)


def _answers(
    approval: Approval, demand: Demand, resolved: ResolvedCall, facts: PolicyFacts
) -> bool:
    return (
        # What is missing can only be supplied: a yes does not fill it in.
        demand.kind != "elicitation"
        and approval.is_current(facts.now_ms)
        and approval.subject == resolved.call.subject
        and demand.rule.id in approval.answers
        and _reaches(approval, demand, resolved.call)
    )


def _reaches(approval: Approval, demand: Demand, call: PolicyCall) -> bool:
    if approval.scope == "call":
        return bool(call.arguments_digest) and approval.scope_id == call.arguments_digest
    if rank(approval.scope, REMEMBER_LIMITS) > rank(demand.remember, REMEMBER_LIMITS):
        return False
    scope_ids = {"task": call.task_id, "session": call.session_id, "workspace": call.workspace_id}
    return approval.scope_id == scope_ids[approval.scope]
