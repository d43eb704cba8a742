"""Everything a decision rests on besides the call. The host gathers these; policy only reads them."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from lime_desktop.policy.call import Target
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.rules import RiskRule, Rule, RuleRef
from lime_desktop.policy.vocabulary import ApprovalScope, ReadinessState, RiskLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """What readiness said of the entry that calls."""

    state: ReadinessState = "unknown"
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A declared permission that somebody gave, at install or later."""

    permission: str
    expires_at_ms: int | None = None

    def is_current(self, now_ms: int) -> bool:
        """Tell whether it still holds."""
        return self.expires_at_ms is None or now_ms < self.expires_at_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A yes that somebody gave to a question, and how far it reaches."""

    id: str
    subject: str
    """As in `Question.subject`."""
    answers: frozenset[str]
    """The rules that were put to the person. A rule that came later was not, and asks again."""
    scope: ApprovalScope
    scope_id: str
    """The task, session or workspace; for ``call`` the digest of the exact arguments."""
    expires_at_ms: int | None = None

    def is_current(self, now_ms: int) -> bool:
        """Tell whether it still holds."""
        return self.expires_at_ms is None or now_ms < self.expires_at_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLimit:
    """How much may be spent, and how much was."""

    ref: RuleRef
    limit: Decimal
    spent: Decimal = Decimal(0)
    is_hard: bool = True
    """A soft limit may be exceeded when a person agrees."""

    def is_exceeded_by(self, estimate: Decimal) -> bool:
        """Tell whether a call would go beyond it, or it is used up already."""
        return self.spent >= self.limit or self.spent + estimate > self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultRule:
    """What an organisation or workspace says of every call that none of its own rules allow."""

    ref: RuleRef
    effect: Literal["deny", "ask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyFacts:
    """One moment's facts."""

    declared: Declared
    now_ms: int
    readiness: Readiness = Readiness()
    rules: tuple[Rule, ...] = ()
    """Of every layer, in any order."""
    defaults: tuple[DefaultRule, ...] = ()
    risk_rules: tuple[RiskRule, ...] = ()
    grants: tuple[Grant, ...] = ()
    approvals: tuple[Approval, ...] = ()
    cost_limits: tuple[CostLimit, ...] = ()
    unbound: frozenset[Target] = frozenset()
    """Declared secrets and knowledge that nobody has filled yet."""
    ask_from: RiskLevel = "medium"
    """The lowest risk that a person is asked about."""

    def standing_time(self) -> tuple[float, float]:
        """From when until when time alone changes no decision: between two moments at which something lapses."""
        timed = (*self.rules, *self.grants, *self.approvals)
        ends = [each.expires_at_ms for each in timed if each.expires_at_ms is not None]
        since = max((end for end in ends if end <= self.now_ms), default=-math.inf)
        return since, min((end for end in ends if end > self.now_ms), default=math.inf)


Window = Literal["task", "month"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """A limit whose spending the host still has to fill in."""

    ref: RuleRef
    window: Window
    limit: Decimal
    is_hard: bool
    who: str = ""
    """Whose limit it is, by a name that a person knows."""

    def with_spending(self, *, task: Decimal, month: Decimal) -> CostLimit:
        """Join the limit with what was spent in its window."""
        spent = task if self.window == "task" else month
        return CostLimit(ref=self.ref, limit=self.limit, spent=spent, is_hard=self.is_hard)
