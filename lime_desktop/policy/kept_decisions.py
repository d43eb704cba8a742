"""Decide the same call under the same facts once. Gives what `decide` gives, to the letter; knows no rule itself.

The facts are the key, not a number that somebody would have to remember to raise: whatever changes in them makes every
kept decision void. Time alone passes without such a change, and it matters only where something lapses.
"""

import math
from dataclasses import fields
from operator import attrgetter

from lime_desktop.policy.call import Call
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Decision
from lime_desktop.policy.facts import PolicyFacts

MOST_KEPT = 1_000
"""Calls that differ in what they reach for are decided apart; an app that makes up names must not fill the memory."""

_standing = attrgetter(*(each.name for each in fields(PolicyFacts) if each.name != "now_ms"))


class KeptDecisions:
    """The decisions that hold under the latest facts."""

    def __init__(self) -> None:
        self._latest: PolicyFacts | None = None
        self._facts: object = None
        self._since_ms = self._until_ms = -math.inf
        self._decisions: dict[Call, Decision] = {}

    def decide(self, call: Call, facts: PolicyFacts) -> Decision:
        """Answer as `decide` would."""
        self._follow(facts)
        known = self._decisions.get(call)
        if known is None:
            if len(self._decisions) >= MOST_KEPT:
                self._decisions.clear()
            known = self._decisions[call] = decide(call, facts)
        return known

    def __len__(self) -> int:
        return len(self._decisions)

    def _follow(self, facts: PolicyFacts) -> None:
        if facts is self._latest:
            return
        self._latest = facts
        # Facts that nobody touched are the same objects, and then comparing them costs next to nothing.
        standing = _standing(facts)
        if standing == self._facts and self._since_ms <= facts.now_ms < self._until_ms:
            return
        self._decisions.clear()
        self._facts = standing
        self._since_ms, self._until_ms = facts.standing_time()


def heeds_arguments(facts: PolicyFacts) -> bool:
    """Tell whether a decision can hang on the exact arguments: only a yes to one very call looks at them."""
    return any(approval.scope == "call" for approval in facts.approvals)
