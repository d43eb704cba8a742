"""The life of one app view's bridge. Knows messages, limits and the table of calls; knows no Qt, no policy and no handler.

This is one of the two places where any exception is caught: what is expected goes to the app with its code, what is
not is logged under a trace id and answered with no internal text.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from lime_desktop.host.bridge.limits import BridgeLimits, too_fast
from lime_desktop.host.bridge.timeline import (
    Asked,
    Record,
    Timeline,
    monotonic_ms,
    new_trace_id,
    trace_of_call,
)
from lime_desktop.protocol.bridge.envelope import Envelope
from lime_desktop.protocol.bridge.from_app import AppMessage
from lime_desktop.protocol.bridge.from_host import (
    ErrorMessage,
    ErrorPayload,
    HostMessage,
    ResponseMessage,
    ResponsePayload,
    SnapshotMessage,
    ThemeMessage,
    VisibilityMessage,
    VisibilityPayload,
    WrittenValue,
    write_host_message,
    write_value_message,
)
from lime_desktop.protocol.bridge.reading import claimed_request_id, parse_incoming, read_message
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from lime_desktop.protocol.capability_calls.table import note_failure_of
from lime_desktop.protocol.errors import (
    AppError,
    Cancelled,
    InternalError,
    MessageTooLarge,
    RateLimited,
    SourceUnverified,
)
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)


class MessageRate:
    """A bucket that fills with time: a burst is fine, a flood is not."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_ms = per_second / 1_000
        self._capacity = float(burst)
        self._tokens = self._capacity
        self._filled_at_ms = 0.0

    def admits(self, now_ms: float) -> bool:
        """Take one message out of the bucket, if there is one."""
        elapsed_ms = max(0.0, now_ms - self._filled_at_ms)
        self._filled_at_ms = now_ms
        self._tokens = min(self._capacity, self._tokens + elapsed_ms * self._per_ms)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


Payload = WrittenValue | ResponsePayload
Answer = Payload | Awaitable[Payload]
"""What a handler gives: the answer, or something that will become it."""


class Requests(Protocol):
    """Whoever carries out what an app asks; raises an expected error to refuse."""

    def answer(self, message: AppMessage) -> Answer:
        """Carry out one request. May answer at once: most calls need no wait."""
        ...


class CallOutcomes(Protocol):
    """Whoever is told how each call of a view ended, before its page is."""

    def tell(self, call: str, error: AppError) -> None:
        """It failed; more may be said of that."""
        ...

    def succeeded(self, call: str) -> None:
        """It was carried out."""
        ...


class BridgeSession:
    """One view's conversation, from its first message until it is closed."""

    def __init__(
        self,
        app_id: AppId,
        requests: Requests,
        snapshot: Callable[[], HostSnapshot],
        post: Callable[[str], None],
        limits: BridgeLimits | None = None,
        outcomes: CallOutcomes | None = None,
    ) -> None:
        self.timeline = Timeline()
        self._outcomes = outcomes
        self._has_failed = False
        self._app_id = app_id
        self._requests = requests
        self._snapshot = snapshot
        self._post = post
        self._limits = limits or BridgeLimits()
        self._rate = MessageRate(self._limits.messages_per_second, self._limits.burst_messages)
        self._running: dict[asyncio.Task[None], Asked] = {}
        self._is_ready = False
        self._is_closed = False

    @property
    def app_id(self) -> AppId:
        """The app of the view."""
        return self._app_id

    @property
    def is_ready(self) -> bool:
        """Whether the app has said that it started."""
        return self._is_ready

    def receive(self, text: str) -> None:
        """Take one message from the view. Never raises."""
        if self._is_closed:
            return
        asked = Asked("unreadable", monotonic_ms(), new_trace_id())
        try:
            message = self._read(text, asked)
        except AppError as error:
            self.timeline.add_request(asked, len(text), text)
            asked.request_id = asked.request_id or claimed_request_id(text)
            self._refuse(asked, error)
            return
        self.timeline.add_request(asked, len(text), text)
        token = trace_of_call.set(asked.trace_id)
        try:
            self._answer(message, asked)
        except AppError as error:
            self._refuse(asked, error)
        except Exception as bug:  # noqa: BLE001 - the error edge
            self._refuse(asked, _as_internal(bug, asked))
        finally:
            trace_of_call.reset(token)

    def refuse_oversized(self, request_id: str, characters: int) -> None:
        """Answer a message that was too large to be carried to the host at all."""
        asked = Asked("oversized", monotonic_ms(), new_trace_id(), request_id or None)
        self.timeline.add_request(asked, characters)
        self._refuse(
            asked, MessageTooLarge(f"A bridge message of {characters} characters is too large")
        )

    def note_flood(self, messages: int) -> None:
        """Take note of messages that the relay refused, because they came too fast to be carried."""
        at_ms, outcome = int(monotonic_ms()), too_fast().stable_code
        self.timeline.add(Record(at_ms, "from-app", "flood", 0, outcome=outcome, messages=messages))

    def push_snapshot(self) -> None:
        """Send the current snapshot, because something in it changed."""
        if self._is_ready and not self._is_closed:
            self._send(SnapshotMessage(app_id=self._app_id, payload=self._snapshot()))

    def push_theme(self) -> None:
        """Send the current theme."""
        if self._is_ready and not self._is_closed:
            self._send(ThemeMessage(app_id=self._app_id, payload=self._snapshot().theme))

    def push_visibility(self, *, visible: bool) -> None:
        """Tell the app whether it can be seen."""
        if self._is_ready and not self._is_closed:
            self._send(
                VisibilityMessage(
                    app_id=self._app_id, payload=VisibilityPayload.of(visible=visible)
                )
            )

    def push(self, message: HostMessage) -> None:
        """Send any other message, such as an event of a subscription."""
        if not self._is_closed:
            self._send(message)

    def answer_by(self, requests: Requests) -> None:
        """Let others carry out what is asked from now on."""
        self._requests = requests

    def restart(self) -> None:
        """Forget what the page had asked: it was loaded anew."""
        self._cancel_running()
        self._is_ready = False

    def close(self) -> None:
        """End the conversation; nothing is sent or taken any more."""
        self._is_closed = True
        self._cancel_running()

    def _read(self, text: str, asked: Asked) -> AppMessage:
        incoming = parse_incoming(text)
        asked.type, asked.request_id = incoming.type, incoming.request_id
        asked.entry_key = incoming.entry_key
        if not self._rate.admits(asked.at_ms):
            raise too_fast()
        # The view is the authority: an app that names another is refused, whatever it asked.
        if incoming.app_id != self._app_id:
            raise SourceUnverified("The message names another app than the one in this view")
        message = read_message(incoming) if isinstance(incoming, Envelope) else incoming
        asked.call = _call_name(message)
        return message

    def _answer(self, message: AppMessage, asked: Asked) -> None:
        if message.type == "app:ready" or message.type == "host:getSnapshot":  # noqa: PLR1714 - narrows the type
            self._is_ready = True
            self._send_snapshot(asked)
            return
        if message.type == "capability:cancel":
            self._give_up(message.payload.request_id)
            return
        answer = self._requests.answer(message)
        if isinstance(answer, Payload):
            self._respond(asked, answer)
        elif len(self._running) >= self._limits.in_flight_calls:
            if inspect.iscoroutine(answer):
                answer.close()
            raise RateLimited("This app has too many calls under way")
        else:
            self._await(asked, answer)

    def _await(self, asked: Asked, answer: Awaitable[Payload]) -> None:
        task = asyncio.ensure_future(self._respond_later(asked, answer))
        self._running[task] = asked
        task.add_done_callback(lambda done: self._end(done, answer))

    def _end(self, task: asyncio.Task[None], answer: Awaitable[Payload]) -> None:
        self._running.pop(task, None)
        if inspect.iscoroutine(answer):
            # A task that is cancelled before it began never took the coroutine up.
            answer.close()

    def _give_up(self, request_id: str) -> None:
        """Stop what nobody waits for. What it did already stays done."""
        for task, asked in tuple(self._running.items()):
            if asked.request_id == request_id and task.cancel():
                self._refuse(asked, Cancelled("The app gave this request up"))

    async def _respond_later(self, asked: Asked, answer: Awaitable[Payload]) -> None:
        try:
            payload = await answer
        except AppError as error:
            self._refuse(asked, error)
        except Exception as bug:  # noqa: BLE001 - the error edge
            self._refuse(asked, _as_internal(bug, asked))
        else:
            self._respond(asked, payload)

    def _send_snapshot(self, asked: Asked) -> None:
        message = SnapshotMessage(
            app_id=self._app_id,
            entry_key=asked.entry_key,
            request_id=asked.request_id,
            payload=self._snapshot(),
        )
        self._send(message, asked, "ok")

    def _respond(self, asked: Asked, payload: Payload) -> None:
        if asked.request_id is None or self._is_closed:
            return
        # Only after a failure is there something to count anew: most calls spare the detour.
        if self._outcomes is not None and asked.call is not None and self._has_failed:
            self._outcomes.succeeded(asked.call)
        if isinstance(payload, WrittenValue):
            text = write_value_message(
                self._app_id, asked.entry_key, asked.request_id, asked.trace_id, payload
            )
            self.timeline.add_answer("host:response", text, asked, "ok", payload.evidence_id)
            self._post(text)
            return
        message = ResponseMessage(
            app_id=self._app_id,
            entry_key=asked.entry_key,
            request_id=asked.request_id,
            payload=payload.model_copy(update={"trace_id": payload.trace_id or asked.trace_id}),
        )
        self._send(message, asked, "ok")

    def _refuse(self, asked: Asked, error: AppError) -> None:
        error.trace_id = error.trace_id or asked.trace_id
        if asked.call is not None:
            note_failure_of(asked.call, error)
            if self._outcomes is not None:
                self._has_failed = True
                self._outcomes.tell(asked.call, error)
        if asked.request_id is None or self._is_closed:
            # Without a request id there is nobody to answer; the timeline still tells the developer.
            self.timeline.add_answer("host:error", "", asked, error.stable_code)
            return
        message = ErrorMessage(
            app_id=self._app_id,
            entry_key=asked.entry_key,
            request_id=asked.request_id,
            payload=ErrorPayload.of(error),
        )
        self._send(message, asked, error.stable_code)

    def _send(
        self, message: HostMessage, asked: Asked | None = None, outcome: str | None = None
    ) -> None:
        text = write_host_message(message)
        evidence_id = message.payload.evidence_id if isinstance(message, ResponseMessage) else None
        self.timeline.add_answer(message.type, text, asked, outcome, evidence_id)
        self._post(text)

    def _cancel_running(self) -> None:
        for task in self._running:
            task.cancel()
        self._running.clear()


def _call_name(message: AppMessage) -> str | None:
    if message.type == "capability:invoke":
        return f"{message.payload.capability}.{message.payload.method}"
    return None


def _as_internal(bug: Exception, asked: Asked) -> InternalError:
    _log.error("bridge request failed", exc_info=bug, extra={"traceId": asked.trace_id})
    return InternalError("Something went wrong in the host", trace_id=asked.trace_id)
