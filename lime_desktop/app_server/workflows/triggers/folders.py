"""Files that arrive in the folders that a person opened to an app for good: looked for every few seconds, while a trigger waits."""

from collections.abc import Sequence

from lime_desktop.app_server.files.arrivals import Arrived, FolderArrivals
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.triggers.events import AppEvent
from lime_desktop.app_server.workflows.triggers.standing import LiveTrigger
from lime_desktop.protocol.ids import AppId
from lime_desktop.workflow_model.triggers.trigger import TriggerKind

LOOK_EVERY_MS = 4_000


class FolderSource:
    """Arrived files, as events."""

    kinds = frozenset[TriggerKind]({"folder"})

    def __init__(self, arrivals: FolderArrivals, clock: Clock) -> None:
        self._arrivals = arrivals
        self._clock = clock

    async def waiting(self, app_id: AppId, live: Sequence[LiveTrigger]) -> Sequence[AppEvent]:
        """What has arrived."""
        if not live:
            return ()
        found = await self._arrivals.look(app_id, self._clock.now_ms())
        return [_arrived(each) for each in found]

    async def dealt(self, app_id: AppId, event: AppEvent, *, is_begun: bool) -> None:
        """It is remembered as seen."""
        del app_id, is_begun
        await self._arrivals.dealt(event.id)


def _arrived(file: Arrived) -> AppEvent:
    return AppEvent(
        id=file.id,
        kind="folder",
        at_ms=file.at_ms,
        fields={
            "ref": file.ref,
            "path": file.name,
            "name": file.name,
            "sizeBytes": file.size_bytes,
        },
    )
