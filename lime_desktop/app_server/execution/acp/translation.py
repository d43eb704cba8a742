"""What an agent says, in facts. Knows the protocol's updates; decides nothing. One object per turn.

An agent tells no rounds of its model, so each stretch of text between two tools is taken for one. Whatever it names
is given a name of this turn: agents count from one in every conversation.
"""

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import PurePath
from typing import Any

from acp.schema import (
    AgentMessageChunk,
    AgentPlanUpdate,
    AgentThoughtChunk,
    ContentToolCallContent,
    FileEditToolCallContent,
    PromptResponse,
    TextContentBlock,
    ToolCall,
    ToolCallProgress,
    ToolCallStart,
    ToolCallUpdate,
    Usage,
)
from pydantic import JsonValue

from lime_desktop.app_server.execution.acp.own_tools import READING, OwnTool
from lime_desktop.app_server.execution.acp.process import Update
from lime_desktop.app_server.execution.thoughts import Thoughts
from lime_desktop.app_server.execution.tool_facts import shown_arguments
from lime_desktop.app_server.tools.tooling import ToolCall as Call
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.ids import ArtifactId, JsonObject, ModelRequestId, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent

_TITLE_CHARACTERS = 300
_MAX_PLAN_ENTRIES = 100
_MOST_COMPARED_LINES = 500
"""Comparing takes as long as the product of both. Beyond this, or where lines repeat a lot, only how often each line
stands in both is counted: a line that moved then counts as neither new nor gone."""


class Translation:
    """One turn's facts so far."""

    def __init__(self, turn_id: str, model: ModelDescription, folder: PurePath) -> None:
        self._turn_id = turn_id
        self._model = model
        self._folder = folder
        self._round: ModelRequestId | None = None
        self._message_id = ""
        self._text: list[str] = []
        self._open_tools: dict[str, None] = {}
        self._ended_tools: set[str] = set()
        self._names: dict[str, str] = {}
        self._tools: dict[str, OwnTool] = {}
        self._plan: list[JsonValue] = []
        self._thoughts = Thoughts()
        self.has_output = False

    def facts(self, update: Update) -> Iterator[ProposedEvent]:
        """What an update tells; nothing where it tells nothing of the work."""
        match update:
            case AgentMessageChunk():
                yield from self._say(_text_of(update.content))
            case AgentThoughtChunk():
                yield from self._think(_text_of(update.content))
            case ToolCallStart() | ToolCallProgress():
                yield from self._tool(update)
            case AgentPlanUpdate():
                yield self._planned(update)
            case _:
                return

    def take_up(self, call_id: str) -> None:
        """A tool that an earlier process told the start of, and that waits since."""
        self._open_tools[call_id] = None

    def name(self, theirs: str, call_id: str) -> None:
        """The agent speaks of that tool under another name now."""
        self._names[theirs] = call_id

    def started(self, tool: ToolCall | ToolCallUpdate) -> Iterator[ProposedEvent]:
        """The start of a tool, unless it was told; a question may be the first that is heard of one."""
        call_id = self.call_id(tool.tool_call_id)
        own = self.tool(tool)
        if call_id in self._open_tools or call_id in self._ended_tools:
            return
        yield from self._close_round()
        self.has_output = True
        self._open_tools[call_id] = None
        payload: JsonObject = {
            "toolName": own.kind or "other",
            "title": own.title,
            "runtimeOwner": "external_agent",
            "isReadOnly": own.kind in READING,
            **shown_arguments(Call(call_id, own.title, own.input)),
        }
        yield ProposedEvent(type="tool.started", tool_call_id=ToolCallId(call_id), payload=payload)

    def tool(self, said: ToolCall | ToolCallUpdate) -> OwnTool:
        """All that the agent has told of a tool by now."""
        known = self._tools.get(said.tool_call_id, OwnTool())
        self._tools[said.tool_call_id] = whole = known.after(said)
        return whole

    def ending(self, response: PromptResponse) -> Iterator[ProposedEvent]:
        """The facts that close what is open, then the turn."""
        yield from self.closing("tool_result_missing", "The agent did not say how this ended.")
        if self._plan:
            yield ProposedEvent(type="plan.final", payload={"entries": self._plan})
        yield _terminal(response)

    def closing(self, category: str, reason: str) -> Iterator[ProposedEvent]:
        """End the text and the tools that are open."""
        yield from self._close_round()
        for call_id in list(self._open_tools):
            payload: JsonObject = {"failureCategory": category, "error": reason, "output": ""}
            yield self._end_tool(call_id, "tool.failed", payload)

    def call_id(self, theirs: str) -> str:
        """A tool call's name in this session."""
        if known := self._names.get(theirs):
            return known
        name = f"{self._turn_id}:{theirs}"
        if len(name) <= 200:
            return name
        return f"{self._turn_id[:100]}:{hashlib.sha256(theirs.encode()).hexdigest()[:32]}"

    def _say(self, text: str) -> Iterator[ProposedEvent]:
        if not text:
            return
        yield from self._open_round()
        self.has_output = True
        self._text.append(text)
        payload: JsonObject = {"messageId": self._message_id, "delta": text}
        yield ProposedEvent(type="model.delta", model_request_id=self._round, payload=payload)

    def _think(self, text: str) -> Iterator[ProposedEvent]:
        if text:
            yield from self._open_round()
            self.has_output = True
            self._thoughts.add(text)
            payload: JsonObject = {"messageId": self._message_id, "delta": text}
            yield ProposedEvent(
                type="reasoning.delta", model_request_id=self._round, payload=payload
            )

    def _tool(self, update: ToolCallStart | ToolCallProgress) -> Iterator[ProposedEvent]:
        call_id = self.call_id(update.tool_call_id)
        if call_id in self._ended_tools:
            return
        yield from self.started(update)
        output, diffs = _content_of(update)
        match update.status:
            case "completed":
                yield from (self._changed(diff) for diff in diffs)
                yield self._end_tool(call_id, "tool.result", {"output": output})
            case "failed":
                payload: JsonObject = {
                    "failureCategory": "tool_failed",
                    "error": output[:500] or "The tool failed.",
                    "output": output,
                }
                yield self._end_tool(call_id, "tool.failed", payload)
            case _ if output:
                yield ProposedEvent(
                    type="tool.progress",
                    tool_call_id=ToolCallId(call_id),
                    payload={"message": output},
                )
            case _:
                return

    def _end_tool(self, call_id: str, kind: Any, payload: JsonObject) -> ProposedEvent:
        self._open_tools.pop(call_id, None)
        self._ended_tools.add(call_id)
        return ProposedEvent(type=kind, tool_call_id=ToolCallId(call_id), payload=payload)

    def _changed(self, diff: FileEditToolCallContent) -> ProposedEvent:
        """A file it changed, told by name: the content is the user's and stays where it is."""
        path = PurePath(diff.path)
        is_inside = path.is_relative_to(self._folder)
        shown = str(path.relative_to(self._folder)) if is_inside else path.name
        artifact_id = f"file:{hashlib.sha256(diff.path.encode()).hexdigest()[:24]}"
        added, removed = _line_counts(diff.old_text or "", diff.new_text)
        payload: JsonObject = {
            "artifactId": artifact_id,
            "kind": "file_change",
            "title": path.name,
            "path": shown,
            "status": "modified" if diff.old_text is not None else "created",
            "addedLines": added,
            "removedLines": removed,
        }
        return ProposedEvent(
            type="artifact.changed", artifact_id=ArtifactId(artifact_id), payload=payload
        )

    def _planned(self, update: AgentPlanUpdate) -> ProposedEvent:
        self._plan = [
            {
                "content": entry.content[:_TITLE_CHARACTERS],
                "priority": entry.priority,
                "status": entry.status,
            }
            for entry in update.entries[:_MAX_PLAN_ENTRIES]
        ]
        return ProposedEvent(type="plan.delta", payload={"entries": self._plan})

    def _open_round(self) -> Iterator[ProposedEvent]:
        if self._round is not None:
            return
        self._round = ModelRequestId(f"request_{secrets.token_hex(8)}")
        self._message_id = f"message_{secrets.token_hex(8)}"
        self._text = []
        payload: JsonObject = {
            "provider": self._model.provider_id,
            "model": self._model.model_id,
            "messageId": self._message_id,
        }
        yield ProposedEvent(type="model.requested", model_request_id=self._round, payload=payload)

    def _close_round(self) -> Iterator[ProposedEvent]:
        if self._round is None:
            return
        if summary := self._thoughts.fact(self._message_id, self._round):
            yield summary
        self._thoughts = Thoughts()
        payload: JsonObject = {"messageId": self._message_id, "text": "".join(self._text)}
        yield ProposedEvent(type="model.completed", model_request_id=self._round, payload=payload)
        self._round = None


def _terminal(response: PromptResponse) -> ProposedEvent:
    usage: JsonObject = {"usage": _told(response.usage)} if response.usage else {}
    match response.stop_reason:
        case "end_turn" | "max_tokens":
            return ProposedEvent(
                type="turn.completed", payload={"stopReason": response.stop_reason, **usage}
            )
        case "max_turn_requests":
            category, reason = "max_turns", "The agent used all the rounds it may."
        case "refusal":
            category, reason = "refusal", "The agent refused to do this."
        case "cancelled":
            category, reason = "cancelled", "The agent stopped by itself."
    payload: JsonObject = {"failureCategory": category, "message": reason, **usage}
    return ProposedEvent(type="turn.failed", payload=payload)


def _told(usage: Usage) -> JsonObject:
    return {
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "totalTokens": usage.total_tokens,
        "cachedInputTokens": usage.cached_read_tokens or 0,
    }


def _line_counts(old: str, new: str) -> tuple[int, int]:
    """How many lines came and went; what two texts share at their ends did neither."""
    before, after = old.splitlines(), new.splitlines()
    start = _shared(before, after)
    before, after = before[start:], after[start:]
    end = _shared(before[::-1], after[::-1])
    before, after = before[: len(before) - end], after[: len(after) - end]
    was, now = Counter(before), Counter(after)
    pairs = sum(count * now[line] for line, count in was.items())
    if max(len(before), len(after), pairs) > _MOST_COMPARED_LINES:
        return (now - was).total(), (was - now).total()
    same = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    kept = sum(block.size for block in same)
    return len(after) - kept, len(before) - kept


def _shared(first: Sequence[str], second: Sequence[str]) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(first), len(second)))


def _text_of(content: object) -> str:
    return content.text if isinstance(content, TextContentBlock) else ""


def _content_of(
    update: ToolCallStart | ToolCallProgress,
) -> tuple[str, Sequence[FileEditToolCallContent]]:
    """The words and the changes of an update; its raw output where it says nothing in words."""
    parts = update.content or []
    texts = [_text_of(part.content) for part in parts if isinstance(part, ContentToolCallContent)]
    diffs = [part for part in parts if isinstance(part, FileEditToolCallContent)]
    if not texts and update.raw_output is not None:
        raw = update.raw_output
        texts = [raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)]
    return "\n".join(filter(None, texts)), diffs
