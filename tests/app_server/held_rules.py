"""Hold everything that a runtime wrote against the rules. Needs no pytest: benchmarks use it too."""

from pathlib import Path
from typing import Any

from lime_desktop.protocol.runtime.event_types import is_extension
from tests.app_server.runtime_core.runtime import Runtime
from tests.protocol.published_schemas import lime_profile


async def check_everything(runtime: Runtime[Any], upstream_data: Path) -> None:
    """Check that every event is valid, every sequence whole, every rebuild equal."""
    schema = lime_profile(upstream_data, "event")
    for event in runtime.events:
        if not is_extension(event.type):
            schema.validate(event.to_wire())
    for session_id in {event.session_id for event in runtime.events}:
        told = [e.sequence for e in runtime.events if e.session_id == session_id]
        assert told == list(range(told[0], told[0] + len(told)))
        assert len({e.event_id for e in runtime.events}) == len(runtime.events)
        snapshot = (await runtime.read(session_id)).snapshot
        lime_profile(upstream_data, "snapshot").validate(snapshot.to_wire())
    for rebuilt in await runtime.rebuilt():
        assert rebuilt.is_equal, rebuilt.different
