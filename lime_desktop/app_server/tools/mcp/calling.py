"""Carry one call to a tool server out: its progress, its questions, its end, and what is known when it breaks."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import cast

import mcp_types
from mcp.shared.exceptions import MCPError
from pydantic import JsonValue

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.app_server.secrets.opened_values import OpenedValues
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.mcp.conversation import Conversation
from lime_desktop.app_server.tools.mcp.counting import ServerTraffic
from lime_desktop.app_server.tools.mcp.elicitation import (
    Asked,
    CallChannel,
    Finished,
    Progress,
    speak_for,
)
from lime_desktop.app_server.tools.mcp.results import read_result
from lime_desktop.app_server.tools.mcp.supervised import SupervisedServer
from lime_desktop.app_server.tools.mcp.transport import MAX_LINE_BYTES, ServerFailure
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.protocol.ids import ActionId, JsonObject, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import key_like_paths

IDLE_S = 120.0
"""How long a server may work on a call without saying anything."""
MAX_PROGRESS_FACTS = 200
_REASON_S = 5.0
_EFFECT = "The call may or may not have had its effect. The server is being started again."
_LOST: dict[ServerFailure, str] = {
    "tool_server_crashed": f"The tool server was lost during the call. {_EFFECT}",
    "tool_output_too_large": (
        f"The tool server's answer is larger than the {MAX_LINE_BYTES // 1024 // 1024} MiB that are read of one: "
        f"ask it for less. {_EFFECT}"
    ),
    "tool_protocol_broken": f"The tool server did not speak the protocol any more. {_EFFECT}",
}
_BROKEN = "The tool server's answer breaks the protocol, or the form that it promised itself."


@dataclass(frozen=True, slots=True)
class ServerCall:
    """A call, the server's own name for the tool, where its files go, and where it is counted."""

    call: ToolCall
    tool: str
    store: ContentStore
    traffic: ServerTraffic
    idle_s: float = IDLE_S


async def call_server(
    server: SupervisedServer, asked: ServerCall, mailbox: AnswerMailbox
) -> AsyncIterator[ProposedEvent | ToolOutcome]:
    """Call, and tell what happens. Closing the generator cancels the call on the server too."""
    conversation = await server.conversation()
    shown = conversation.process.shown
    channel = CallChannel()
    work = asyncio.create_task(_call(conversation, asked, channel))
    work.add_done_callback(lambda _done: channel.items.put_nowait(Finished()))
    is_silent = False
    with server.calls.running(channel):
        try:
            async with aclosing(_on_its_way(asked, channel, mailbox, work, shown)) as told:
                async for event in told:
                    yield event
        except TimeoutError:
            is_silent = True
        finally:
            work.cancel()
            await asyncio.wait({work})
    if is_silent:
        async for told in _silent(server, conversation, asked):
            yield told
        return
    if crash := await _crash(server, conversation, work):
        yield crash
    yield _without(shown, await _outcome(asked, work, conversation.process.failure))


async def _silent(
    server: SupervisedServer, conversation: Conversation, asked: ServerCall
) -> AsyncGenerator[ProposedEvent | ToolOutcome]:
    """A call was given up: the server may be busy with it, or be gone without a word."""
    text = f"The tool server said nothing for {asked.idle_s:g} s; the call was cancelled."
    if await server.is_answering(conversation):
        yield ToolOutcome(asked.call.call_id, text, is_error=True, category="timeout")
        return
    text += " It answers nothing else either, and is being started again. The call may have had its effect."
    yield _warning(server, "tool_server_hung", "A tool server stopped answering during a call.")
    yield ToolOutcome(asked.call.call_id, text, is_error=True, category="tool_server_hung")


async def _on_its_way(
    asked: ServerCall,
    channel: CallChannel,
    mailbox: AnswerMailbox,
    work: "asyncio.Task[mcp_types.CallToolResult]",
    shown: OpenedValues,
) -> AsyncGenerator[ProposedEvent]:
    """What happens until the call is over."""
    progress_left, questions = MAX_PROGRESS_FACTS, 0
    while True:
        async with asyncio.timeout(asked.idle_s):
            item = await channel.items.get()
        match item:
            case Finished():
                return
            case Progress():
                if progress_left > 0:
                    yield _progress_fact(asked.call.call_id, item, shown)
                progress_left -= 1
            case Asked() if _asks_for_a_secret(item.params):
                # The protocol forbids it, and no event may hold the answer.
                item.answer.set_result(mcp_types.ElicitResult(action="decline"))
            case Asked():
                questions += 1
                action_id = f"{asked.call.call_id}:ask:{questions}"
                yield _question(asked.call, item.params, action_id, shown)
                if not await _answered(item, mailbox, action_id, work, asked.traffic):
                    yield _withdrawn(action_id)


async def _call(
    conversation: Conversation, asked: ServerCall, channel: CallChannel
) -> mcp_types.CallToolResult:
    speak_for(channel)
    await asked.traffic.call(asked.call.arguments)
    result = await conversation.client.call_tool(
        asked.tool, asked.call.arguments, progress_callback=channel.on_progress
    )
    await asked.traffic.result(result)
    return result


async def _answered(
    asked: Asked,
    mailbox: AnswerMailbox,
    action_id: str,
    work: "asyncio.Task[mcp_types.CallToolResult]",
    traffic: ServerTraffic,
) -> bool:
    """Wait for the person, unless the server gives up first; tells whether they answered."""
    waiting = asyncio.create_task(mailbox.wait(action_id))
    try:
        await asyncio.wait({waiting, work}, return_when=asyncio.FIRST_COMPLETED)
        if not waiting.done():
            return False
        if not asked.answer.done():
            said = _elicit_result(asked.params, waiting.result())
            asked.answer.set_result(said)
            await traffic.answer(said.content)
        return True
    finally:
        waiting.cancel()


def _asks_for_a_secret(params: mcp_types.ElicitRequestParams) -> bool:
    if isinstance(params, mcp_types.ElicitRequestURLParams):
        return False
    return any(key_like_paths(params.requested_schema))


def _elicit_result(
    params: mcp_types.ElicitRequestParams, answer: ActionAnswer
) -> mcp_types.ElicitResult:
    if answer.decision in {"cancelled", "expired"}:
        return mcp_types.ElicitResult(action="cancel")
    if answer.behavior != "allow":
        return mcp_types.ElicitResult(action="decline")
    if isinstance(params, mcp_types.ElicitRequestURLParams):
        return mcp_types.ElicitResult(action="accept")
    content = answer.user_data or answer.updated_input or {}
    return mcp_types.ElicitResult.model_validate({"action": "accept", "content": content})


def _without(shown: OpenedValues, outcome: ToolOutcome) -> ToolOutcome:
    return replace(
        outcome, text=shown.hide(outcome.text), structured=shown.hide_in(outcome.structured)
    )


def _question(
    call: ToolCall, params: mcp_types.ElicitRequestParams, action_id: str, shown: OpenedValues
) -> ProposedEvent:
    # It belongs to the turn and not to the tool: a server may go on after a no.
    payload: JsonObject = {
        "actionType": "ask_user",
        "toolName": call.name,
        "toolCallId": call.call_id,
        "title": "A tool server asks",
        "prompt": params.message[:4_000],
        "availableDecisions": list[JsonValue](["answered", "decline"]),
    }
    if isinstance(params, mcp_types.ElicitRequestURLParams):
        payload["url"] = params.url
    else:
        payload["requestedSchema"] = params.requested_schema
    payload = cast("JsonObject", shown.hide_in(payload))
    return ProposedEvent(type="action.required", action_id=ActionId(action_id), payload=payload)


def _withdrawn(action_id: str) -> ProposedEvent:
    return ProposedEvent(
        type="action.resolved",
        action_id=ActionId(action_id),
        payload={"decision": "cancelled", "resolvedBy": "runtime", "reason": "call_ended"},
    )


def _progress_fact(call_id: str, told: Progress, shown: OpenedValues) -> ProposedEvent:
    said: JsonObject = {"progress": told.progress, "total": told.total}
    if told.message is not None:
        said["message"] = shown.hide(told.message)[:500]
    payload: JsonObject = {name: value for name, value in said.items() if value is not None}
    return ProposedEvent(type="tool.progress", tool_call_id=ToolCallId(call_id), payload=payload)


async def _crash(
    server: SupervisedServer,
    conversation: Conversation,
    work: "asyncio.Task[mcp_types.CallToolResult]",
) -> ProposedEvent | None:
    """The fact that a server ended under a call."""
    error = work.exception()
    if not isinstance(error, MCPError) or error.code != mcp_types.CONNECTION_CLOSED:
        return None
    with suppress(TimeoutError):
        # The call hears of the end a moment before it is known why.
        async with asyncio.timeout(_REASON_S):
            await conversation.process.ended.wait()
    process = conversation.process
    message = f"A tool server was lost during a call: {process.why_ended}."
    return _warning(server, process.failure, message)


def _warning(server: SupervisedServer, code: str, message: str) -> ProposedEvent:
    return ProposedEvent(
        type="runtime.warning",
        payload={
            "code": code,
            "message": message,
            "serverId": server.settings.server_id,
            "failureCategory": code,
            "recoverable": True,
        },
    )


async def _outcome(
    asked: ServerCall,
    work: "asyncio.Task[mcp_types.CallToolResult]",
    failure: ServerFailure,
) -> ToolOutcome:
    call_id = asked.call.call_id
    match work.exception():
        case None:
            return await asyncio.to_thread(read_result, call_id, work.result(), asked.store)
        case MCPError(code=mcp_types.CONNECTION_CLOSED):
            return ToolOutcome(call_id, _LOST[failure], is_error=True, category=failure)
        case MCPError() as refusal:
            return ToolOutcome(call_id, refusal.message[:2_000], is_error=True)
        case _:
            # What it says may repeat what it sent, and what it sent was not to be believed.
            return ToolOutcome(call_id, _BROKEN, is_error=True, category="malformed_result")
