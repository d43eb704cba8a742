"""Which call policy has let pass last, for handlers that have more to ask. Carried by every task that the call starts."""

from contextvars import ContextVar
from dataclasses import dataclass

from lime_desktop.policy.call import Call
from lime_desktop.policy.facts import PolicyFacts


@dataclass(frozen=True, slots=True)
class PassedCall:
    """A call, and the facts by which it passed."""

    call: Call
    facts: PolicyFacts


passed_call: ContextVar[PassedCall] = ContextVar("passed_call")
"""Set by the gate before a handler runs."""
