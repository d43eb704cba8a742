"""Run the tool calls of one model round: judged, asked about where needed, carried out, told.

Every call is started and judged in the order given. Tools that only read run side by side, the others one at a
time. A person's answer is judged again with the input they left: what policy refuses, nobody can wave through.

A round may be taken up after a restart from its unfinished calls and the questions that were open. A call that was
under way when the process died is never run a second time: nobody knows how far it came.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeAlias, assert_never, cast

from lime_desktop.app_server.execution import tool_facts
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome, Toolset
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.policy.vocabulary import RememberScope
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.capability_calls.workflow import REFUSED_CALL
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.runtime.events import ProposedEvent

Told: TypeAlias = ProposedEvent | ToolOutcome
Publish: TypeAlias = Callable[[Told], Awaitable[None]]
Work: TypeAlias = Callable[[Publish], Coroutine[Any, Any, None]]

CALLS_AT_ONCE = 32
"""More calls than this in one round are run in groups: a turn holds a limited number of open tools and questions."""
MAX_QUESTIONS = 5
"""How often one call may be edited into another one that needs an answer of its own."""
_AHEAD = 16
"""Facts that tools may be ahead of whoever reads them."""
_DENIED = "permission_denied"


async def run_tools(
    calls: Sequence[ToolCall],
    toolset: Toolset,
    mailbox: AnswerMailbox,
    *,
    open_action_ids: Sequence[str] = (),
) -> AsyncGenerator[Told]:
    """Run calls; yields their facts as they happen, and one outcome for each call.

    Closing the generator ends every tool that runs. Pass `open_action_ids` to take a round up again.
    """
    for first in range(0, len(calls), CALLS_AT_ONCE):
        writing = asyncio.Lock()
        works: list[Work] = []
        for call in calls[first : first + CALLS_AT_ONCE]:
            tool = await toolset.describe(call.name)
            running = _RunningCall(call, tool, toolset, mailbox, writing)
            if open_action_ids:
                works.append(running.taking_up(open_action_ids))
                continue
            yield tool_facts.started(call, tool)
            # Judged here and now, in order: who is asked about what must not hang on which call is faster.
            decision = await toolset.judge(call) if tool else None
            if decision is not None:
                yield tool_facts.evaluated(call, decision)
            works.append(running.following(decision))
        async with aclosing(_merged(works)) as merged:
            async for told in merged:
                yield told


def approval_id(call_id: str, number: int = 1) -> str:
    """The name of a call's question: the same in every process."""
    return f"{call_id}:approval" if number == 1 else f"{call_id}:approval:{number}"


class _RunningCall:
    """One call on its way from judgement to outcome."""

    def __init__(
        self,
        call: ToolCall,
        tool: ToolDescription | None,
        toolset: Toolset,
        mailbox: AnswerMailbox,
        writing: asyncio.Lock,
    ) -> None:
        self._call = call
        self._tool = tool
        self._toolset = toolset
        self._mailbox = mailbox
        self._writing = writing
        self._answered: set[str] = set()
        """The rules that a person has said yes to by now."""

    def following(self, decision: Decision | None) -> Work:
        """Go on from the first judgement."""

        async def follow(publish: Publish) -> None:
            if decision is None:
                text = f"There is no tool named {self._call.name}."
                await self._fail(publish, text, "tool_unknown")
            else:
                await self._settle(publish, decision)

        return follow

    def taking_up(self, open_action_ids: Sequence[str]) -> Work:
        """Go on from the question that an earlier process asked, if it is one this process understands."""
        own = [each for each in open_action_ids if each.startswith(f"{self._call.call_id}:")]

        async def take_up(publish: Publish) -> None:
            if own != [approval_id(self._call.call_id)]:
                await self._give_up(publish, own)
                return
            answer = await self._mailbox.wait(own[0])
            # Judged again before it counts: rules and grants may have changed since it was asked.
            decision = await self._toolset.judge(self._call)
            if await self._take_answer(publish, answer, decision):
                await self._settle(publish, await self._toolset.judge(self._call), asked=1)

        return take_up

    async def _settle(self, publish: Publish, decision: Decision, *, asked: int = 0) -> None:
        """Ask until policy and people are of one mind, then run or refuse."""
        while isinstance(decision, NeedsApproval) and not self._is_answered(decision):
            asked += 1
            if asked > MAX_QUESTIONS:
                await self._fail(publish, "The input was changed too often.", _DENIED)
                return
            action_id = approval_id(self._call.call_id, asked)
            await publish(tool_facts.requested(self._call, decision, action_id))
            await publish(tool_facts.asked(self._call, decision, action_id))
            answer = await self._mailbox.wait(action_id)
            if not await self._take_answer(publish, answer, decision):
                return
            decision = await self._toolset.judge(self._call)
        await self._carry_out(publish, decision)

    async def _take_answer(
        self, publish: Publish, answer: ActionAnswer, decision: Decision
    ) -> bool:
        """Take an answer in; tells whether it was a yes."""
        if answer.behavior != "allow":
            await self._fail(publish, _refusal_text(answer), _DENIED)
            return False
        if isinstance(decision, NeedsApproval):
            self._answered |= decision.rule_ids
            if answer.remember != "never" and answer.updated_input is None:
                await self._remember(publish, decision, answer.remember)
        if answer.updated_input is not None:
            self._call = replace(self._call, arguments=answer.updated_input)
            await publish(tool_facts.edited(self._call))
        return True

    async def _remember(
        self, publish: Publish, needed: NeedsApproval, scope: RememberScope
    ) -> None:
        """Keep a yes. One that cannot be kept holds for this call, and the next is asked about again."""
        try:
            await self._toolset.remember(self._call, needed, scope)
        except AppError as error:
            await publish(tool_facts.not_kept(self._call, error))

    def _is_answered(self, needed: NeedsApproval) -> bool:
        return needed.rule_ids <= self._answered

    async def _carry_out(self, publish: Publish, decision: Decision) -> None:
        match decision:
            case Denied():
                await publish(tool_facts.refused(self._call, decision))
                text = f"Refused by policy: {decision.rule.text} {decision.would_change}"
                await self._fail(publish, text, _DENIED)
            case NeedsApproval() if decision.question.kind == "elicitation":
                # A yes does not supply what is missing.
                await self._fail(publish, f"Still missing: {decision.rule.text}", _DENIED)
            case Allowed() | NeedsApproval():
                await self._run(publish)
            case _:
                assert_never(decision)

    async def _run(self, publish: Publish) -> None:
        if self._tool is not None and self._tool.is_concurrency_safe:
            await self._run_now(publish)
            return
        async with self._writing:
            await self._run_now(publish)

    async def _run_now(self, publish: Publish) -> None:
        began = time.monotonic()
        outcome = ToolOutcome(self._call.call_id, "The tool gave no result.", is_error=True)
        try:
            stream = cast("AsyncGenerator[Told]", self._toolset.run(self._call, self._mailbox))
            async with aclosing(stream):
                async for told in stream:
                    if isinstance(told, ToolOutcome):
                        outcome = told
                        break
                    await publish(told)
        except AppError as error:
            outcome = ToolOutcome(
                self._call.call_id, error.message, is_error=True, category=error.stable_code
            )
        await self._end(publish, outcome, int((time.monotonic() - began) * 1000))

    async def _give_up(self, publish: Publish, open_action_ids: Sequence[str]) -> None:
        """Say that nobody knows how this call ended."""
        text = "The runtime was restarted during this call. It may or may not have had its effect."
        outcome = ToolOutcome(self._call.call_id, text, is_error=True, category="interrupted")
        # A later question was about edited input, which only the dead process had.
        for action_id in open_action_ids:
            await publish(tool_facts.withdrawn(action_id))
            await publish(tool_facts.ended(self._call, outcome, None))
        await publish(outcome)

    async def _fail(self, publish: Publish, text: str, category: str) -> None:
        outcome = ToolOutcome(self._call.call_id, text, is_error=True, category=category)
        await self._end(publish, outcome, None)

    async def _end(self, publish: Publish, outcome: ToolOutcome, duration_ms: int | None) -> None:
        await publish(tool_facts.ended(self._call, outcome, duration_ms))
        await publish(outcome)


def _refusal_text(answer: ActionAnswer) -> str:
    match answer.decision:
        case "expired":
            return "Nobody answered in time."
        case "cancelled":
            return "The question was taken back."
        case _:
            said = f" They said: {answer.message}" if answer.message else ""
            return f"{REFUSED_CALL}{said}"


async def _merged(works: Sequence[Work]) -> AsyncGenerator[Told]:
    """What all of them publish, as they tell it. Whoever stops reading ends them all."""
    queue: asyncio.Queue[Told | Exception | None] = asyncio.Queue(_AHEAD)

    async def work_all() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for work in works:
                    group.create_task(work(queue.put))
        except ExceptionGroup as errors:
            await queue.put(errors.exceptions[0])
        else:
            await queue.put(None)

    working = asyncio.create_task(work_all())
    try:
        while (told := await queue.get()) is not None:
            if isinstance(told, Exception):
                # An adapter that breaks is a bug of ours: it ends the turn under its own name.
                raise told
            yield told
    finally:
        working.cancel()
        await asyncio.wait([working])
