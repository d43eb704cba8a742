"""The conformance kit: the same demands on every engine, at RuntimeCore's surface."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.runtime_views.session import SessionProjection, project
from tests.app_server.execution.conformance_kit import (
    ARGUMENTS,
    FLOOD,
    KitTools,
    PlayName,
    Stage,
)
from tests.app_server.execution.stages import AcpStage, EmbeddedStage, ModelStage
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import Runtime, crash

STAGES: tuple[Stage, ...] = (ModelStage(), EmbeddedStage(), AcpStage())

Scenario = Callable[[Runtime[Any], KitTools], Awaitable[None]]
Show = Callable[[PlayName, Scenario], None]


@pytest.fixture(params=STAGES, ids=lambda stage: stage.name)
def stage(request: pytest.FixtureRequest) -> Stage:
    return request.param


@pytest.fixture
def show(stage: Stage, tmp_path: Path, upstream_data: Path) -> Show:
    """Open the engine for a play in a session, run the scenario, hold everything against the rules."""

    def run(play: PlayName, scenario: Scenario) -> None:
        if reason := stage.skipped.get(play):
            pytest.skip(reason)

        async def whole() -> None:
            tools = KitTools()
            async with stage.open(tmp_path, play, tools) as runtime:
                await runtime.session()
                await scenario(runtime, tools)
                await check_everything(runtime, upstream_data)

        asyncio.run(whole())

    return run


async def run_to_end(
    runtime: Runtime[Any], stage: Stage, play: PlayName, turn_id: str = "t1"
) -> list[RuntimeEvent]:
    await runtime.turn("session_1", stage.prompt(play), turn_id)
    await runtime.ended(turn_id)
    return runtime.of_turn(turn_id)


def ending(events: list[RuntimeEvent]) -> RuntimeEvent:
    (found,) = [event for event in events if event.type in TURN_TERMINALS]
    return found


def types(events: list[RuntimeEvent], *prefixes: str) -> list[str]:
    return [event.type for event in events if event.type.startswith(prefixes)]


def ran_after(decision: str, stage: Stage) -> list[str]:
    """Which of the kit's tools an answer lets run."""
    return ["publish"] if decision == "allow_once" and not stage.has_own_tools else []


async def answer_shown(runtime: Runtime[Any]) -> list[str]:
    """What the agent said, restored from the snapshot alone and replayed from every event."""
    snapshot = (await runtime.read("session_1")).snapshot
    restored = SessionProjection(snapshot).views()
    replayed = project(runtime.events)
    shown = [
        [part.text or "" for part in views.messages if part.type == "text" and part.role != "user"]
        for views in (restored, replayed)
    ]
    assert [t for t in shown[0] if t] == [t for t in shown[1] if t]
    return [said for said in shown[1] if said]


def test_a_text_turn_is_complete_restorable_and_said_once(show: Show, stage: Stage) -> None:
    """The standard's fixture text-basic, live."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "text")
        order = types(events, "turn.", "run.status", "model.requested", "model.c", "snapshot.")
        assert order[:2] == ["turn.submitted", "turn.started"]
        assert order[-3:] == ["model.completed", "turn.completed", "snapshot.updated"]
        assert "".join(str(e.payload["delta"]) for e in events if e.type == "model.delta") == (
            "one two three"
        )
        assert await answer_shown(runtime) == ["one two three"]
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        assert (thread.status, thread.active_turn_id) == ("completed", None)

    show("text", scenario)


def test_the_facts_say_which_model_was_chosen_and_why(show: Show, stage: Stage) -> None:
    """The standard: routing, cost and usage are runtime facts."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "text")
        decided = next(e for e in events if e.type == "routing.decided").payload
        assert decided["selectedEngine"] == stage.name
        requested = next(e for e in events if e.type == "model.requested").payload
        assert requested["model"] == decided["selectedModel"]
        assert ending(events).payload["usage"]

    show("text", scenario)


def test_a_tool_runs_once_and_its_result_is_a_fact(show: Show, stage: Stage) -> None:
    """The standard's fixture tool-success, live."""

    async def scenario(runtime: Runtime[Any], tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "tool")
        assert [(call.name, call.arguments) for call in tools.ran] == [("search", ARGUMENTS)]
        lifecycle = types(events, "tool.s", "tool.r", "tool.f")
        assert lifecycle == ["tool.started", "tool.result"]
        (call,) = (await runtime.read("session_1")).snapshot.threads[0].tool_calls
        assert (call.tool_name, call.status) == ("search", "completed")
        assert (await answer_shown(runtime))[-1] == "done"

    show("tool", scenario)


def test_a_failed_tool_is_an_incident_and_not_the_end(show: Show, stage: Stage) -> None:
    """The standard's fixture tool-failure, live."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "failing-tool")
        failed = next(e for e in events if e.type == "tool.failed").payload
        assert failed["failureCategory"] == "io_error"
        assert ending(events).type == "turn.completed"
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        assert [call.status for call in thread.tool_calls] == ["failed"]
        assert thread.incidents

    show("failing-tool", scenario)


DECISIONS = [("allow_once", "tool.result"), ("decline", "tool.failed")]
"""And what becomes of the tool."""


@pytest.mark.parametrize(("decision", "outcome"), DECISIONS)
def test_a_question_waits_and_its_answer_counts(
    show: Show, stage: Stage, decision: str, outcome: str
) -> None:
    """The standard's fixture hitl-action, live: nothing runs before the answer, nothing after a no."""

    async def scenario(runtime: Runtime[Any], tools: KitTools) -> None:
        await runtime.turn("session_1", stage.prompt("question"), "t1")
        question = await runtime.saw("action.required")
        waiting = (await runtime.read("session_1")).snapshot.threads[0]
        assert len(waiting.pending_actions) == 1
        assert tools.ran == []
        await runtime.respond("session_1", question.action_id or "", decision=decision)
        await runtime.ended("t1")
        assert [call.name for call in tools.ran] == ran_after(decision, stage)
        assert types(runtime.of_turn("t1"), "tool.r", "tool.f") == [outcome]
        after = (await runtime.read("session_1")).snapshot.threads[0]
        assert after.pending_actions == ()
        assert ending(runtime.of_turn("t1")).type == "turn.completed"

    show("question", scenario)


def test_artifacts_and_evidence_are_told_by_reference(show: Show, stage: Stage) -> None:
    """The standard's fixture artifact-evidence, live."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "artifact")
        assert types(events, "artifact.", "evidence.") == ["artifact.changed", "evidence.changed"]
        views = project(runtime.events)
        assert (len(views.artifacts), len(views.evidence)) == (1, 1)

    show("artifact", scenario)


def test_subagents_are_told_with_their_parents(show: Show, stage: Stage) -> None:
    """The standard's fixture subagent-handoff, live."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "subagent")
        assert types(events, "subagent.") == [
            "subagent.spawned",
            "subagent.started",
            "subagent.completed",
        ]
        views = project(runtime.events)
        assert (views.subagents.has_subagents, len(views.subagents.completed_thread_ids)) == (
            True,
            1,
        )

    show("subagent", scenario)


def test_a_reader_who_missed_the_middle_is_repaired(show: Show, stage: Stage) -> None:
    """The standard's fixture stream-repair, live: a gap is noticed, and the text is not repeated."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        await run_to_end(runtime, stage, "text")
        first = next(i for i, e in enumerate(runtime.events) if e.type == "model.delta")
        reader = SessionProjection()
        reader.receive([*runtime.events[: first + 1], *runtime.events[first + 2 :]])
        assert reader.views().hydration.status == "stale"
        reader.repair((await runtime.read("session_1")).snapshot)
        repaired = reader.views()
        said = [p.text for p in repaired.messages if p.type == "text" and p.role != "user"]
        assert list(filter(None, said)) == ["one two three"]
        assert repaired.runtime.status == "completed"

    show("text", scenario)


@pytest.mark.parametrize(
    ("play", "point"),
    [
        ("text", "turn.started"),
        ("text", "routing.decided"),
        ("text", "model.requested"),
        ("hang", "model.delta"),
        ("question", "tool.started"),
        ("question", "action.required"),
        ("tool", "tool.result"),
        ("text", "model.completed"),
    ],
)
def test_a_turn_may_be_cancelled_at_every_point(
    show: Show, stage: Stage, play: PlayName, point: Any
) -> None:
    """The issue: cancel at every point. Whoever was faster, the turn ends once and nothing stays open."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        await runtime.turn("session_1", stage.prompt(play), "t1")
        await runtime.saw(point, "t1")
        try:
            await runtime.cancel("session_1", "t1")
        except Exception:  # noqa: BLE001 - it had ended by itself
            assert ending(runtime.of_turn("t1")).type != "turn.canceled"
        await runtime.ended("t1")
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        assert thread.pending_actions == ()
        assert {call.status for call in thread.tool_calls} <= {"completed", "failed", "cancelled"}

    show(play, scenario)


def test_the_engine_works_after_a_cancelled_turn(show: Show, stage: Stage) -> None:
    """Ours: a cancelled turn leaves nothing behind that the next one would stumble over."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        for number in range(3):
            await runtime.turn("session_1", stage.prompt("hang"), f"h{number}")
            await runtime.saw("model.delta", f"h{number}")
            await runtime.cancel("session_1", f"h{number}")
            await runtime.ended(f"h{number}")

    show("hang", scenario)


@pytest.mark.parametrize("play", ["cut", "garbage"])
def test_a_broken_answer_ends_the_turn_with_a_category_and_a_way_on(
    show: Show, stage: Stage, play: PlayName
) -> None:
    """The issue: a stream cut in the middle, and malformed output."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, play)
        end = ending(events)
        assert end.type == "turn.failed"
        assert end.payload["failureCategory"] not in {"engine_error", "engine_protocol"}
        assert end.payload["recoveryHint"]

    show(play, scenario)


def test_a_flood_arrives_whole_and_in_order(show: Show, stage: Stage) -> None:
    """The issue: huge output and a slow consumer; each fact is on disk before the next is read."""

    async def scenario(runtime: Runtime[Any], _tools: KitTools) -> None:
        events = await run_to_end(runtime, stage, "flood")
        deltas = [e for e in events if e.type == "model.delta"]
        assert len(deltas) >= FLOOD
        assert ending(events).type == "turn.completed"
        assert max(len(e.to_json()) for e in events) < 40_000

    show("flood", scenario)


@pytest.mark.parametrize(("decision", "outcome"), DECISIONS)
def test_an_answer_may_come_after_a_restart(
    stage: Stage, tmp_path: Path, upstream_data: Path, decision: str, outcome: str
) -> None:
    """The issue: respond after a restart; the tool runs once, in the process that heard the yes."""
    first, second = KitTools(), KitTools()

    async def whole() -> None:
        async with stage.open(tmp_path, "question", first) as before:
            await before.session()
            await before.turn("session_1", stage.prompt("question"), "t1")
            question = await before.saw("action.required")
            await crash(before)
        async with stage.open(tmp_path, "question", second) as after:
            await after.respond("session_1", question.action_id or "", decision=decision)
            await after.ended("t1")
            assert ending(after.events).type == "turn.completed"
            assert types(after.events, "tool.r", "tool.f", "action.required") == [outcome]
            await check_everything(after, upstream_data)

    asyncio.run(whole())
    assert first.ran == []
    assert [call.name for call in second.ran] == ran_after(decision, stage)


def test_every_play_is_given_or_excused_by_every_stage() -> None:
    """Ours: an engine joins the kit whole."""
    for each in STAGES:
        assert set(each.skipped) <= set(get_args(PlayName))
        assert all(each.prompt(play) for play in get_args(PlayName))
