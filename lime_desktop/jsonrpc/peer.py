"""One end of a conversation: sends requests, answers those of the other side, and never holds more than its limits.

Whatever bytes arrive, the peer lives on; whatever the other side refuses to read, memory stays
bounded: a full outbox stops reading, so a client that does not listen is not listened to.
"""

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import msgspec

from lime_desktop.jsonrpc.ending import Ending
from lime_desktop.jsonrpc.messages import (
    CANCEL_REQUEST,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    OVERLOADED,
    REQUEST_CANCELLED,
    ConnectionLostError,
    Failure,
    LineCutter,
    Malformed,
    Message,
    Notification,
    Request,
    RequestId,
    Response,
    RpcError,
    TooLong,
    encode_failure,
    encode_notification,
    encode_request,
    encode_response,
    is_request_id,
    parse,
    read_value,
)
from lime_desktop.jsonrpc.outbox import Limits, Outbox
from lime_desktop.jsonrpc.receiver import Answered, Receiver, Work

_log = logging.getLogger(__name__)


class _Answering:
    """Requests of the other side, from arrival to answer: bounded, cancellable, each a task of its own."""

    def __init__(self, peer: "Peer", receiver: Receiver, max_running: int) -> None:
        self._peer = peer
        self._receiver = receiver
        self._max_running = max_running
        self.running: dict[RequestId, asyncio.Task[None]] = {}
        self._cancelled: set[RequestId] = set()

    def accept(self, request: Request) -> None:
        """Begin to answer, or say why not."""
        if request.id in self.running:
            error = RpcError(INVALID_REQUEST, "This id is still being answered")
            self._peer.refuse(None, error)
        elif len(self.running) >= self._max_running:
            error = RpcError(OVERLOADED, "Server overloaded; retry later.")
            self._peer.refuse(request.id, error)
        else:
            self._start(request)

    def _start(self, request: Request) -> None:
        try:
            work = self._receiver.request(request.method, request.params)
        except RpcError as error:
            self._peer.refuse(request.id, error)
            return
        if isinstance(work, Answered):
            self._peer.respond(request.id, work.result)
            return
        task = asyncio.get_running_loop().create_task(self._finish(request.id, work))
        self.running[request.id] = task
        task.add_done_callback(partial(self._ended, request.id, work))

    async def _finish(self, request_id: RequestId, work: Work) -> None:
        try:
            result = await work
        except RpcError as error:
            self._release(request_id)
            self._peer.refuse(request_id, error)
        else:
            self._release(request_id)
            self._peer.respond(request_id, result)
        if not self.running:
            # Nobody else is about to answer: there is nothing to gather.
            self._peer.flush()

    def _release(self, request_id: RequestId) -> None:
        """Free the id before its answer leaves: the other side may use it again at once."""
        self.running.pop(request_id, None)
        self._cancelled.discard(request_id)

    def _ended(self, request_id: RequestId, work: Work, task: asyncio.Task[None]) -> None:
        # A task cancelled before its first step never took the work over.
        work.close()
        if task.cancelled():
            # Answered here and not in the task, which may be cancelled before its first step.
            was_asked_to_stop = request_id in self._cancelled
            self._release(request_id)
            if was_asked_to_stop:
                error = RpcError(REQUEST_CANCELLED, "The request was cancelled")
                self._peer.refuse(request_id, error)
        elif bug := task.exception():
            self._release(request_id)
            _log.error("a receiver raised something that is not an answer", exc_info=bug)
            self._peer.refuse(request_id, RpcError(INTERNAL_ERROR, "Internal error"))

    def cancel(self, params: object) -> None:
        """Give up the request that the other side names; an unknown one is no mistake."""
        fields = cast("dict[str, Any]", params) if isinstance(params, dict) else {}
        request_id = fields.get("id")
        if is_request_id(request_id) and (task := self.running.get(request_id)):
            self._cancelled.add(request_id)
            task.cancel()

    def drop(self) -> None:
        """Stop everything; nobody waits for the answers any more."""
        for task in self.running.values():
            task.cancel()

    async def settle(self, grace_s: float, stopping_s: float) -> None:
        """Let running answers finish for a while, then stop the rest."""
        if self.running and grace_s:
            await asyncio.wait(self.running.values(), timeout=grace_s)
        rest = list(self.running.values())
        self.drop()
        if rest:
            await asyncio.wait(rest, timeout=stopping_s)


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
        self._owes_room = False
        self._outbox = Outbox(self._limits, self._announce_room)
        self._answering = _Answering(self, receiver, self._limits.running_requests)
        self._asked: dict[RequestId, asyncio.Future[msgspec.Raw]] = {}
        self._ids = itertools.count(1)
        self._lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ending = Ending(
            self._outbox,
            self._lost,
            self._limits.closing_s,
            self._answering.settle,
            partial(self.connection_lost, None),
        )

    # What this side does.

    async def request(self, method: str, params: object = None) -> object:
        """Ask and wait for the answer. Giving up tells the other side to give up too.

        Raises:
            RpcError: the other side said no.
            ConnectionLostError: it never said anything.
        """
        return read_value(await self.request_raw(method, params))

    async def request_raw(self, method: str, params: object = None) -> msgspec.Raw:
        """The same for who passes the answer on, or reads it in its own way: its bytes as they came.

        Raises:
            RpcError: the other side said no.
            ConnectionLostError: it never said anything.
        """
        await self._room()
        request_id = next(self._ids)
        answer: asyncio.Future[msgspec.Raw] = asyncio.get_running_loop().create_future()
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
        if self._outbox.is_full:
            self._owes_room = True
            return False
        self._send(encode_notification(method, params, has_version=self._has_version))
        return True

    async def close(self) -> None:
        """Stop answering, send what is due, and end the connection."""
        self._ending.begin(grace_s=0)
        await self.wait_closed()

    async def wait_closed(self) -> None:
        """Wait until the connection is gone, whoever ended it."""
        await asyncio.shield(self._lost)

    @property
    def is_closing(self) -> bool:
        """Whether the end has begun."""
        return self._ending.closing is not None or self._lost.done()

    # How answers leave.

    def respond(self, request_id: RequestId, result: object) -> None:
        """Send the result of a request."""
        self._send(encode_response(request_id, result, has_version=self._has_version))

    def refuse(self, request_id: RequestId | None, error: RpcError) -> None:
        """Send the refusal of a request, or of a line that was none."""
        if error.data is None:
            error = RpcError(error.code, error.message, self._error_data(error.code))
        self._send(encode_failure(request_id, error, has_version=self._has_version))

    def flush(self) -> None:
        """Write what is due."""
        self._outbox.flush()

    # What the transport tells us.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)
        self._ending.transport = self._transport
        self._outbox.attach(self._transport)

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

    def input_hung_up(self) -> None:
        """Learn that the other side will say no more, while what it said waits to be read."""
        self._ending.begin_when_stalled()

    def pause_writing(self) -> None:
        """Hold messages back: the transport has enough."""
        self._outbox.pause()

    def resume_writing(self) -> None:
        """Go on, with writing and then with reading."""
        self._outbox.resume()
        self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up everything that needs the connection."""
        del exc
        if self._lost.done():
            return
        self._lost.set_result(None)
        self._answering.drop()
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(ConnectionLostError("the connection ended"))
        self._outbox.discard()
        self._receiver.connection_lost()

    # Reading.

    def _pump(self) -> None:
        if self._is_pumping:
            return
        self._is_pumping = True
        self._outbox.gather()
        try:
            while self._unread and not self._outbox.is_full:
                self._receive(self._unread.popleft())
        finally:
            self._is_pumping = False
            self._outbox.flush()
        self._balance_reading()

    def _balance_reading(self) -> None:
        is_full = self._outbox.is_full
        if self._input_ended:
            if is_full:
                self._ending.begin_when_stalled()
            else:
                self._ending.begin(grace_s=self._limits.closing_s)
        elif is_full != self._is_read_paused and self._transport is not None:
            self._is_read_paused = is_full
            if is_full:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def _receive(self, line: bytes | TooLong) -> None:
        if isinstance(line, TooLong):
            limit = self._limits.line_bytes
            self.refuse(None, RpcError(INVALID_REQUEST, f"A line has at most {limit} bytes"))
            return
        if not line or line.isspace() or self._ending.closing is not None:
            return
        parsed = parse(line)
        self._has_version = self._has_version or parsed.has_version
        self._understand(parsed.message)

    def _understand(self, message: Message) -> None:
        match message:
            case Request() as request:
                self._answering.accept(request)
            case Notification(method, params) if method == CANCEL_REQUEST:
                self._answering.cancel(params)
            case Notification(method, params):
                self._receiver.notification(method, params)
            case Response(request_id, result):
                self._settle(request_id, result)
            case Failure(request_id, error):
                self._settle(request_id, error)
            case Malformed(request_id, error):
                self.refuse(request_id, error)

    def _settle(self, request_id: RequestId | None, outcome: msgspec.Raw | RpcError) -> None:
        answer = None if request_id is None else self._asked.get(request_id)
        if answer is None or answer.done():
            # An answer that comes after its asker gave up is normal.
            return
        if isinstance(outcome, RpcError):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)

    # Writing.

    def _send(self, line: bytes) -> None:
        if not self._lost.done():
            self._outbox.put(line)

    async def _room(self) -> None:
        await self._outbox.room()
        if self.is_closing:
            raise ConnectionLostError("the connection has ended")

    def _announce_room(self) -> None:
        if self._owes_room:
            self._owes_room = False
            self._receiver.room_returned()
