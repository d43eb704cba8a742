"""Whether this run exports traces. Off unless the usual OTEL variables switch it on."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lime_desktop.protocol.capability_calls.evidence import EvidenceRecord
from lime_desktop.protocol.runtime.events import RuntimeEvent

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Telemetry:
    """What sees events, and how it ends."""

    observe: Callable[[str, Sequence[RuntimeEvent]], None]
    note_evidence: Callable[[EvidenceRecord], None]
    stop: Callable[[], None]


def is_switched_on(environment: Mapping[str, str]) -> bool:
    """Whether somebody asked for traces, by the variables OpenTelemetry itself defines."""
    if environment.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environment.get("OTEL_TRACES_EXPORTER", "")
    if exporter:
        return exporter.lower() != "none"
    return any(
        environment.get(name)
        for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    )


def start_telemetry(environment: Mapping[str, str]) -> Telemetry | None:
    """Begin to export, if somebody asked for traces and they can be made."""
    if not is_switched_on(environment):
        return None
    try:
        # Here and not above: it takes a tenth of a second that only users of traces should pay.
        from lime_desktop.app_server.server.span_export import start_export  # noqa: PLC0415
    except ImportError:
        _log.warning("traces were asked for, but the `telemetry` extra is not installed")
        return None
    spans, stop = start_export(environment)
    return Telemetry(spans.observe, spans.note_evidence, stop)
