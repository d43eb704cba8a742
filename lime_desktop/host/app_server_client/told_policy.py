"""What governs an app, written for the App Server: it judges what an agent does by the same lines as the bridge."""

from typing import TypedDict, cast

from lime_desktop.policy.governance import Governance
from lime_desktop.policy.rules import Match, RuleRef
from lime_desktop.protocol.calls.apps import (
    RegisteredDefault,
    RegisteredRiskRule,
    RegisteredRule,
    RuleLayer,
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


def _line(ref: RuleRef) -> _Line:
    # Nothing of the host's or the manifest's is among what governs from outside.
    layer = cast("RuleLayer", ref.layer)
    return {"id": ref.id, "layer": layer, "source": ref.source, "text": ref.text}


def _when(match: Match) -> dict[str, tuple[str, ...]]:
    return {criterion.facet: criterion.patterns for criterion in match.criteria}
