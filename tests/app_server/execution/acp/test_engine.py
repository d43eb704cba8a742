"""An external agent's turn looks like any other: facts, questions, endings (ours, by the Agent Client Protocol)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.protocol.errors import CapabilityNotAvailable, ProviderFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.execution.acp.runs import open_agent
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import Runtime, crash

Scenario = Callable[[Runtime[EngineRouter]], Awaitable[None]]


def play(folder: Path, upstream_data: Path, scenario: Scenario, *arguments: str) -> None:
    async def whole() -> None:
        runtime, _engine = await open_agent(folder, *arguments)
        try:
            await runtime.session()
            await scenario(runtime)
            await check_everything(runtime, upstream_data)
        finally:
            await runtime.core.close()

    asyncio.run(whole())


def said(events: list[RuntimeEvent], kind: str = "model.delta") -> str:
    return "".join(str(e.payload["delta"]) for e in events if e.type == kind)


def one(events: list[RuntimeEvent], kind: str) -> RuntimeEvent:
    [found] = [e for e in events if e.type == kind]
    return found


@pytest.mark.requirement("RT-08")
def test_text_thoughts_plans_and_usage_become_facts(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "[plan][think hm][say one two]", "turn_1")
        assert said(events) == "one two"
        assert said(events, "reasoning.delta") == "hm"
        assert one(events, "reasoning.summary").payload["summary"] == "hm"
        entry: JsonObject = {"content": "look", "priority": "high", "status": "in_progress"}
        assert one(events, "plan.delta").payload["entries"] == [entry]
        assert one(events, "plan.final").payload["entries"] == [entry]
        assert one(events, "model.completed").payload["text"] == "one two"
        usage = one(events, "turn.completed").payload["usage"]
        assert isinstance(usage, dict)
        assert usage["totalTokens"] == 8

    play(tmp_path, upstream_data, scenario)


@pytest.mark.requirement("RT-08")
def test_tools_diffs_and_failures_become_facts(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "[say a][tool][diff][fail][say b]", "turn_1")
        kinds = [e.type for e in events if e.type.startswith(("tool.", "model.c", "artifact."))]
        assert kinds == [
            "model.completed",
            "tool.started",
            "tool.result",
            "tool.started",
            "artifact.changed",
            "tool.result",
            "tool.started",
            "tool.failed",
            "model.completed",
        ]
        started = next(e for e in events if e.type == "tool.started")
        assert started.payload["safeArgs"] == {"path": "a.txt"}
        assert started.payload["hiddenArgs"] == ["apiKey"]
        change = one(events, "artifact.changed").payload
        assert (change["path"], change["addedLines"], change["removedLines"]) == (
            "notes/a.txt",
            2,
            1,
        )
        assert one(events, "tool.failed").payload["error"] == "it broke"

    play(tmp_path, upstream_data, scenario)


@pytest.mark.parametrize(
    ("answer", "chosen", "ending"),
    [
        ({"decision": "allow_once"}, "yes", "tool.result"),
        ({"decision": "allow_for_session"}, "always", "tool.result"),
        ({"decision": "decline"}, "no", "tool.failed"),
    ],
)
def test_a_request_for_permission_is_a_persons_to_answer(
    tmp_path: Path, upstream_data: Path, answer: dict[str, Any], chosen: str, ending: str
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.turn("session_1", "[ask][say done]", "turn_1")
        question = await runtime.saw("action.required")
        assert question.payload["availableDecisions"] == [
            "allow_once",
            "allow_for_session",
            "decline",
        ]
        assert question.action_id is not None
        await runtime.respond("session_1", question.action_id, **answer)
        await runtime.ended("turn_1")
        events = runtime.of_turn("turn_1")
        assert one(events, ending).payload["output"] == f"chosen: {chosen}"
        assert one(events, "turn.completed")

    play(tmp_path, upstream_data, scenario)


def test_an_agent_that_goes_on_without_the_yes_is_stopped(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.turn("session_1", "[bypass]", "turn_1")
        question = await runtime.saw("action.required")
        assert question.action_id is not None
        await runtime.respond("session_1", question.action_id, decision="decline")
        await runtime.ended("turn_1")
        failed = one(runtime.of_turn("turn_1"), "turn.failed")
        assert failed.payload["code"] == "tool_result_after_refusal"

    play(tmp_path, upstream_data, scenario)


def test_an_agent_remembers_the_conversation_and_a_new_one_is_told_it(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        assert said(await runtime.run("session_1", "hello", "turn_1")) == "1: hello"
        assert said(await runtime.run("session_1", "again", "turn_2")) == "2: again"
        await runtime.run("session_1", "[crash]", "turn_3")
        told = said(await runtime.run("session_1", "back", "turn_4"))
        assert told.startswith("1: Earlier in this conversation:\nuser: hello\nassistant: 1: hello")
        assert told.endswith("Now: back")

    play(tmp_path, upstream_data, scenario)


def test_what_the_app_gives_its_agents_to_read_stands_before_the_input(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Persona, skills, knowledge, documents and the summary all arrive as the turn's system prompt."""

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        given = {"runtimeOptions": {"runtimeRequest": {"systemPrompt": "You are a gardener."}}}
        await runtime.turn("session_1", "hello", "turn_1", **given)
        await runtime.ended("turn_1")
        assert said(runtime.events) == "1: Background:\nYou are a gardener.\n\nNow: hello"

    play(tmp_path, upstream_data, scenario)


def test_a_crash_is_a_fact_and_the_next_turn_starts_anew(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "[say half][open][crash]", "turn_1")
        assert one(events, "turn.failed").payload["code"] == ProviderFailed.code
        assert one(events, "tool.failed").payload["failureCategory"] == "engine_crashed"
        assert one(runtime.events, "runtime.warning").payload["exitCode"] == 9
        assert said(await runtime.run("session_1", "[say well]", "turn_2")) == "well"

    play(tmp_path, upstream_data, scenario)


@pytest.mark.parametrize("arguments", [(), ("--deaf",)])
def test_a_cancelled_turn_ends_whether_the_agent_listens_or_not(
    tmp_path: Path, upstream_data: Path, arguments: tuple[str, ...]
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.turn("session_1", "[hang]", "turn_1")
        await runtime.saw("model.delta")
        await runtime.cancel("session_1", "turn_1")
        assert one(runtime.of_turn("turn_1"), "turn.canceled")
        assert said(await runtime.run("session_1", "[say next]", "turn_2")) == "next"

    play(tmp_path, upstream_data, scenario, *arguments)


def test_a_turn_cancelled_at_a_question_takes_the_question_back(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.turn("session_1", "[ask]", "turn_1")
        await runtime.saw("action.required")
        await runtime.cancel("session_1", "turn_1")
        assert one(runtime.of_turn("turn_1"), "action.resolved").payload["decision"] == "cancelled"

    play(tmp_path, upstream_data, scenario)


@pytest.mark.parametrize(
    ("text", "category"),
    [("[stop refusal]", "refusal"), ("[stop max_turn_requests]", "max_turns")],
)
def test_an_ending_that_is_none_is_told_as_a_failure(
    tmp_path: Path, upstream_data: Path, text: str, category: str
) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", text, "turn_1")
        assert one(events, "turn.failed").payload["failureCategory"] == category

    play(tmp_path, upstream_data, scenario)


def test_a_tool_left_open_is_closed_as_unknown(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "[open]", "turn_1")
        assert one(events, "tool.failed").payload["failureCategory"] == "tool_result_missing"

    play(tmp_path, upstream_data, scenario)


def test_garbage_ends_the_turn_with_facts(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "[garbage][say after]", "turn_1")
        assert one(events, "turn.failed").payload["recoveryHint"]
        assert said(await runtime.run("session_1", "[say well]", "turn_2")) == "well"

    play(tmp_path, upstream_data, scenario)


def test_a_flood_arrives_whole_and_in_order(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "[flood 2000]", "turn_1")
        assert said(events) == "".join(f"{number} " for number in range(2_000))

    play(tmp_path, upstream_data, scenario)


async def asked_before_a_crash(folder: Path, prompt: str, *arguments: str) -> str:
    """Let the agent ask, then kill the process; returns the question's id."""
    runtime, engine = await open_agent(folder, *arguments)
    await runtime.session()
    await runtime.turn("session_1", prompt, "turn_1")
    question = await runtime.saw("action.required")
    await crash(runtime)
    await engine.close()
    return question.action_id or ""


async def after_the_crash(
    folder: Path, upstream_data: Path, scenario: Scenario, *arguments: str
) -> None:
    runtime, _engine = await open_agent(folder, *arguments)
    try:
        await scenario(runtime)
        await runtime.ended("turn_1")
        await check_everything(runtime, upstream_data)
    finally:
        await runtime.core.close()


def test_a_turn_that_waited_goes_on_in_the_conversation_that_the_agent_kept(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The protocol's session/load: what the agent tells again is no news, and the next turn goes on from there."""

    async def whole() -> None:
        action_id = await asked_before_a_crash(tmp_path, "[ask][say done]")

        async def scenario(runtime: Runtime[EngineRouter]) -> None:
            await runtime.respond("session_1", action_id, decision="allow_once")
            await runtime.ended("turn_1")
            assert one(runtime.events, "tool.result").payload["output"] == "chosen: yes"
            assert said(runtime.events) == "done"
            assert said(await runtime.run("session_1", "hello", "turn_2")) == "2: hello"

        await after_the_crash(tmp_path, upstream_data, scenario)

    asyncio.run(whole())


def test_a_yes_counts_for_the_question_it_was_given_to_and_no_other(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: an agent that asks for something else after a restart has no permission for it."""

    async def whole() -> None:
        action_id = await asked_before_a_crash(tmp_path, "[other][say done]")

        async def scenario(runtime: Runtime[EngineRouter]) -> None:
            await runtime.respond("session_1", action_id, decision="allow_once")
            question = await runtime.saw("action.required")
            assert question.action_id != action_id
            await runtime.respond("session_1", question.action_id or "", decision="decline")
            await runtime.ended("turn_1")
            failed = [
                e.payload["failureCategory"] for e in runtime.events if e.type == "tool.failed"
            ]
            assert failed == ["tool_failed", "tool_result_missing"]
            assert one(runtime.events, "turn.completed")

        await after_the_crash(tmp_path, upstream_data, scenario)

    asyncio.run(whole())


def test_an_agent_that_cannot_load_has_its_question_withdrawn_and_says_what_to_do(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: nobody is left to answer a question that nobody hears the answer to."""

    async def whole() -> None:
        await asked_before_a_crash(tmp_path, "[ask]", "--forgetful")

        async def scenario(runtime: Runtime[EngineRouter]) -> None:
            await runtime.ended("turn_1")
            failed = one(runtime.events, "turn.failed").payload
            assert (failed["code"], failed["reasonCode"]) == ("APP_E101", "agent_cannot_resume")
            assert "Send your message again" in str(failed["recoveryHint"])
            assert one(runtime.events, "action.resolved").payload["decision"] == "cancelled"

        await after_the_crash(tmp_path, upstream_data, scenario, "--forgetful")

    asyncio.run(whole())


def test_a_conversation_that_the_agent_lost_fails_the_turn_and_says_so(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def whole() -> None:
        action_id = await asked_before_a_crash(tmp_path, "[ask]")
        for kept in (tmp_path / "work").rglob("echo-session.json"):
            kept.unlink()

        async def scenario(runtime: Runtime[EngineRouter]) -> None:
            await runtime.respond("session_1", action_id, decision="allow_once")
            await runtime.ended("turn_1")
            failed = one(runtime.events, "turn.failed").payload
            assert failed["reasonCode"] == "agent_session_lost"
            assert said(await runtime.run("session_1", "[say well]", "turn_2")) == "well"

        await after_the_crash(tmp_path, upstream_data, scenario)

    asyncio.run(whole())


def test_an_agent_writes_no_summaries(tmp_path: Path) -> None:
    async def whole() -> None:
        runtime, engine = await open_agent(tmp_path)
        [offer] = await engine.offers()
        with pytest.raises(CapabilityNotAvailable):
            await engine.summarize("app", (), offer)
        await runtime.core.close()

    asyncio.run(whole())


def test_an_agent_that_wants_a_sign_in_says_so(tmp_path: Path, upstream_data: Path) -> None:
    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run("session_1", "hello", "turn_1")
        assert "sign in" in str(one(events, "turn.failed").payload["message"])

    play(tmp_path, upstream_data, scenario, "--sign-in")
