"""Requests of the other side, from their arrival to their answer: bounded, cancellable, owned."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias, cast

import msgspec

from lime_desktop.jsonrpc.errors import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    OVERLOADED,
    REQUEST_CANCELLED,
    RpcError,
)
from lime_desktop.jsonrpc.messages import Request, RequestId, is_request_id

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that needed no waiting."""

    result: object


Work: TypeAlias = Coroutine[Any, Any, object]
"""An answer on its way: its result can be encoded, and it raises `RpcError` to say no."""


class Reply(Protocol):
    """How answers leave."""

    def respond(self, request_id: RequestId, result: object) -> None:
        """Send a result."""
        ...

    def refuse(self, request_id: RequestId | None, error: RpcError) -> None:
        """Send a refusal."""
        ...

    def flush(self) -> None:
        """Send now what would otherwise be gathered."""
        ...


class Answering:
    """All requests that are being answered, each a task of its own."""

    def __init__(
        self, answer: Callable[[str, msgspec.Raw], Work | Answered], reply: Reply, max_running: int
    ) -> None:
        self._answer = answer
        self._reply = reply
        self._max_running = max_running
        self.running: dict[RequestId, asyncio.Task[None]] = {}
        self._cancelled: set[RequestId] = set()

    def accept(self, request: Request) -> None:
        """Begin to answer, or say why not."""
        if request.id in self.running:
            error = RpcError(INVALID_REQUEST, "This id is still being answered")
            self._reply.refuse(None, error)
        elif len(self.running) >= self._max_running:
            error = RpcError(OVERLOADED, "Server overloaded; retry later.")
            self._reply.refuse(request.id, error)
        else:
            self._start(request)

    def _start(self, request: Request) -> None:
        try:
            work = self._answer(request.method, request.params)
        except RpcError as error:
            self._reply.refuse(request.id, error)
            return
        if isinstance(work, Answered):
            self._reply.respond(request.id, work.result)
            return
        task = asyncio.get_running_loop().create_task(self._finish(request.id, work))
        self.running[request.id] = task
        task.add_done_callback(partial(self._ended, request.id, work))

    async def _finish(self, request_id: RequestId, work: Work) -> None:
        try:
            result = await work
        except RpcError as error:
            self._release(request_id)
            self._reply.refuse(request_id, error)
        else:
            self._release(request_id)
            self._reply.respond(request_id, result)
        if not self.running:
            # Nobody else is about to answer: there is nothing to gather.
            self._reply.flush()

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
                self._reply.refuse(request_id, error)
        elif bug := task.exception():
            self._release(request_id)
            _log.error("a receiver raised something that is not an answer", exc_info=bug)
            self._reply.refuse(request_id, RpcError(INTERNAL_ERROR, "Internal error"))

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
