"""When is a press the person's yes? Where they just pressed in the app's own page for what stays here and can be taken back.

That they pressed is the host's word (`Call.is_own_act`), never the page's. All the rest is decided here.
"""

from collections.abc import Iterable

from lime_desktop.policy.decision import Demand
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.reading import Reading
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.steps.allowlist import PRODUCT
from lime_desktop.policy.steps.risk import assess_risk
from lime_desktop.policy.vocabulary import LOCAL, TargetKind

OWN_ACT = RuleRef(
    "host.own-act",
    "host",
    PRODUCT,
    "The person's own act: they pressed for it in the app's page, it stays here and can be undone.",
)
_TARGETS: frozenset[TargetKind] = frozenset({"artifact"})
"""What such a call may reach for: everything else is somebody else's, or elsewhere."""
_CAPABILITIES = frozenset({"lime.storage", "lime.settings", "lime.artifacts"})
"""Whose calls change what is the app's own. A tool, a program, a server or an agent is never one of them."""


def is_answered_by_press(demands: Iterable[Demand], reading: Reading, facts: PolicyFacts) -> bool:
    """Whether nobody has to be asked: everything that asks may be answered so, and the call is of this kind."""
    call = reading.call
    return (
        call.is_own_act
        # One reason that has to be asked about asks about all of them: nobody is asked twice for one call.
        and all(demand.can_be_own_act for demand in demands)
        and set(call.capabilities) <= _CAPABILITIES
        and reading.effects <= LOCAL
        and all(target.kind in _TARGETS for target in call.targets)
        and all(operation.integration is None for operation in reading.operations)
        and _is_by_a_page_here(reading)
        and assess_risk(reading, facts).level != "high"
    )


def _is_by_a_page_here(reading: Reading) -> bool:
    """No agent, program, server or cost is in it, and somebody sits there."""
    call = reading.call
    is_elsewhere = call.runs_remotely or call.is_unconfined or bool(call.program)
    return (
        call.is_interactive
        and not is_elsewhere
        and call.task_id is None
        and call.estimated_cost is None
    )
