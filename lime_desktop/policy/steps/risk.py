"""Step five: how risky is it, what do its operations demand, and was the permission ever given?"""

from collections.abc import Iterator
from functools import lru_cache

from lime_desktop.policy.call import DryRun, PolicyCall
from lime_desktop.policy.decision import Demand, Denial, Risk, Step
from lime_desktop.policy.declared import DeclaredOperation, DeclaredPermission
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.resolved_call import ResolvedCall
from lime_desktop.policy.rules import (
    FACETS,
    Criterion,
    Facet,
    Facets,
    Match,
    RiskRule,
    RuleRef,
)
from lime_desktop.policy.steps.allowlist import PRODUCT, permissions_for, permissions_in_scope
from lime_desktop.policy.steps.readiness import SETUP_CALLS
from lime_desktop.policy.vocabulary import (
    ALWAYS_A_PERSON,
    ALWAYS_AVAILABLE,
    EXTERNAL,
    LOCAL,
    RISK_LEVELS,
    RememberLimit,
    RiskLevel,
    rank,
)


def _host_rule(name: str, level: RiskLevel, text: str, **patterns: tuple[str, ...]) -> RiskRule:
    facets: dict[str, Facet] = {
        "capabilities": "capabilities",
        "methods": "methods",
        "side_effects": "sideEffects",
        "execution": "execution",
    }
    criteria = tuple(Criterion(facets[facet], values) for facet, values in patterns.items())
    return RiskRule(RuleRef(f"host.risk.{name}", "host", PRODUCT, text), level, Match(criteria))


HOST_RISK_RULES = (
    _host_rule(
        "local-change",
        "low",
        "It changes the app's own data or files that were opened to it.",
        side_effects=tuple(sorted(LOCAL)),
    ),
    _host_rule(
        "draft",
        "medium",
        "It leaves a draft in an outside system.",
        side_effects=("draftbox_write",),
    ),
    _host_rule(
        "outside-change",
        "high",
        "It changes an outside system, and that can't be undone from here.",
        side_effects=("external_write", *sorted(ALWAYS_A_PERSON)),
    ),
    _host_rule(
        "terminal",
        "high",
        "It runs a command on this machine.",
        capabilities=("lime.terminal",),
        methods=("run",),
    ),
    _host_rule(
        "connector",
        "medium",
        "It acts through a connected service or tool server.",
        capabilities=("lime.connectors", "lime.mcp"),
        methods=("invoke",),
    ),
    _host_rule("browser", "medium", "It drives a web browser.", capabilities=("lime.browser",)),
    _host_rule(
        "session-token",
        "medium",
        "It hands the app a token of your account.",
        capabilities=("lime.cloudSession",),
        methods=("getAccessToken",),
    ),
    _host_rule(
        "settings",
        "medium",
        "It changes settings of this product.",
        capabilities=("lime.settings",),
        methods=("set",),
    ),
    _host_rule(
        "automation",
        "medium",
        "It starts a job that goes on by itself.",
        capabilities=("lime.automation",),
        methods=("startJob",),
    ),
    _host_rule(
        "unconfined",
        "high",
        "Nothing walls the program off: it can read, change and send whatever you can.",
        execution=("unconfined",),
    ),
    _host_rule(
        "remote", "medium", "It runs on a server of the app's maker.", execution=("remote",)
    ),
)


@lru_cache(maxsize=512)
def is_risky_by_name(capability: str, method: str) -> bool:
    """Whether a call is asked about for what it does, and not for a permission that it rests on.

    A permission is given for good, whatever it is used for. A yes to what could do harm is a yes to what was shown.
    """
    named: Facets = {
        **dict.fromkeys(FACETS, frozenset[str]()),
        "capabilities": frozenset({capability}),
        "methods": frozenset({method}),
    }
    return any(rule.match.touches(named) for rule in HOST_RISK_RULES)


def assess_risk(resolved: ResolvedCall, facts: PolicyFacts) -> Risk:
    """Rate a call by every rule that speaks of it; the highest counts."""
    found = _risk_rules(_as_carried_out(resolved), facts)
    level = max((_level(rule.level) for rule in found), default=0)
    return Risk(RISK_LEVELS[level], tuple(sorted(rule.ref for rule in found)))


def check_risk(resolved: ResolvedCall, facts: PolicyFacts) -> Step:
    """Collect what must be true first, and every reason to ask a person."""
    resolved = _as_carried_out(resolved)
    return Step(
        name="risk",
        denials=tuple(_unmet(resolved)),
        demands=(
            *_bindings(resolved, facts),
            *_consents(resolved, facts),
            *_operation_demands(resolved),
            *_risk_demands(resolved, facts),
        ),
    )


def _as_carried_out(resolved: ResolvedCall) -> ResolvedCall:
    # The host guarantees that a dry run changes nothing: only what it reaches for counts.
    return resolved.without_effects() if resolved.call.dry_run == DryRun.THIS_CALL else resolved


def _level(level: RiskLevel) -> int:
    return rank(level, RISK_LEVELS)


def _risk_rules(resolved: ResolvedCall, facts: PolicyFacts) -> list[RiskRule]:
    rules = (*HOST_RISK_RULES, *facts.risk_rules)
    return [rule for rule in rules if rule.match.touches(resolved.facets)]


def _risk_demands(resolved: ResolvedCall, facts: PolicyFacts) -> Iterator[Demand]:
    for rule in _risk_rules(resolved, facts):
        if _level(rule.level) >= _level(facts.ask_from):
            # What could do harm is asked about again in each session.
            remember: RememberLimit = "session" if rule.level == "high" else "workspace"
            yield Demand(
                rule.ref,
                "tool_confirmation",
                remember,
                can_be_waived=True,
                can_be_own_act=_is_usual(rule, facts),
            )
    if resolved.effects & ALWAYS_A_PERSON:
        text = "Publishing, deleting and bulk changes always need a person's yes to this very call."
        rule = RuleRef("host.always-a-person", "host", PRODUCT, text)
        yield Demand(rule, "tool_confirmation", "never")


def _is_usual(rule: RiskRule, facts: PolicyFacts) -> bool:
    """Whether only this product itself asks: neither has somebody rated the call, nor had more be asked about."""
    return rule in HOST_RISK_RULES and _level(facts.ask_from) >= _level("medium")


def _unmet(resolved: ResolvedCall) -> Iterator[Denial]:
    call = resolved.call
    for operation in resolved.operations:
        if operation.dry_run_required and call.dry_run != DryRun.DONE:
            text = f"{operation.key} must be tried as a dry run first."
            yield Denial(_demand_of(operation, "dry-run", text), "demand-unmet", "Do the dry run.")
        if operation.idempotency_required and not call.has_idempotency_key:
            text = f"{operation.key} needs an idempotency key, so that a retry does nothing twice."
            rule = _demand_of(operation, "idempotency", text)
            yield Denial(rule, "demand-unmet", "Send an idempotencyKey with the call.")


def _demand_of(operation: DeclaredOperation, demand: str, text: str) -> RuleRef:
    return RuleRef(f"operation.{operation.key}.{demand}", "manifest", operation.source, text)


def _operation_demands(resolved: ResolvedCall) -> Iterator[Demand]:
    for operation in resolved.operations:
        remember: RememberLimit = "session" if operation.side_effect in EXTERNAL else "workspace"
        if operation.approval_required:
            text = f"{operation.key} is declared to need approval."
            rule = _demand_of(operation, "approval", text)
            yield Demand(rule, "tool_confirmation", remember, can_be_own_act=True)
        if operation.auto_execute is False:
            text = f"{operation.key} is declared never to run by itself."
            rule = _demand_of(operation, "no-auto-execute", text)
            yield Demand(rule, "tool_confirmation", remember, can_be_own_act=True)


def _bindings(resolved: ResolvedCall, facts: PolicyFacts) -> Iterator[Demand]:
    if resolved.call.name in SETUP_CALLS:
        return
    for target in resolved.call.targets:
        if target in facts.unbound:
            text = f"The {target} has not been set up yet."
            rule = RuleRef(f"binding.{target.kind}.{target.value}", "host", PRODUCT, text)
            yield Demand(rule, "elicitation", "never")


def _consents(resolved: ResolvedCall, facts: PolicyFacts) -> Iterator[Demand]:
    call = resolved.call
    if call.capability in ALWAYS_AVAILABLE:
        yield from _unnamed_sites(call, facts)
        return
    if call.name in SETUP_CALLS:
        return
    granted = {grant.permission for grant in facts.grants if grant.is_current(facts.now_ms)}
    for scope in sorted(resolved.capability_scopes):
        permissions = permissions_in_scope(scope, call, facts.declared)
        yield from _consent(permissions, granted)
    for target in call.targets:
        if target.kind in {"domain", "path"}:
            permissions = permissions_for(target, call, facts.declared)
            yield from _place_consent(permissions, granted)


def _unnamed_sites(call: PolicyCall, facts: PolicyFacts) -> Iterator[Demand]:
    """Opening a page needs no permission, but an address can carry data out: a place the manifest names is known, others are asked about."""
    for target in call.targets:
        permissions = permissions_for(target, call, facts.declared)
        if target.kind == "domain" and not any(each.names_targets for each in permissions):
            text = f"The app opens {target.value}, which its manifest does not name."
            rule = RuleRef("host.risk.unnamed-site", "host", PRODUCT, text)
            yield Demand(rule, "ask_user", can_be_waived=True)


def _consent(permissions: tuple[DeclaredPermission, ...], granted: set[str]) -> Iterator[Demand]:
    if permissions and not any(permission.key in granted for permission in permissions):
        wanted = permissions[0]
        text = wanted.reason or f"The app asks for {wanted.scope} access."
        rule = RuleRef(f"permission.{wanted.key}", "manifest", wanted.source, text)
        refused = wanted.degraded_behavior
        yield Demand(rule, "ask_user", if_refused=refused, can_be_waived=True)


def _place_consent(
    permissions: tuple[DeclaredPermission, ...], granted: set[str]
) -> Iterator[Demand]:
    # Which rules ask must not hang on what is granted, or an old answer could fit better once a grant is gone.
    named = tuple(permission for permission in permissions if permission.names_targets)
    yield from _consent(named or permissions, granted)
    if permissions and not named:
        wanted = permissions[0]
        text = f"The permission {wanted.key} does not say where to, so each place is asked about."
        rule = RuleRef(f"permission.{wanted.key}.unnamed", "manifest", wanted.source, text)
        yield Demand(rule, "ask_user", can_be_waived=True)
