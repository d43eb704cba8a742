"""One end of a conversation: asks, answers, tells, and never holds more than its limits.

Whatever bytes arrive, the peer lives on; whatever the other side refuses to read, memory stays
bounded: a full outbox stops reading, so a client that does not listen is not listened to.
"""

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, cast

from lime_desktop.jsonrpc.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    OVERLOADED,
    REQUEST_CANCELLED,
    ConnectionLostError,
    RpcError,
)
from lime_desktop.jsonrpc.lines import LineCutter, TooLong
from lime_desktop.jsonrpc.messages import (
    CANCEL_REQUEST,
    Failure,
    Malformed,
    Message,
    Notification,
    Request,
    RequestId,
    Response,
    encode_failure,
    encode_notification,
    encode_request,
    encode_response,
    is_request_id,
    parse,
)

_log = logging.getLogger(__name__)

_WRITE_BYTES = 64 * 1024
"""How much is gathered into one write at most: what a pipe holds."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that needed no waiting."""

    result: object


class Receiver(Protocol):
    """Who answers for this end. Only ``request`` may raise, and only `RpcError`."""

    def request(self, method: str, params: object) -> Coroutine[Any, Any, object] | Answered:
        """Answer a request with something `msgspec` can encode, at once or later.

        Called in the order of arrival; coroutines run beside each other.
        """
        ...

    def notification(self, method: str, params: object) -> None:
        """Take a notification. Called in the order of arrival, before any later request."""
        ...

    def room_returned(self) -> None:
        """Learn that `Peer.try_notify` will work again after it said no."""
        ...

    def connection_lost(self) -> None:
        """Learn that nothing more will come or go."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a peer holds at most."""

    line_bytes: int = 8 * 1024 * 1024
    running_requests: int = 256
    """Requests of the other side being answered; one more is refused as overload."""
    queued_messages: int = 10_000
    """Outgoing messages that wait for a slow reader."""
    queued_bytes: int = 16 * 1024 * 1024
    closing_s: float = 5.0
    """How long running answers and unread output may delay the end."""


def _no_data(_code: int) -> object:
    return None


class Peer(asyncio.Protocol):
    """A JSON-RPC endpoint that any asyncio transport can drive."""

    def __init__(
        self,
        receiver: Receiver,
        limits: Limits | None = None,
        *,
        error_data: Callable[[int], object] = _no_data,
    ) -> None:
        """Answer through the receiver; ``error_data`` gives refusals of our own their ``data``."""
        self._receiver = receiver
        self._limits = limits or Limits()
        self._error_data = error_data
        self._lines = LineCutter(self._limits.line_bytes)
        self._unread: deque[bytes | TooLong] = deque()
        self._transport: asyncio.Transport | None = None
        self._has_version = False
        self._is_pumping = False
        self._is_read_paused = False
        self._input_ended = False
        self._running: dict[RequestId, asyncio.Task[None]] = {}
        self._cancelled: set[RequestId] = set()
        self._asked: dict[RequestId, asyncio.Future[object]] = {}
        self._ids = itertools.count(1)
        self._outbox: list[bytes] = []
        self._outbox_bytes = 0
        self._is_flush_due = False
        self._is_write_paused = False
        self._owes_room = False
        self._room_waiters: list[asyncio.Future[None]] = []
        self._closing: asyncio.Task[None] | None = None
        self._lost = asyncio.get_running_loop().create_future()

    # What this side does.

    async def request(self, method: str, params: object = None) -> object:
        """Ask and wait for the answer. Giving up tells the other side to give up too.

        Raises:
            RpcError: the other side said no.
            ConnectionLostError: it never said anything.
        """
        await self._room()
        request_id = next(self._ids)
        answer = asyncio.get_running_loop().create_future()
        self._asked[request_id] = answer
        self._send(encode_request(request_id, method, params))
        try:
            return await answer
        except asyncio.CancelledError:
            self._send(encode_notification(CANCEL_REQUEST, {"id": request_id}))
            raise
        finally:
            del self._asked[request_id]

    async def notify(self, method: str, params: object = None) -> None:
        """Tell, waiting as long as the other side is too slow to listen."""
        await self._room()
        self._send(encode_notification(method, params, has_version=self._has_version))

    def try_notify(self, method: str, params: object = None) -> bool:
        """Tell, unless the other side is too slow; then say so, and `room_returned` follows."""
        if self._is_full():
            self._owes_room = True
            return False
        self._send(encode_notification(method, params, has_version=self._has_version))
        return True

    async def close(self) -> None:
        """Stop answering, send what is due, and end the connection."""
        self._begin_closing(grace_s=0)
        await self.wait_closed()

    async def wait_closed(self) -> None:
        """Wait until the connection is gone, whoever ended it."""
        await asyncio.shield(self._lost)

    @property
    def is_closing(self) -> bool:
        """Whether the end has begun."""
        return self._closing is not None or self._lost.done()

    # What the transport tells us.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Take bytes."""
        self._unread += self._lines.cut(data)
        self._pump()

    def eof_received(self) -> bool:
        """Finish what was asked: the other side has stopped talking, but may still listen."""
        self._input_ended = True
        self._unread += self._lines.end()
        self._pump()
        return True

    def pause_writing(self) -> None:
        """Hold messages back: the transport has enough."""
        self._is_write_paused = True

    def resume_writing(self) -> None:
        """Go on, with writing and then with reading."""
        self._is_write_paused = False
        self._flush()
        if not self._is_full():
            self._announce_room()
        self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up everything that needs the connection."""
        del exc
        for task in self._running.values():
            task.cancel()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(ConnectionLostError("the connection ended"))
        self._outbox.clear()
        self._outbox_bytes = 0
        self._wake_room_waiters()
        if not self._lost.done():
            self._lost.set_result(None)
            self._receiver.connection_lost()

    # Reading.

    def _pump(self) -> None:
        if self._is_pumping:
            return
        self._is_pumping = True
        try:
            while self._unread and not self._is_full():
                self._receive(self._unread.popleft())
        finally:
            self._is_pumping = False
        self._flush()
        self._balance_reading()

    def _balance_reading(self) -> None:
        if self._input_ended:
            if not self._is_full():
                self._begin_closing(grace_s=self._limits.closing_s)
        elif self._is_full() != self._is_read_paused and self._transport is not None:
            self._is_read_paused = not self._is_read_paused
            if self._is_read_paused:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def _receive(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            limit = self._limits.line_bytes
            self._refuse(None, RpcError(INVALID_REQUEST, f"A line has at most {limit} bytes"))
            return
        if not line or line.isspace() or self._closing is not None:
            return
        parsed = parse(line)
        self._has_version = self._has_version or parsed.has_version
        self._understand(parsed.message)

    def _understand(self, message: Message) -> None:
        match message:
            case Request() as request:
                self._accept(request)
            case Notification(method, params) if method == CANCEL_REQUEST:
                self._cancel(params)
            case Notification(method, params):
                self._receiver.notification(method, params)
            case Response(request_id, result):
                self._settle(request_id, result)
            case Failure(request_id, error):
                self._settle(request_id, error)
            case Malformed(request_id, error):
                self._refuse(request_id, error)

    def _settle(self, request_id: RequestId | None, outcome: object) -> None:
        answer = None if request_id is None else self._asked.get(request_id)
        if answer is None or answer.done():
            # An answer that comes after its asker gave up is normal.
            return
        if isinstance(outcome, RpcError):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    # Answering.

    def _accept(self, request: Request) -> None:
        if request.id in self._running:
            self._refuse(None, RpcError(INVALID_REQUEST, "This id is still being answered"))
        elif len(self._running) >= self._limits.running_requests:
            self._refuse(request.id, RpcError(OVERLOADED, "Server overloaded; retry later."))
        else:
            self._start(request)

    def _start(self, request: Request) -> None:
        try:
            work = self._receiver.request(request.method, request.params)
        except RpcError as error:
            self._refuse(request.id, error)
            return
        if isinstance(work, Answered):
            self._respond(request.id, work.result)
            return
        task = asyncio.get_running_loop().create_task(self._answer(request.id, work))
        self._running[request.id] = task
        task.add_done_callback(partial(self._answered, request.id, work))

    async def _answer(self, request_id: RequestId, work: Coroutine[Any, Any, object]) -> None:
        try:
            result = await work
        except RpcError as error:
            self._release(request_id)
            self._refuse(request_id, error)
        else:
            self._release(request_id)
            self._respond(request_id, result)
        if not self._running:
            # Nobody else is about to answer: there is nothing to gather.
            self._flush()

    def _release(self, request_id: RequestId) -> None:
        """Free the id before its answer leaves: the other side may use it again at once."""
        self._running.pop(request_id, None)
        self._cancelled.discard(request_id)

    def _respond(self, request_id: RequestId, result: object) -> None:
        self._send(encode_response(request_id, result, has_version=self._has_version))

    def _answered(
        self,
        request_id: RequestId,
        work: Coroutine[Any, Any, object],
        task: asyncio.Task[None],
    ) -> None:
        # A task cancelled before its first step never took the work over.
        work.close()
        if task.cancelled():
            # Answered here and not in the task, which may be cancelled before its first step.
            was_asked_to_stop = request_id in self._cancelled
            self._release(request_id)
            if was_asked_to_stop:
                self._refuse(request_id, RpcError(REQUEST_CANCELLED, "The request was cancelled"))
        elif bug := task.exception():
            self._release(request_id)
            _log.error("a receiver raised something that is not an answer", exc_info=bug)
            self._refuse(request_id, RpcError(INTERNAL_ERROR, "Internal error"))

    def _cancel(self, params: object) -> None:
        fields = cast("dict[str, Any]", params) if isinstance(params, dict) else {}
        request_id = fields.get("id")
        if is_request_id(request_id) and (task := self._running.get(request_id)):
            self._cancelled.add(request_id)
            task.cancel()

    def _refuse(self, request_id: RequestId | None, error: RpcError) -> None:
        if error.data is None:
            error = RpcError(error.code, error.message, self._error_data(error.code))
        self._send(encode_failure(request_id, error, has_version=self._has_version))

    # Writing.

    def _send(self, line: bytes) -> None:
        if self._lost.done():
            return
        self._outbox.append(line)
        self._outbox_bytes += len(line)
        if self._is_write_paused:
            return
        if self._outbox_bytes >= _WRITE_BYTES:
            # Now, and not at the end of this turn: only a write shows that the reader is slow.
            self._flush()
        elif not self._is_flush_due and not self._is_pumping:
            # What is said within one turn of the loop leaves in one write.
            self._is_flush_due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._is_flush_due = False
        if self._is_write_paused or not self._outbox or self._transport is None:
            return
        chunk = self._outbox[0] if len(self._outbox) == 1 else b"".join(self._outbox)
        self._outbox.clear()
        self._outbox_bytes = 0
        self._transport.write(chunk)

    def _is_full(self) -> bool:
        return self._is_write_paused and (
            len(self._outbox) >= self._limits.queued_messages
            or self._outbox_bytes >= self._limits.queued_bytes
        )

    async def _room(self) -> None:
        while self._is_full() and not self._lost.done():
            waiter = asyncio.get_running_loop().create_future()
            self._room_waiters.append(waiter)
            await waiter
        if self.is_closing:
            raise ConnectionLostError("the connection has ended")

    def _announce_room(self) -> None:
        self._wake_room_waiters()
        if self._owes_room:
            self._owes_room = False
            self._receiver.room_returned()

    def _wake_room_waiters(self) -> None:
        for waiter in self._room_waiters:
            if not waiter.done():
                waiter.set_result(None)
        self._room_waiters.clear()

    # Ending.

    def _begin_closing(self, grace_s: float) -> None:
        if self._closing is None and not self._lost.done():
            self._closing = asyncio.get_running_loop().create_task(self._finish(grace_s))

    async def _finish(self, grace_s: float) -> None:
        await self._settle_running(grace_s)
        if self._transport is None:
            self.connection_lost(None)
            return
        self._is_write_paused = False
        self._flush()
        # A transport sends what it has before it goes; a reader who never reads is cut off.
        self._transport.close()
        await asyncio.wait({self._lost}, timeout=self._limits.closing_s)
        if not self._lost.done():
            self._transport.abort()

    async def _settle_running(self, grace_s: float) -> None:
        if self._running and grace_s:
            await asyncio.wait(self._running.values(), timeout=grace_s)
        running = list(self._running.values())
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=self._limits.closing_s)
