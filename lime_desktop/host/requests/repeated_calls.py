"""Calls that must not be begun a second time: the same call made again gets the outcome of the first.

Under an idempotency key the same arguments have an effect once, however often they come. For as long as the view lives
that holds for every call; of a call that acts it is kept in host.db, and holds for the next view as well.

A call that needs a person waits for them as long as its client waits for the call, and no longer: most apps take the
first answer they get, so they are not told at once that a yes is needed. What was allowed too late for that is picked
up by the same call made again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any, cast

from pydantic_core import from_json

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.done_calls import CallName, DoneCalls
from lime_desktop.host.app_center.records.records import DoneCall
from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.bridge.session import Answer, Payload
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.protocol.bridge.from_host import WrittenValue
from lime_desktop.protocol.errors import AppError, ApprovalRequired, Conflict
from lime_desktop.protocol.ids import JsonObject

KEPT_CALLS = 1_000
_OTHER_ARGUMENTS = "This idempotency key was used with other arguments"
_NO_ANSWER = {
    True: "This was carried out before, and its answer was too long to be kept",
    False: "This was begun before, and whether it was carried out is not known",
}
_CLIENT_S = 15.0
"""How long published clients wait for any call."""
_ANSWER_BY = 14.0 / _CLIENT_S
"""The part of that by which something must be said, with what a busy machine takes to say it."""
_MOST_LATE = 64


class Repeats:
    """What was done under which key by the newest calls of one view, and by calls that act of views before it."""

    def __init__(self, app_id: str, center: Callable[[], AppCenter | None]) -> None:
        self._app_id = app_id
        self._center = center
        self._calls: OrderedDict[tuple[str, str], tuple[str, asyncio.Task[Payload]]] = OrderedDict()

    def begun(self, asked: AskedCall) -> "asyncio.Task[Payload] | None":
        """The same call under the same key, where this view began it before. It is not the caller's to cancel."""
        known = self._calls.get((asked.call.name, asked.payload.idempotency_key or ""))
        if known is None or asked.payload.dry_run or known[0] != asked.digest:
            return None
        return known[1]

    def lasts(self, asked: AskedCall) -> bool:
        """Whether the key counts beyond this view."""
        return self._done_calls(asked) is not None

    async def done(self, asked: AskedCall) -> WrittenValue | None:
        """What was answered to the same call under the same key, if another view made it.

        Raises:
            Conflict: the key was used with other arguments, or nobody knows what came of it.
        """
        done_calls, key = self._done_calls(asked), asked.payload.idempotency_key
        if done_calls is None or key is None or (asked.call.name, key) in self._calls:
            return None
        done = await done_calls.find(CallName(self._app_id, asked.call.name, key))
        if done is None:
            return None
        if done.digest != asked.digest:
            raise Conflict(_OTHER_ARGUMENTS)
        if done.answer is None:
            raise Conflict(_NO_ANSWER[done.is_ended])
        return WrittenValue(done.answer.encode(), done.evidence_id)

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
            raise Conflict(_OTHER_ARGUMENTS)
        if task is None:
            done_calls = self._done_calls(asked)
            if done_calls is not None:
                work = self._kept(done_calls, asked, key, work)
            task = asyncio.ensure_future(work)
            self._keep(name, digest, task)
        # It goes on when its caller gives up: that is what the next one with this key waits for.
        return await asyncio.shield(task)

    def _done_calls(self, asked: AskedCall) -> DoneCalls | None:
        payload = asked.payload
        if payload.idempotency_key is None or payload.dry_run or not asked.call.acts:
            return None
        center = self._center()
        return None if center is None else center.done_calls

    async def _kept(
        self, done_calls: DoneCalls, asked: AskedCall, key: str, work: Coroutine[Any, Any, Payload]
    ) -> Payload:
        name = CallName(self._app_id, asked.call.name, key)
        if not await done_calls.begin(name, asked.digest):
            work.close()
            raise Conflict(_NO_ANSWER[False])
        try:
            answer = await work
        except AppError:
            await done_calls.forget(name)
            raise
        if _is_pending(answer):
            await done_calls.forget(name)
        else:
            await done_calls.finish(name, _ended(asked, answer))
        return answer

    def _keep(self, name: tuple[str, str], digest: str, task: "asyncio.Task[Payload]") -> None:
        self._calls[name] = (digest, task)
        task.add_done_callback(lambda done: self._forget_unsettled(name, done))
        while len(self._calls) > KEPT_CALLS:
            self._calls.popitem(last=False)

    def _forget_unsettled(self, name: tuple[str, str], done: "asyncio.Task[Payload]") -> None:
        """What failed or is not decided had no effect that counts: the next call with the key tries again."""
        if done.cancelled() or done.exception() is not None or _is_pending(done.result()):
            self._calls.pop(name, None)


def _ended(asked: AskedCall, answer: Payload) -> DoneCall:
    text = answer.json.decode() if isinstance(answer, WrittenValue) else None
    return DoneCall(digest=asked.digest, is_ended=True, answer=text, evidence_id=answer.evidence_id)


def _is_pending(answer: Payload) -> bool:
    value = from_json(answer.json) if isinstance(answer, WrittenValue) else answer.value
    return isinstance(value, dict) and cast("JsonObject", value).get("status") == "pending"


class WaitingCalls:
    """The calls of one view that a person is asked about."""

    def __init__(self, approvals: CallApprovals) -> None:
        self._approvals = approvals
        self.late: OrderedDict[str, asyncio.Task[Payload]] = OrderedDict()
        """What was allowed so late that the answer could not be waited for: the next such call gets it."""

    def may_wait(self, asked: AskedCall) -> bool:
        """Whether a call waits for a person at all, or is told at once that one is asked."""
        return asked.payload.waits_for_person and self._approvals.wait_s > 0

    def is_late(self, asked: AskedCall) -> bool:
        """Whether this call was approved after its page had stopped waiting, and its result was not fetched yet."""
        return not asked.payload.dry_run and asked.digest in self.late

    async def run(
        self, asked: AskedCall, attempt: Callable[[], Answer], first: Answer | ApprovalRequired
    ) -> Payload:
        """See a call through, beginning with what came of its first attempt.

        Raises:
            ApprovalRequired: nobody has answered in time; the question stays open.
        """
        end = asyncio.get_running_loop().time() + _client_s(asked) * _ANSWER_BY
        outcome, is_asked = first, False
        while True:
            try:
                if isinstance(outcome, ApprovalRequired):
                    raise outcome
                if isinstance(outcome, Payload):
                    return outcome
                return await (self._finish(asked, outcome, end) if is_asked else outcome)
            except ApprovalRequired as needed:
                await self._answered(asked, needed, end)
            is_asked = True
            outcome = _outcome(attempt)

    async def _answered(self, asked: AskedCall, needed: ApprovalRequired, end: float) -> None:
        question_id = needed.details.get("questionId")
        left = end - asyncio.get_running_loop().time()
        wait_s = min(self._approvals.wait_s, left) if self.may_wait(asked) else 0.0
        if not isinstance(question_id, str) or wait_s <= 0:
            raise needed
        if not await self._approvals.answered(question_id, wait_s):
            raise needed

    async def _finish(self, asked: AskedCall, answer: Answer, end: float) -> Payload:
        """Wait for what was begun after a yes, or leave it to the next call."""
        if isinstance(answer, Payload):
            return answer
        task = asyncio.ensure_future(answer)
        left = max(end - asyncio.get_running_loop().time(), 0.0)
        try:
            await asyncio.wait({task}, timeout=left)
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.done():
            return task.result()
        self.late[asked.digest] = task
        # Read, so that nobody is warned of a failure that no call came back for.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        while len(self.late) > _MOST_LATE:
            self.late.popitem(last=False)
        raise _begun(asked)

    async def join(self, asked: AskedCall) -> Payload:
        """The outcome of what a late yes began.

        Raises:
            ApprovalRequired: it still goes on.
        """
        task = self.late[asked.digest]
        await asyncio.wait({task}, timeout=_client_s(asked) * _ANSWER_BY)
        if not task.done():
            raise _begun(asked)
        if self.late.get(asked.digest) is task:
            del self.late[asked.digest]
        return task.result()


def _outcome(attempt: Callable[[], Answer]) -> Answer | ApprovalRequired:
    try:
        return attempt()
    except ApprovalRequired as needed:
        return needed


def _client_s(asked: AskedCall) -> float:
    timeout_ms = asked.payload.timeout_ms
    return timeout_ms / 1_000 if timeout_ms else _CLIENT_S


def _begun(asked: AskedCall) -> ApprovalRequired:
    said = f"{asked.call.name} was allowed and is being carried out"
    return ApprovalRequired(said, details={"pending": True})
