"""Who makes a call, and what they may see."""

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
