"""Has a call wait for a person as long as its client waits for the call, and no longer.

Most apps take the first answer they get. So a call that needs a yes is not told at once that it does: the answer of
whoever sits there is awaited first. What is answered later is picked up by the same call made again.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

from lime_desktop.host.approvals.calls import CallApprovals
from lime_desktop.host.bridge.session import Answer, Payload
from lime_desktop.host.requests.asked_call import AskedCall
from lime_desktop.protocol.errors import ApprovalRequired

_CLIENT_S = 15.0
"""How long published clients wait for any call."""
_ANSWER_BY = 14.0 / _CLIENT_S
"""The part of that by which something must be said, with what a busy machine takes to say it."""
_MOST_LATE = 64


class WaitingCalls:
    """The calls of one view that a person is asked about."""

    def __init__(self, approvals: CallApprovals) -> None:
        self._approvals = approvals
        self._late: OrderedDict[str, asyncio.Task[Payload]] = OrderedDict()
        """What was allowed so late that the answer could not be waited for: the next such call gets it."""

    def may_wait(self, asked: AskedCall) -> bool:
        """Whether a call waits for a person at all, or is told at once that one is asked."""
        return asked.payload.waits_for_person and self._approvals.wait_s > 0

    def is_late(self, asked: AskedCall) -> bool:
        """Whether the same call was begun before by a late yes, and nobody has its outcome yet."""
        return bool(self._late) and not asked.payload.dry_run and asked.digest in self._late

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
        self._late[asked.digest] = task
        # Read, so that nobody is warned of a failure that no call came back for.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        while len(self._late) > _MOST_LATE:
            self._late.popitem(last=False)
        raise _begun(asked)

    async def join(self, asked: AskedCall) -> Payload:
        """The outcome of what a late yes began.

        Raises:
            ApprovalRequired: it still goes on.
        """
        task = self._late[asked.digest]
        await asyncio.wait({task}, timeout=_client_s(asked) * _ANSWER_BY)
        if not task.done():
            raise _begun(asked)
        if self._late.get(asked.digest) is task:
            del self._late[asked.digest]
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
