"""What holds for an app from outside its package: the policies of those who govern here, and what overlays shut off."""

from collections.abc import Iterable
from dataclasses import dataclass

from lime_desktop.overlay.resolve import Resolved
from lime_desktop.policy.facts import Budget, DefaultRule
from lime_desktop.policy.overlay_rules import budgets_of_overlays, rules_of_overlays
from lime_desktop.policy.policy_file import PolicyFile
from lime_desktop.policy.rules import RiskRule, Rule
from lime_desktop.policy.vocabulary import RISK_LEVELS, RiskLevel, rank

USUAL_ASK_FROM: RiskLevel = "medium"
CURRENCY = "USD"
"""The money that costs are counted in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Governance:
    """Lines of policy that no package brings along."""

    rules: tuple[Rule, ...] = ()
    defaults: tuple[DefaultRule, ...] = ()
    risk_rules: tuple[RiskRule, ...] = ()
    budgets: tuple[Budget, ...] = ()
    ask_from: RiskLevel = USUAL_ASK_FROM


UNGOVERNED = Governance()


def governance_of(policies: Iterable[PolicyFile], overlays: Resolved) -> Governance:
    """Merge policies and overlays; the lowest risk from which any of them asks a person wins."""
    files = tuple(policies)
    asking: list[RiskLevel] = [USUAL_ASK_FROM, *(each.ask_from for each in files)]
    return Governance(
        rules=(*(rule for each in files for rule in each.rules), *rules_of_overlays(overlays)),
        defaults=tuple(default for each in files for default in each.defaults),
        risk_rules=tuple(rule for each in files for rule in each.risk_rules),
        budgets=(
            *(budget for each in files for budget in each.budgets),
            *budgets_of_overlays(overlays, currency=CURRENCY),
        ),
        ask_from=min(asking, key=lambda level: rank(level, RISK_LEVELS)),
    )
