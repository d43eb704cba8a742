"""Whatever an engine does, its turn ends with facts and the log stays sound."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.scripted import Hold, Raise, Script, ScriptedEngine, Yield
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.runtime_core.core import open_core
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.running.driver import Limits
from lime_desktop.protocol.calls.sessions import (
    CompactParams,
    StartSessionParams,
)
from lime_desktop.protocol.calls.turns import StartTurnParams, TurnInput
from lime_desktop.protocol.errors import EngineUnavailable, ProviderFailed
from lime_desktop.protocol.ids import AppId
from tests.app_server.conftest import Play
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, Runtime, event

OPEN_WORK: Script = [
    event("model.requested", {"model": "m"}),
    event("tool.started", {"toolName": "t"}, tool_call_id="call_1"),
]
BAD = event("tool.result", {"preview": "?"}, tool_call_id="never started")


@pytest.mark.parametrize(
    ("script", "category"),
    [
        ([*OPEN_WORK, BAD, DONE], "engine_protocol"),
        ([*OPEN_WORK, DONE], "engine_protocol"),
        ([*OPEN_WORK, Yield("not an event")], "engine_protocol"),
        ([*OPEN_WORK, Yield(fact("turn.canceled"))], "engine_protocol"),
        ([*OPEN_WORK, Raise(RuntimeError("sk-secret"))], "engine_error"),
        ([*OPEN_WORK, Raise(ProviderFailed("The provider is down."))], "upstream_failed"),
        (OPEN_WORK, "engine_protocol"),
        ([], "engine_protocol"),
        ([*OPEN_WORK, Hold("for ever")], "engine_silent"),
        ([event("run.status", {"phase": "working"})] * 300, "engine_flood"),
    ],
    ids=[
        "bad-event",
        "unclosed",
        "no-event",
        "forged",
        "exception",
        "provider",
        "stops",
        "empty",
        "silent",
        "flood",
    ],
)
def test_a_misbehaving_engine_ends_its_turn_with_facts(
    play: Play, script: Script, category: str
) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "bad", "turn_1")
        ended = next(e for e in runtime.events if e.type == "turn.failed")
        assert ended.payload["failureCategory"] == category
        assert ended.payload["recoveryHint"]
        assert "sk-secret" not in str([e.to_wire() for e in runtime.events])
        if len(script) > 1 and script[0] is OPEN_WORK[0]:
            assert runtime.types().index("tool.failed") < runtime.types().index("model.failed")
        await runtime.run("session_1", "good", "turn_2")

    limits = Limits(engine_silence_s=0.2, engine_stop_s=0.5, events_per_turn=200)
    play({"bad": script, "good": [DONE]}, scenario, limits=limits)


def test_what_an_engine_said_before_its_mistake_is_kept(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        await runtime.run("session_1", "bad", "turn_1")
        assert [e.payload["delta"] for e in runtime.events if e.type == "model.delta"] == ["a", "b"]

    deltas = [event("model.delta", {"delta": text}) for text in "ab"]
    play({"bad": [*deltas, BAD, event("model.delta", {"delta": "c"}), DONE]}, scenario)


def test_an_engine_faster_than_the_log_loses_nothing(play: Play) -> None:
    count = 2_000

    async def scenario(runtime: Runtime) -> None:
        await runtime.session()
        turn = await runtime.turn("session_1", "fast", "turn_1")
        await runtime.ended(turn.turn_id)
        numbers = [
            e.payload["n"] for e in runtime.events if e.type == "run.status" and "n" in e.payload
        ]
        assert numbers == list(range(count))

    play({"fast": [*(event("run.status", {"n": n}) for n in range(count)), DONE]}, scenario)


def test_an_engine_that_ignores_cancellation_is_left_behind(play: Play) -> None:
    async def scenario(runtime: Runtime) -> None:
        runtime.engine.ignores_cancellation = True
        await runtime.session()
        await runtime.turn("session_1", "held", "turn_1")
        await runtime.cancel("session_1", "turn_1")
        assert runtime.types()[-1] == "snapshot.updated"
        assert "turn.canceled" in runtime.types()

    play({"held": [Hold("gate")]}, scenario, limits=Limits(engine_stop_s=0.1))


def test_without_an_engine_every_turn_fails_closed_with_its_reason(tmp_path: Path) -> None:
    """The standard: no engine is no answer, never a mock."""

    async def scenario() -> None:
        core = await open_core(tmp_path, UnavailableEngine("No provider has a key."))
        started = await core.sessions.start(StartSessionParams(app_id=AppId("app")), CONTEXT)
        session_id = started.session.session_id
        with pytest.raises(EngineUnavailable) as refusal:
            await core.turns.start(
                StartTurnParams(session_id=session_id, input=TurnInput(text="hi")), CONTEXT
            )
        assert refusal.value.rpc_code == -32030
        assert refusal.value.message == "No provider has a key."
        assert refusal.value.details["setupAction"] == "Set up a model provider in Settings"
        assert (
            await core.context.compact(CompactParams(session_id=session_id), CONTEXT)
        ).compacted_turn_ids == ()
        await core.close()

    asyncio.run(scenario())


@pytest.mark.requirement("APP-33", "RT-34")
def test_a_scripted_engine_is_refused_as_a_product(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable) as refusal:
        asyncio.run(open_core(tmp_path, ScriptedEngine({})))
    assert refusal.value.details == {"reasonCode": "test_engine"}
    assert not list(tmp_path.iterdir())
