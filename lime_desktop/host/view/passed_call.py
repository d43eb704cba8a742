"""Which call of a tool has been let pass last, and by what yeses. Carried by every task that the call starts."""

from contextvars import ContextVar
from dataclasses import dataclass

from lime_desktop.policy.call import Call


@dataclass(frozen=True, slots=True)
class PassedCall:
    """A page's call, and the rules that people agreed to for it and for what the tool does."""

    call: Call
    agreed: tuple[str, ...]


passed_call: ContextVar[PassedCall] = ContextVar("passed_call")
"""Set by the gate before a handler runs."""
