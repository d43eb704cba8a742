"""What RuntimeCore holds does not grow with what is in its log."""

import gc
from collections.abc import Sequence
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.runtime_core.core import RuntimeCore, open_core
from lime_desktop.app_server.runtime_core.log.journal import SessionView
from lime_desktop.protocol.calls.sessions import StartSessionParams
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.wire import WireModel
from tests.app_server.bounded import run
from tests.app_server.runtime_core.runtime import CONTEXT, LIMITS, event

SESSION = SessionId("session_1")
BATCH, BATCHES = 500, 40
MOST_MORE = 2_000
"""Far from none, so that caches may be; far from one for each of the 20,000 events."""


def held() -> int:
    """How many events, records and other messages are alive, whoever holds them."""
    gc.collect()
    return sum(isinstance(each, WireModel) for each in gc.get_objects())


async def append(core: RuntimeCore, event_type: EventType, named: str, first: int) -> None:
    def decide(view: SessionView) -> Sequence[ProposedEvent]:
        del view
        return [
            event(event_type, {"status": "ready", "code": "noted"}, **{named: f"{named}_{number}"})
            for number in range(first, first + BATCH)
        ]

    await core.journal.append(SESSION, decide)


@pytest.mark.parametrize(
    ("event_type", "named"),
    [
        ("artifact.changed", "artifact_id"),
        ("runtime.warning", "event_id"),
    ],
)
def test_events_outside_turns_are_held_by_the_log_and_not_by_memory(
    tmp_path: Path, event_type: EventType, named: str
) -> None:
    """A bug: 800,000 events outside turns held 1.26 GB, as only the end of a turn let go of their records."""

    async def scene() -> None:
        core = await open_core(tmp_path, ScriptedEngine({}), LIMITS, is_product=False)
        try:
            params = StartSessionParams(app_id=AppId("app_1"), session_id=SESSION)
            await core.sessions.start(params, CONTEXT)
            await append(core, event_type, named, 0)
            before = held()
            for number in range(1, BATCHES):
                await append(core, event_type, named, number * BATCH)
            assert held() - before < MOST_MORE
        finally:
            await core.close()

    run(scene())
