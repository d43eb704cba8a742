"""Who makes a call, and what they may see."""

import secrets
from dataclasses import dataclass

from lime_desktop.protocol.ids import AppId, TraceId


@dataclass(frozen=True, slots=True)
class CallContext:
    """Travels with every call from the connection to the owner of the fact."""

    trace_id: TraceId
    """Joins logs, events and answers of this call."""
    bound_app_id: AppId | None = None
    """The only app whose sessions this caller may see; the host itself sees all."""
    client_name: str = ""

    @classmethod
    def of_agent(cls, app_id: AppId, trace_id: str | None = None) -> "CallContext":
        """For a call that an app's agent makes: it sees what a client bound to the app sees."""
        trace = TraceId(trace_id or secrets.token_hex(16))
        return cls(trace_id=trace, bound_app_id=app_id, client_name="agent")
