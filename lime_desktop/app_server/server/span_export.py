"""Send spans to a collector, as the OTEL variables say. Needs the `telemetry` extra."""

from collections.abc import Callable, Mapping

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

from lime_desktop.app_server.server.event_spans import EventSpans


def start_export(environment: Mapping[str, str]) -> tuple[EventSpans, Callable[[], None]]:
    """Give an observer whose spans are exported, and the way to end it."""
    name = environment.get("OTEL_SERVICE_NAME", "app-server")
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    wants = environment.get("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "")
    spans = EventSpans(
        provider.get_tracer("lime_desktop.app_server"), has_content=wants.lower() == "true"
    )

    def stop() -> None:
        spans.close()
        provider.shutdown()

    return spans, stop
