"""A conversation that grows too long within its turn goes on shorter, and says so."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from lime_desktop.app_server.execution.model_engine.context_window import estimated_tokens
from lime_desktop.app_server.execution.model_engine.shortening import plan, transcript
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.execution.model_runtime import Offered, open_model_runtime
from tests.app_server.held_rules import check_everything
from tests.app_server.model_server import ModelServer, Reply, failure, text, tool_calls
from tests.app_server.runtime_core.runtime import Runtime

TOO_LONG = failure(400, "context_length_exceeded")
LONG = "long ago " * 400


def play(
    folder: Path, upstream_data: Path, replies: Sequence[Reply], said: Sequence[str], **more: Any
) -> tuple[list[RuntimeEvent], ModelServer]:
    """Say these in one session; every event is valid. What the last of them led to, and what was asked."""

    async def whole(server: ModelServer) -> list[RuntimeEvent]:
        async with open_model_runtime(folder, server, **more) as runtime:
            events = await _say(runtime, said)
            await check_everything(runtime, upstream_data)
        return events

    with ModelServer(list(replies)) as server:
        return asyncio.run(whole(server)), server


async def _say(runtime: Runtime[Any], said: Sequence[str]) -> list[RuntimeEvent]:
    session = await runtime.session()
    for number, words in enumerate(said):
        await runtime.turn(session, words, f"t{number}")
        await runtime.ended(f"t{number}")
    return [event for event in runtime.events if event.turn_id == f"t{len(said) - 1}"]


def one(events: Sequence[RuntimeEvent], event_type: str) -> dict[str, Any]:
    [found] = [event for event in events if event.type == event_type]
    return dict(found.payload)


def test_a_past_that_the_provider_refuses_is_put_into_words_and_the_turn_goes_on(
    tmp_path: Path, upstream_data: Path
) -> None:
    """A bug: a model whose window nobody knows ended every long conversation with an error."""
    replies = [text("I see."), TOO_LONG, text("They greeted."), text("Seven.")]
    events, server = play(tmp_path, upstream_data, replies, [LONG, "How many?"])
    assert one(events, "turn.completed")
    done = one(events, "context.compaction.completed")
    assert done["summary"] == "They greeted."
    assert done["tokensAfter"] < done["tokensBefore"]
    assert done["compactedThroughMessageId"]
    assert "long ago" in str(server.asked[2].messages)
    last = str(server.asked[3].messages)
    assert "They greeted." in last
    assert "How many?" in last
    assert "long ago" not in last
    # The refused round, the summary's and the answer's: the summary is paid for, and says nothing to the person.
    assert [e.type for e in events if e.type.startswith("model.")] == [
        "model.requested",
        "model.failed",
        "model.requested",
        "model.delta",
        "model.completed",
    ]
    assert one(events, "turn.completed")["usage"]["totalTokens"] == 30


async def dig(call: ToolCall, _mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
    yield ToolOutcome(call.call_id, f"{call.arguments['at']}: " + "sand " * 3_000)


def test_a_turn_whose_tools_return_more_than_fits_goes_on_with_the_latest_of_it(
    tmp_path: Path, upstream_data: Path
) -> None:
    """A bug: within a turn nothing was ever compacted."""
    toolset = Offered(names=("read",), bodies={"read": dig})
    digs = [tool_calls((f"c{n}", "read", {"at": f"place{n}"})) for n in range(3)]
    replies = [*digs, TOO_LONG, text("Sand in places 0 and 1."), text("Only sand.")]
    events, server = play(tmp_path, upstream_data, replies, ["Find gold."], tooling=toolset)
    assert one(events, "turn.completed")
    assert len(toolset.ran) == 3, "nothing runs twice"
    assert "Sand in places" in one(events, "context.compaction.completed")["summary"]
    asked = server.asked[-1].messages
    assert "Find gold." in json.dumps(asked)
    assert [m["role"] for m in asked] == ["system", "user", "user", "assistant", "tool"]
    assert "place2" in asked[-1]["content"]
    assert "more characters are not shown" in asked[-1]["content"]


def test_one_long_result_is_cut_without_a_summary(tmp_path: Path, upstream_data: Path) -> None:
    """Ours: of a question alone no summary is made."""
    toolset = Offered(names=("read",), bodies={"read": dig})
    replies = [tool_calls(("c0", "read", {"at": "here"})), TOO_LONG, text("Sand.")]
    events, server = play(tmp_path, upstream_data, replies, ["Find gold."], tooling=toolset)
    assert one(events, "turn.completed")
    assert "summary" not in one(events, "context.compaction.completed")
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("replies", "facts"),
    [
        ([TOO_LONG], []),
        ([TOO_LONG, text("Short."), TOO_LONG], ["started", "completed"]),
        ([TOO_LONG, failure(400, "bad")], ["started", "failed"]),
    ],
    ids=["nothing-to-leave-out", "still-too-long", "no-summary"],
)
def test_what_stays_too_long_ends_the_turn_with_its_reason(
    tmp_path: Path, upstream_data: Path, replies: list[Reply], facts: list[str]
) -> None:
    """Ours: tried once, then told."""
    said = ["hello"] if not facts else [LONG, "How many?"]
    first = [] if not facts else [text("I see.")]
    events, _ = play(tmp_path, upstream_data, [*first, *replies], said, limits={"maxRetries": 0})
    assert one(events, "turn.failed")["code"] == "APP_E133"
    told = [e.type for e in events if e.type.startswith("context.compaction.")]
    assert told == [f"context.compaction.{fact}" for fact in facts]


def exchange(number: int, size: int) -> list[ModelMessage]:
    call = ToolCallPart("read", {"at": number}, tool_call_id=f"c{number}")
    result = ToolReturnPart("read", "x" * size, tool_call_id=f"c{number}")
    return [ModelResponse([TextPart("I look."), call]), ModelRequest([result])]


@given(
    past=st.integers(0, 6),
    sizes=st.lists(st.integers(0, 60_000), max_size=6),
    window=st.none() | st.integers(500, 100_000),
)
def test_calls_and_results_stay_together_and_the_question_stays(
    past: int, sizes: list[int], window: int | None
) -> None:
    """Ours: a provider refuses a result without its call."""
    asked = UserPromptPart("Find gold.")
    messages: list[ModelMessage] = [
        *(ModelRequest([UserPromptPart(f"said {n}")]) for n in range(past)),
        ModelRequest([asked]),
        *(each for n, size in enumerate(sizes) for each in exchange(n, size)),
    ]
    shortening = plan(messages, asked, window)
    if shortening is None:
        return
    assert len(shortening.old) + len(shortening.recent) == len(messages)
    shorter = shortening.with_summary("In short.")
    parts = [part for each in shorter for part in each.parts]
    calls = [part.tool_call_id for part in parts if isinstance(part, ToolCallPart)]
    results = [part.tool_call_id for part in parts if isinstance(part, ToolReturnPart)]
    assert calls == results
    assert (
        sum(part.content == "Find gold." for part in parts if isinstance(part, UserPromptPart)) == 1
    )
    assert estimated_tokens(shorter) <= estimated_tokens(messages) + 100
    assert len(transcript(messages, window)) <= (window or 10**9) * 2
