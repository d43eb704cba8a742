"""Calls that were sent with an idempotency key: the same key and arguments have an effect once, however often they come."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine
from typing import Any, cast

from pydantic_core import from_json

from lime_desktop.host.bridge.session import Payload
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.protocol.bridge.written_value import WrittenValue
from lime_desktop.protocol.errors import Conflict
from lime_desktop.protocol.ids import JsonObject

KEPT_CALLS = 1_000


class Repeats:
    """What was done under which key, for as long as the view lives and its newest calls."""

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], tuple[str, asyncio.Task[Payload]]] = OrderedDict()

    def begun(self, asked: AskedCall) -> "asyncio.Task[Payload] | None":
        """The same call under the same key, where it was begun before. It is not the caller's to cancel."""
        known = self._calls.get((asked.call.name, asked.payload.idempotency_key or ""))
        if known is None or asked.payload.dry_run or known[0] != asked.digest:
            return None
        return known[1]

    async def once(self, asked: AskedCall, key: str, work: Coroutine[Any, Any, Payload]) -> Payload:
        """Do the work, or wait for the same work that was begun before.

        Raises:
            Conflict: the key was used with other arguments.
        """
        name = (asked.call.name, key)
        digest, task = self._calls.get(name, (asked.digest, None))
        if task is not None:
            work.close()
        if digest != asked.digest:
            raise Conflict("This idempotency key was used with other arguments")
        if task is None:
            task = asyncio.ensure_future(work)
            self._keep(name, digest, task)
        # It goes on when its caller gives up: that is what the next one with this key waits for.
        return await asyncio.shield(task)

    def _keep(self, name: tuple[str, str], digest: str, task: "asyncio.Task[Payload]") -> None:
        self._calls[name] = (digest, task)
        task.add_done_callback(lambda done: self._forget_unsettled(name, done))
        while len(self._calls) > KEPT_CALLS:
            self._calls.popitem(last=False)

    def _forget_unsettled(self, name: tuple[str, str], done: "asyncio.Task[Payload]") -> None:
        """What failed or is not decided had no effect that counts: the next call with the key tries again."""
        if done.cancelled() or done.exception() is not None or _is_pending(done.result()):
            self._calls.pop(name, None)


def _is_pending(answer: Payload) -> bool:
    value = from_json(answer.json) if isinstance(answer, WrittenValue) else answer.value
    return isinstance(value, dict) and cast("JsonObject", value).get("status") == "pending"
