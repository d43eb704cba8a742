"""What holds for an app from outside its package, as lines of policy. Where they were read from is not known here."""

from dataclasses import dataclass

from lime_desktop.policy.facts import Budget, DefaultRule
from lime_desktop.policy.rules import RiskRule, Rule
from lime_desktop.policy.vocabulary import RiskLevel

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
