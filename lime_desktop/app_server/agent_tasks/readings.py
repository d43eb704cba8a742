"""A task's events for whoever follows it, from any point on: in order, without a gap, at the reader's own pace.

Readers pull. What they have not asked for is not read, so a slow one costs nothing and misses nothing.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from lime_desktop.app_server.agent_tasks.task_lookup import TaskLocation
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.errors import SessionDamaged
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.task_events import AgentTaskEvent
from lime_desktop.runtime_views.task_stream import TaskStream

_PAGE = 500
MAX_KEPT = 256
"""Readings that go on where they stopped; another one begins at the task's first event again."""


class TaskReading:
    """One pass over a task's story."""

    def __init__(self, journal: Journal, store: ContentStore, app_id: AppId, place: TaskLocation):
        self._journal = journal
        self._store = store
        self._session_id = place.session_id
        self._after = place.position - 1
        self._stream = TaskStream(app_id, place.task.task_id)
        self.task_id = place.task.task_id
        self.told = 0
        """The sequence of the last event that was given out."""
        self.has_ended = False

    async def next(self, limit: int) -> tuple[tuple[RuntimeEvent, ...], list[AgentTaskEvent]]:
        """The facts that follow, at most so many, and what they tell the app."""
        facts = await self._facts(limit)
        told: list[AgentTaskEvent] = []
        for fact in facts:
            told += self._stream.tell(await self._whole(fact))
        if facts:
            self._after = facts[-1].sequence
        if told:
            self.told = told[-1].sequence
            self.has_ended = told[-1].type == "result"
        return facts, told

    async def skip_to(self, sequence: int) -> list[AgentTaskEvent]:
        """Pass what a reader has already; gives what of the last page it has not."""
        while self.told < sequence and not self.has_ended:
            facts, told = await self.next(_PAGE)
            if self.told > sequence:
                return [event for event in told if event.sequence > sequence]
            if not facts:
                break
        return []

    async def _facts(self, limit: int) -> tuple[RuntimeEvent, ...]:
        facts, gap = await self._journal.read(
            self._session_id,
            lambda connection, row: SessionReader.of(connection, row).events(self._after, limit),
        )
        if gap is not None and gap.reason == "damaged":
            raise SessionDamaged("The events of this task are damaged.")
        return facts

    async def _whole(self, event: RuntimeEvent) -> RuntimeEvent:
        """An output that was too long for its event, or held names that no event may, is put back."""
        reference = event.payload.get("structuredOutputRef")
        if event.type != "turn.completed" or not isinstance(reference, str):
            return event
        output = msgspec.json.decode(await asyncio.to_thread(self._store.read, reference))
        return event.model_copy(update={"payload": {**event.payload, "structuredOutput": output}})


class TaskReadings:
    """The passes of all readers."""

    def __init__(self, journal: Journal, store: ContentStore):
        self._journal = journal
        self._store = store
        self._kept: OrderedDict[tuple[str, int], TaskReading] = OrderedDict()
        self._waiting: dict[str, set[asyncio.Event]] = {}
        journal.subscribe(self._on_events)

    async def read(
        self, app_id: AppId, place: TaskLocation, after: int, limit: int, deadline: float
    ) -> tuple[list[AgentTaskEvent], bool]:
        """What follows an event, and whether that is the end. Waits until `deadline`, on the loop's clock."""
        arrival = asyncio.Event()
        waiting = self._waiting.setdefault(place.session_id, set())
        # Before looking: what comes between the look and the wait must be heard.
        waiting.add(arrival)
        try:
            reading, events = await self._position(app_id, place, after)
            while not events and not reading.has_ended:
                facts, events = await reading.next(limit)
                if not facts and not await _comes(arrival, deadline):
                    break
        finally:
            waiting.discard(arrival)
            if not waiting:
                self._waiting.pop(place.session_id, None)
        self._keep(place.task.task_id, reading)
        return events, reading.has_ended

    def begin(self, app_id: AppId, place: TaskLocation) -> TaskReading:
        """A pass from the first event on."""
        return TaskReading(self._journal, self._store, app_id, place)

    async def _position(
        self, app_id: AppId, place: TaskLocation, after: int
    ) -> tuple[TaskReading, list[AgentTaskEvent]]:
        kept = self._kept.pop((place.task.task_id, after), None)
        if kept is not None:
            return kept, []
        reading = self.begin(app_id, place)
        return reading, await reading.skip_to(after)

    def _keep(self, task_id: str, reading: TaskReading) -> None:
        if reading.has_ended:
            return
        self._kept[task_id, reading.told] = reading
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    def _on_events(self, _app_id: str, events: Sequence[RuntimeEvent]) -> None:
        for arrival in self._waiting.get(events[0].session_id, ()):
            arrival.set()


async def _comes(arrival: asyncio.Event, deadline: float) -> bool:
    try:
        async with asyncio.timeout_at(deadline):
            await arrival.wait()
    except TimeoutError:
        return False
    arrival.clear()
    return True
