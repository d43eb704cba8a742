"""A limit on what may be spent, before it is known what was spent."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from lime_desktop.policy.facts import CostLimit
from lime_desktop.policy.rules import RuleRef

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
