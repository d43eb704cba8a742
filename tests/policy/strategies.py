"""Calls and facts from small pools, so that rules, grants and approvals often meet the call they are tried on."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import strategies as st

from lime_desktop.app_package.manifest.operations import SideEffect
from lime_desktop.policy.call import DryRun, PolicyCall, Target
from lime_desktop.policy.declared import (
    Declared,
    DeclaredIntegration,
    DeclaredOperation,
    DeclaredPermission,
)
from lime_desktop.policy.facts import (
    Approval,
    CostLimit,
    DefaultRule,
    Grant,
    PolicyFacts,
    Readiness,
)
from lime_desktop.policy.resolved_call import resolve_call
from lime_desktop.policy.rules import Criterion, Facet, Match, RiskRule, Rule, RuleRef
from lime_desktop.policy.steps.risk import HOST_RISK_RULES

NOW_MS = 1_000
CAPABILITIES = ("lime.ui", "lime.tools", "lime.agent", "lime.terminal", "lime.storage")
PERMISSION_KEYS = ("api", "web", "files", "model", "store")
OPERATIONS = ("push", "publish", "draft")
PATTERNS: dict[Facet, tuple[str, ...]] = {
    "capabilities": ("lime.tools", "lime.*", "*", "lime.agent"),
    "methods": ("invoke", "*", "set"),
    "domains": ("example.com", "*.example.com", "*"),
    "paths": ("drafts", "**/private", "*"),
    "tools": ("fetch", "f*"),
    "sideEffects": ("external_write", "external_*", "none"),
    "operations": OPERATIONS,
    "scopes": ("network", "tool"),
}
_DEEDS: tuple[tuple[str | None, SideEffect], ...] = (
    (None, "none"),
    (None, "app_storage_write"),
    (None, "external_write"),
    ("draft", "draftbox_write"),
    ("push", "external_write"),
    ("publish", "external_publish"),
    ("publish", "none"),
    ("push", "external_delete"),
    ("other", "none"),
)
_TARGETS = (
    Target("domain", "https://api.example.com/x"),
    Target("domain", "example.com"),
    Target("domain", "127.0.0.1"),
    Target("domain", "a@b"),
    Target("path", "drafts/a.md"),
    Target("path", "Drafts/Private"),
    Target("path", ".."),
    Target("tool", "fetch"),
    Target("secret", "key"),
)


_FAIR_TARGETS = st.lists(st.sampled_from((_TARGETS[0], _TARGETS[4], _TARGETS[7])), max_size=2)
_MOSTLY = st.sampled_from((True, True, True, False))


@st.composite
def calls(draw: st.DrawFn) -> PolicyCall:
    operation, effect = draw(st.sampled_from(_DEEDS))
    return PolicyCall(
        app_id="notes",
        capability=draw(st.sampled_from(CAPABILITIES)),
        method=draw(st.sampled_from(("invoke", "set", "run", "exportData"))),
        entry=draw(st.sampled_from((None, "home"))),
        operation=operation,
        targets=tuple(
            draw(st.one_of(_FAIR_TARGETS, st.lists(st.sampled_from(_TARGETS), max_size=2)))
        ),
        access=draw(st.sampled_from(("read", "write"))),
        side_effect=effect,
        arguments_digest=draw(st.sampled_from(("", "digest"))),
        has_idempotency_key=draw(_MOSTLY),
        dry_run=draw(st.sampled_from((DryRun.DONE, *DryRun))),
        estimated_cost=draw(st.sampled_from((None, Decimal(1)))),
        runs_remotely=draw(st.sampled_from((False, False, True))),
        is_interactive=draw(_MOSTLY),
        task_id="task",
        session_id=draw(st.sampled_from((None, "session"))),
        workspace_id="workspace",
    )


def _ref(layer: str, number: int) -> RuleRef:
    return RuleRef(f"{layer}.{number}", layer, f"{layer}.yaml", "A rule.")  # pyright: ignore[reportArgumentType] - drawn from Layer


@st.composite
def matches(draw: st.DrawFn) -> Match:
    facets = draw(st.lists(st.sampled_from(tuple(PATTERNS)), max_size=2, unique=True))
    return Match(
        tuple(Criterion(facet, (draw(st.sampled_from(PATTERNS[facet])),)) for facet in facets)
    )


@st.composite
def denies(draw: st.DrawFn) -> Rule:
    layer = draw(
        st.sampled_from(("host", "manifest", "organisation", "workspace", "overlay", "user"))
    )
    return Rule(_ref(layer, draw(st.integers(0, 9))), "deny", draw(matches()))


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    effect = draw(st.sampled_from(("ask", "audit", "allow", "deny")))
    layer = draw(st.sampled_from(("organisation", "workspace", "user")))
    return Rule(
        _ref(layer, draw(st.integers(0, 99))),
        effect,
        draw(matches()),
        draw(st.sampled_from(("never", "task", "session", "workspace"))),
        draw(st.sampled_from((None, 500, 2_000))) if effect == "allow" else None,
    )


_PERMISSIONS = (
    DeclaredPermission(key="api", scope="network", domains=("*.example.com", "example.com")),
    DeclaredPermission(key="web", scope="network"),
    DeclaredPermission(key="files", scope="filesystem", access="read-write", paths=("drafts",)),
    DeclaredPermission(key="model", scope="model"),
    DeclaredPermission(key="store", scope="storage", access="read"),
)
_OPERATIONS = (
    DeclaredOperation(
        key="push",
        side_effect="external_write",
        integration="crm",
        approval_required=True,
        dry_run_required=True,
        idempotency_required=True,
        auto_execute=False,
    ),
    DeclaredOperation(key="publish", side_effect="external_publish", auto_execute=True),
    DeclaredOperation(key="draft", side_effect="draftbox_write"),
    DeclaredOperation(key="keep", side_effect="app_storage_write", approval_required=True),
)


@st.composite
def declarations(draw: st.DrawFn) -> Declared:
    return Declared(
        app_id="notes",
        capabilities=frozenset(CAPABILITIES if draw(_MOSTLY) else CAPABILITIES[:2]),
        permissions=_PERMISSIONS[: draw(st.sampled_from((5, 4, 4, 3, 0)))],
        operations=_OPERATIONS,
        integrations=(DeclaredIntegration(key="crm", provider="crm", may_write=True),),
        tools=frozenset({"fetch"}),
        secrets=frozenset({"key"}),
        has_storage=True,
        is_server_assisted=draw(_MOSTLY),
        remember_scopes=draw(st.sampled_from((None, ("task",)))),
    )


def rule_ids(declared: Declared) -> tuple[str, ...]:
    """Every id that a question can have as a reason, so that approvals often answer."""
    permissions = [f"permission.{each.key}" for each in declared.permissions]
    operations = [
        f"operation.{each.key}.{demand}"
        for each in declared.operations
        for demand in ("approval", "no-auto-execute")
    ]
    return (
        *permissions,
        *(f"{each}.unnamed" for each in permissions),
        *operations,
        *(rule.ref.id for rule in HOST_RISK_RULES),
        "host.always-a-person",
        "organisation.default",
        "user.budget",
    )


@st.composite
def approvals(draw: st.DrawFn, subject: str, ids: tuple[str, ...]) -> Approval:
    scope = draw(st.sampled_from(("call", "task", "session", "workspace")))
    scope_id = "digest" if scope == "call" else scope
    return Approval(
        id=str(draw(st.integers(0, 99))),
        subject=subject,
        answers=frozenset(draw(st.one_of(st.just(ids), st.lists(st.sampled_from(ids))))),
        scope=scope,
        scope_id=scope_id,
        expires_at_ms=draw(st.sampled_from((None, 500, 2_000))),
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[PolicyCall, PolicyFacts]:
    """A call and facts that fit each other more often than chance would have it."""
    call, declared = draw(calls()), draw(declarations())
    drawn_rules = tuple(draw(st.lists(rules(), max_size=3)))
    ids = (*rule_ids(declared), *(rule.ref.id for rule in drawn_rules))
    subject = resolve_call(call, declared).call.subject
    facts = PolicyFacts(
        declared=declared,
        now_ms=NOW_MS,
        readiness=Readiness(
            state=draw(st.sampled_from(("ready", "ready", "ready-degraded", "needs-setup")))
        ),
        rules=drawn_rules,
        defaults=tuple(
            DefaultRule(ref=_ref("organisation", 0), effect=effect)
            for effect in draw(st.lists(st.sampled_from(("deny", "ask")), max_size=1))
            if not draw(_MOSTLY)
        ),
        risk_rules=tuple(
            RiskRule(_ref("organisation", 50), level)
            for level in draw(st.lists(st.sampled_from(("low", "high")), max_size=1))
        ),
        grants=tuple(
            Grant(permission=key, expires_at_ms=draw(st.sampled_from((None, 500, 2_000))))
            for key in draw(st.lists(st.sampled_from(PERMISSION_KEYS), unique=True))
        ),
        approvals=tuple(draw(st.lists(approvals(subject, ids), max_size=3))),
        cost_limits=tuple(
            CostLimit(ref=replace(_ref("user", 0), id="user.budget"), limit=limit, is_hard=hard)
            for limit, hard in draw(
                st.lists(
                    st.tuples(st.sampled_from((Decimal(0), Decimal(5))), st.booleans()), max_size=1
                )
            )
        ),
        unbound=frozenset(draw(st.sets(st.just(Target("secret", "key"))))),
        ask_from=draw(st.sampled_from(("low", "medium"))),
    )
    return call, facts
