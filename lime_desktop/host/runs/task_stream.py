"""A task's events on their way from the App Server to a page: pulled, so that a slow page loses nothing and floods nobody.

Messages hold all that came within a frame; a stream is written as fast as the page reads it. When the App Server goes
away the page is told, and what it missed follows once there is a server again.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.view.bodies import ByteStream, ViewBodies
from lime_desktop.host.view.subscriptions import Subscription
from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS
from lime_desktop.protocol.bridge.from_app import SubscribePayload
from lime_desktop.protocol.bridge.from_host import ErrorFacts, ValueRef
from lime_desktop.protocol.calls.agent_tasks import (
    READ_AGENT_TASK,
    READ_TASK_EVENTS,
    AppTaskParams,
    ReadTaskEventsParams,
    ReadTaskEventsResult,
)
from lime_desktop.protocol.errors import AppError, AppServerUnavailable, InvalidInput, TimedOut
from lime_desktop.protocol.ids import AppId, JsonObject, TaskId
from lime_desktop.protocol.task_events import AgentTaskEvent

_FRAME_S = 0.016
_WAIT_MS = 20_000
_AGAIN_S = 1.0
_PAGE = 2_000
# A message also carries its envelope, and now and then the task's record.
_BATCH_CHARACTERS = MAX_MESSAGE_CHARACTERS // 2


@dataclass(frozen=True, slots=True)
class TaskToFollow:
    """Which task of which app, and from where on."""

    app_id: AppId
    task_id: TaskId
    after_sequence: int = 0


def wanted_task(app_id: AppId, wish: SubscribePayload) -> TaskToFollow:
    """The task that a wish is about.

    Raises:
        InvalidInput: it names none.
    """
    if wish.subject_id is None:
        raise InvalidInput.at_fields([("taskId", "missing")])
    return TaskToFollow(app_id, TaskId(wish.subject_id), wish.after_sequence)


class TaskFollowing:
    """Brings the events of one task to one subscription."""

    def __init__(self, call: CallServer, task: TaskToFollow, bodies: ViewBodies) -> None:
        self._call = call
        self._task = task
        self._bodies = bodies

    async def feed(self, subscription: Subscription, record_every_s: float) -> None:
        """Begin to bring events, the way the subscription wants them.

        Raises:
            AppError: there is no such task, or no App Server to ask.
        """
        await self._check()
        if subscription.stream is not None:
            subscription.feed(self._write(subscription, subscription.stream))
        else:
            subscription.feed(self._push(subscription, record_every_s))

    async def _check(self) -> None:
        await self._read(self._task.after_sequence, wait_ms=0, limit=1)

    async def _push(self, subscription: Subscription, record_every_s: float) -> None:
        """Send messages, until the task has ended."""
        due = 0.0
        async for page in self._pages(subscription):
            clock = asyncio.get_running_loop().time()
            record = None
            if page.has_ended or clock >= due:
                record, due = await self._record(), clock + record_every_s
            *batches, last = [*self._batches(page.events)] or [()]
            for batch in batches:
                self._tell(subscription, batch, None)
            self._tell(subscription, last, record)
            await asyncio.sleep(_FRAME_S)

    async def _write(self, subscription: Subscription, stream: ByteStream) -> None:
        """Write lines, as fast as the page reads them, until the task has ended."""
        async for page in self._pages(subscription):
            for event in page.events:
                await _write(stream, event.model_dump_json(by_alias=True))
            if not stream.is_open:
                return
            # What comes within a frame is worth one crossing, not many.
            await asyncio.sleep(_FRAME_S)

    async def _pages(self, subscription: Subscription) -> AsyncIterator[ReadTaskEventsResult]:
        after = self._task.after_sequence
        is_there = True
        while True:
            try:
                page = await self._read(after, wait_ms=_WAIT_MS, limit=_PAGE)
            except (AppServerUnavailable, TimedOut) as error:
                if is_there:
                    await _tell_trouble(subscription, self._task, error, is_over=False)
                is_there = False
                await asyncio.sleep(_AGAIN_S)
                continue
            except AppError as error:
                await _tell_trouble(subscription, self._task, error, is_over=True)
                return
            is_there = True
            if page.events:
                after = page.events[-1].sequence
            if page.events or page.has_ended:
                yield page
            if page.has_ended:
                return

    async def _read(self, after: int, *, wait_ms: int, limit: int) -> ReadTaskEventsResult:
        params = ReadTaskEventsParams(
            app_id=self._task.app_id,
            task_id=self._task.task_id,
            after_sequence=after,
            limit=limit,
            wait_ms=wait_ms,
        )
        return await self._call(READ_TASK_EVENTS, params)

    async def _record(self) -> JsonObject | None:
        params = AppTaskParams(app_id=self._task.app_id, task_id=self._task.task_id)
        try:
            task = (await self._call(READ_AGENT_TASK, params)).task
        except AppError:
            return None  # The events are what counts; the record can be asked for.
        if task is None:
            return None
        # Its events are in the same message, or were in an earlier one.
        return task.model_copy(update={"events": ()}).model_dump(mode="json", by_alias=True)

    def _batches(self, events: Sequence[AgentTaskEvent]) -> Iterator[tuple[JsonObject, ...]]:
        batch: list[JsonObject] = []
        characters = 0
        for event in events:
            size = len(text := event.model_dump_json(by_alias=True))
            if batch and characters + size > _BATCH_CHARACTERS:
                yield tuple(batch)
                batch, characters = [], 0
            is_too_long = size > _BATCH_CHARACTERS
            batch.append(self._by_reference(event, text) if is_too_long else _fields(event))
            characters += 0 if is_too_long else size
        if batch:
            yield tuple(batch)

    def _by_reference(self, event: AgentTaskEvent, text: str) -> JsonObject:
        """An event whose payload is too long for a message: the whole of it is there to be fetched."""
        ref = ValueRef(url=self._bodies.offer(text.encode()), bytes=len(text.encode()))
        return {**_fields(event.model_copy(update={"payload": None})), "eventRef": ref.to_wire()}

    def _tell(
        self, subscription: Subscription, events: tuple[JsonObject, ...], record: JsonObject | None
    ) -> None:
        subscription.publish(
            "task:update" if record else "task:runtimeEvent",
            task_id=self._task.task_id,
            events=events,
            task=record,
        )


def _fields(event: AgentTaskEvent) -> JsonObject:
    return event.model_dump(mode="json", by_alias=True)


async def _tell_trouble(
    subscription: Subscription, task: TaskToFollow, error: AppError, *, is_over: bool
) -> None:
    facts = ErrorFacts.of(error)
    if subscription.stream is not None:
        line = f'{{"type":"{"error" if is_over else "unavailable"}","error":{facts.to_json()}}}'
        await _write(subscription.stream, line)
    elif is_over:
        subscription.publish("task:error", task_id=task.task_id, error=facts)
    else:
        # Not an error of the subscription, which goes on: published clients would end it.
        subscription.publish("task:eventStreamUnavailable", task_id=task.task_id)


async def _write(stream: ByteStream, line: str) -> None:
    data = f"{line}\n".encode()
    while not stream.write(data):
        if not await stream.wait_for_room():
            return
