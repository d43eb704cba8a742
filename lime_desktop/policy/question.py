"""Word the question that a person is asked: why, how risky, what leaves the machine, and what else could be done."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from lime_desktop.policy.call import DryRun, PolicyCall
from lime_desktop.policy.decision import Demand, Question, Suggestion
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.resolved_call import ResolvedCall
from lime_desktop.policy.steps.risk import assess_risk
from lime_desktop.policy.vocabulary import (
    EXTERNAL,
    REMEMBER_LIMITS,
    REMEMBER_SCOPES,
    RISK_LEVELS,
    RememberScope,
    rank,
)
from lime_desktop.protocol.approvals import ApprovalKind

T = TypeVar("T")

# What is missing comes first: there is no sense in approving what can't run.
_KINDS: tuple[ApprovalKind, ...] = (
    "elicitation",
    "policy_exception",
    "tool_confirmation",
    "ask_user",
)


LEAVES_MACHINE: Mapping[str, str] = {
    "server": "The call's input goes to a server of the app's maker.",
    "domain": "Data goes to {name}.",
    "system": "{name} is changed.",
}
"""What can leave the machine, by kind: whoever shows it in another language knows it by these."""
UNNAMED_SYSTEM = "An outside system"
"""What stands for a system that no integration names."""
SUGGESTIONS: Mapping[str, str] = {
    "dry-run": "Try it as a dry run first",
    "operation": "Leave a draft instead ({name})",
}
"""Safer ways, likewise."""


def build_question(
    demands: tuple[Demand, ...], resolved: ResolvedCall, facts: PolicyFacts
) -> Question:
    """Join all demands into one question, so that a person is asked once."""
    ordered = sorted(demands, key=lambda demand: (_KINDS.index(demand.kind), demand.rule))
    call = resolved.call
    return Question(
        kind=ordered[0].kind,
        title=_title(call),
        subject=call.subject,
        reasons=tuple(dict.fromkeys(demand.rule for demand in ordered)),
        risk=assess_risk(resolved, facts),
        leaves_machine=_leaves_machine(resolved, facts),
        effects=tuple(sorted(resolved.effects)),
        arguments_summary=call.arguments_summary,
        program=call.program,
        exactly=call.exactly,
        suggestions=_suggestions(resolved, facts),
        if_refused=tuple(dict.fromkeys(each.if_refused for each in ordered if each.if_refused)),
        remember_scopes=_remember_scopes(demands, call, facts),
        can_change=not call.task_id or facts.declared.asking.can_change,
        can_wait=not call.task_id or facts.declared.asking.can_wait,
    )


def join_questions(first: Question, second: Question) -> Question:
    """One question about two calls that happen together or not at all, in the words of the first."""
    kept = set(second.remember_scopes)
    return replace(
        first,
        kind=min(first.kind, second.kind, key=_KINDS.index),
        reasons=_both(first.reasons, second.reasons),
        risk=max(first.risk, second.risk, key=lambda risk: rank(risk.level, RISK_LEVELS)),
        leaves_machine=_both(first.leaves_machine, second.leaves_machine),
        effects=_both(first.effects, second.effects),
        suggestions=_both(first.suggestions, second.suggestions),
        if_refused=_both(first.if_refused, second.if_refused),
        remember_scopes=tuple(scope for scope in first.remember_scopes if scope in kept),
    )


def _both(first: tuple[T, ...], second: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _title(call: PolicyCall) -> str:
    targets = ", ".join(str(target) for target in call.targets)
    return f"{call.app_id} wants to call {call.name}" + (f" ({targets})" if targets else "")


def _leaves_machine(resolved: ResolvedCall, facts: PolicyFacts) -> tuple[str, ...]:
    domains = [
        LEAVES_MACHINE["domain"].format(name=domain)
        for domain in sorted(resolved.facets["domains"])
    ]
    changed = [
        LEAVES_MACHINE["system"].format(name=_system(operation.integration, facts))
        for operation in resolved.operations
        if operation.side_effect in EXTERNAL
    ]
    server = [LEAVES_MACHINE["server"]]
    return (*domains, *sorted(set(changed)), *(server if resolved.call.runs_remotely else ()))


def _system(integration_key: str | None, facts: PolicyFacts) -> str:
    integration = facts.declared.integration(integration_key)
    return integration.provider or integration.key if integration else UNNAMED_SYSTEM


def _suggestions(resolved: ResolvedCall, facts: PolicyFacts) -> tuple[Suggestion, ...]:
    if not resolved.effects & EXTERNAL:
        return ()
    dry_run = Suggestion(SUGGESTIONS["dry-run"], "dry-run")
    systems = {operation.integration for operation in resolved.operations}
    drafts = [
        Suggestion(SUGGESTIONS["operation"].format(name=operation.key), "operation", operation.key)
        for operation in facts.declared.operations
        if operation.side_effect == "draftbox_write"
        and operation.integration in systems
        and operation not in resolved.operations
    ]
    tried = resolved.call.dry_run != DryRun.NOT_DONE
    return (*(() if tried else (dry_run,)), *sorted(drafts, key=lambda each: each.label))


def _remember_scopes(
    demands: Iterable[Demand], call: PolicyCall, facts: PolicyFacts
) -> tuple[RememberScope, ...]:
    limit = min(rank(demand.remember, REMEMBER_LIMITS) for demand in demands)
    declared = facts.declared.remember_scopes
    held = {"task": call.task_id, "session": call.session_id, "workspace": call.workspace_id}
    return tuple(
        scope
        for scope in REMEMBER_SCOPES
        if rank(scope, REMEMBER_LIMITS) <= limit
        and held[scope] is not None
        and (declared is None or scope in declared)
    )
