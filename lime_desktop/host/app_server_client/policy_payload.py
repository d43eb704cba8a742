"""What governs an app, written for the App Server: it judges what an agent does by the same lines as the bridge."""

from typing import TypedDict, cast

from lime_desktop.overlay.effects import why_ignored
from lime_desktop.overlay.resolve import Resolved
from lime_desktop.overlay.surface import OverlaySurface
from lime_desktop.policy.governance import Governance
from lime_desktop.policy.rules import Match, RuleRef
from lime_desktop.protocol.calls.apps import (
    RegisteredBudget,
    RegisteredDefault,
    RegisteredRiskRule,
    RegisteredRule,
    RegisteredSetting,
    RuleLayer,
)

_OF_AGENTS = (
    *("model.", "content.", "evals.", "industry.", "knowledge.", "tools.", "export."),
    "workflows.",
)


class _Line(TypedDict):
    id: str
    layer: RuleLayer
    source: str
    text: str


def told_rules(policy: Governance) -> tuple[RegisteredRule, ...]:
    """Its rules."""
    return tuple(
        RegisteredRule(
            **_line(rule.ref),
            effect=rule.effect,
            when=_when(rule.match),
            remember=rule.remember,
            expires_at_ms=rule.expires_at_ms,
        )
        for rule in policy.rules
    )


def told_risks(policy: Governance) -> tuple[RegisteredRiskRule, ...]:
    """What it says is risky."""
    return tuple(
        RegisteredRiskRule(**_line(rule.ref), level=rule.level, when=_when(rule.match))
        for rule in policy.risk_rules
    )


def told_defaults(policy: Governance) -> tuple[RegisteredDefault, ...]:
    """What it says of everything else."""
    return tuple(
        RegisteredDefault(**_line(default.ref), effect=default.effect)
        for default in policy.defaults
    )


def told_budgets(policy: Governance) -> tuple[RegisteredBudget, ...]:
    """What its agents may spend: a setting is about its own app, a policy about all of them together."""
    return tuple(
        RegisteredBudget(
            **_line(budget.ref),
            window=budget.window,
            limit_usd=float(budget.limit),
            is_hard=budget.is_hard,
            scope="app" if budget.ref.layer == "overlay" else "everything",
            who=budget.who,
        )
        for budget in policy.budgets
    )


def told_settings(overlays: Resolved, surface: OverlaySurface) -> tuple[RegisteredSetting, ...]:
    """The settings that act on its agents, its tools, its knowledge and its documents."""
    return tuple(
        RegisteredSetting(
            key=each.key,
            value=each.value,
            source=each.source,
            is_locked=each.locked_by_policy,
        )
        for each in overlays.values.values()
        if each.key.startswith(_OF_AGENTS) and why_ignored(each.key, surface) is None
    )


def _line(ref: RuleRef) -> _Line:
    # Nothing of the host's or the manifest's is among what governs from outside.
    layer = cast("RuleLayer", ref.layer)
    return {"id": ref.id, "layer": layer, "source": ref.source, "text": ref.text}


def _when(match: Match) -> dict[str, tuple[str, ...]]:
    return {criterion.facet: criterion.patterns for criterion in match.criteria}
