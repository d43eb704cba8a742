"""The router: which model runs a turn, why, what happens when it fails, and after a restart."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import SavedTurn, TurnStates
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.protocol.calls.model_providers import ModelProvider, ProviderUsage
from lime_desktop.protocol.calls.models import ModelChoice, ModelObstacle
from lime_desktop.protocol.calls.sessions import CompactParams
from lime_desktop.protocol.errors import EngineUnavailable, ProviderFailed, ProviderNotReady
from lime_desktop.protocol.runtime.events import ProposedEvent, RuntimeEvent
from tests.app_server.execution.written_engine import Part, WrittenEngine, model
from tests.app_server.held_rules import check_everything
from tests.app_server.providers.kept import settings
from tests.app_server.runtime_core.runtime import (
    CONTEXT,
    DONE,
    Runtime,
    crash,
    event,
    open_runtime_on,
)
from tests.app_server.tools.turns import turn_of

Scenario = Callable[[Runtime[EngineRouter]], Awaitable[None]]
NO_KEY = ModelObstacle(
    reason_code="key_missing", message="The provider has no key.", setup_action="Add its key"
)


async def say(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
    yield event("model.requested", {"model": turn.model.model_id})
    yield event("model.delta", {"delta": f"said by {turn.model.provider_id}"})
    yield event("model.completed", {"text": f"said by {turn.model.provider_id}"})
    yield DONE


async def fail_before_output(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
    yield event("model.requested", {"model": turn.model.model_id})
    yield event("model.failed", {"failureCategory": "upstream_failed"})
    raise ProviderFailed("It is down.", details={"reasonCode": "connection_failed"})


async def fail_half_way(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
    yield event("model.requested", {"model": turn.model.model_id})
    yield event("model.delta", {"delta": "half a"})
    raise ProviderFailed("It is down.")


@dataclass(frozen=True)
class Chosen:
    """What a person set: the model they prefer, and providers that have none yet."""

    model: ModelChoice | None = None
    waiting: tuple[ModelProvider, ...] = ()

    async def preferred(self) -> ModelChoice | None:
        return self.model

    async def without_models(self) -> tuple[ModelProvider, ...]:
        return self.waiting


def router_on(folder: Path, engine: WrittenEngine, chosen: Chosen | None = None) -> EngineRouter:
    return EngineRouter([engine], TurnStates(folder / "turn-states"), chosen)


def play(
    folder: Path,
    upstream_data: Path,
    engine: WrittenEngine,
    scenario: Scenario,
    chosen: Chosen | None = None,
) -> None:
    async def whole() -> None:
        runtime = await open_runtime_on(router_on(folder, engine, chosen), folder)
        try:
            await scenario(runtime)
            await check_everything(runtime, upstream_data)
        finally:
            await runtime.core.close()

    asyncio.run(whole())


def only(events: list[RuntimeEvent], event_type: str) -> RuntimeEvent:
    found = [e for e in events if e.type == event_type]
    assert len(found) == 1, (event_type, [e.type for e in events])
    return found[0]


def test_the_users_first_choice_runs_the_turn_and_the_facts_say_why(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The standard: routing is a runtime fact, with candidates, choice and reason."""
    models = (model("second", rank=2), model("first", rank=1), model("off", obstacle=NO_KEY))

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run(await runtime.session(), "hello", "t1")
        assert only(events, "model.completed").payload["text"] == "said by first"
        candidates: dict[str, Any] = dict(only(events, "routing.candidates.resolved").payload)
        assert candidates["candidateCount"] == 2
        assert [m["provider"] for m in candidates["candidates"]] == ["first", "second"]
        assert candidates["excluded"][0]["reasonCode"] == "key_missing"
        decided = only(events, "routing.decided").payload
        assert (decided["selectedProvider"], decided["decisionReason"]) == ("first", "best_ranked")
        assert only(events, "task.profile.resolved").task_profile is not None
        read = await runtime.read("session_1")
        assert read.snapshot.routing_limit_summary.selected_provider == "first"

    play(tmp_path, upstream_data, WrittenEngine(say, models), scenario)


def test_a_single_candidate_is_told_as_such(tmp_path: Path, upstream_data: Path) -> None:
    """The standard: a single candidate is a normal path and a fact of its own."""

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run(await runtime.session(), "hello")
        assert only(events, "routing.single_candidate").payload["candidateCount"] == 1

    play(tmp_path, upstream_data, WrittenEngine(say, (model("one"),)), scenario)


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ({"providerPreference": "cloud"}, "cloud"),
        ({"modelPreference": "big"}, "cloud"),
        ({"runtimeRequest": {"modelPreference": "cloud/big"}}, "cloud"),
        ({"taskProfile": {"budgetClass": "free"}}, "local"),
        ({"taskProfile": {"requiredCapabilities": ["tools"]}}, "cloud"),
        ({"outputSchema": {"type": "object"}}, "cloud"),
        ({"taskProfile": {"budgetClass": "low"}}, "local"),
        ({}, "cloud"),
    ],
)
def test_wishes_and_needs_decide(
    tmp_path: Path, upstream_data: Path, options: dict[str, Any], chosen: str
) -> None:
    """The issue: routing picks by capabilities needed, budget and preference."""
    price = {"inputUsd": 3, "outputUsd": 15}
    models = (
        model("local", "small", rank=50, isLocal=True),
        model(
            "cloud", "big", rank=1, price=price, capabilities=("text", "tools", "structured_output")
        ),
    )
    engine = WrittenEngine(say, models)

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        turn = await runtime.turn(await runtime.session(), "hello", runtimeOptions=options)
        await runtime.ended(turn.turn_id)
        assert engine.turns[0].model.provider_id == chosen

    play(tmp_path, upstream_data, engine, scenario)


def test_with_no_model_at_all_a_turn_is_refused_with_what_to_do(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: no answer is better than an invented one."""

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        session = await runtime.session()
        with pytest.raises(EngineUnavailable) as refused:
            await runtime.turn(session, "hello")
        assert refused.value.details["setupAction"]
        assert runtime.engine.describe().unavailable_reason

    play(tmp_path, upstream_data, WrittenEngine(say), scenario)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "key_missing"),
        ({"taskProfile": {"requiredCapabilities": ["vision"]}}, "key_missing"),
        ({"providerPreference": "elsewhere"}, "provider_not_set_up"),
        ({"modelPreference": "elsewhere/big"}, "model_not_set_up"),
        ({"providerPreference": "cloud"}, "key_missing"),
    ],
)
def test_the_refusal_names_what_stands_in_the_way(
    tmp_path: Path, upstream_data: Path, options: dict[str, Any], reason: str
) -> None:
    """Ours: the reason is a stable word, and the setup action fits it."""

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        session = await runtime.session()
        with pytest.raises(ProviderNotReady) as refused:
            await runtime.turn(session, "hello", runtimeOptions=options)
        assert refused.value.details["reasonCode"] == reason

    engine = WrittenEngine(say, (model("cloud", obstacle=NO_KEY),))
    play(tmp_path, upstream_data, engine, scenario)


@pytest.mark.parametrize(
    ("options", "runs", "reason"),
    [
        ({}, "agent", "preferred"),
        ({"providerPreference": "first"}, "first", "requested"),
        ({"taskProfile": {"requiredCapabilities": ["tools"]}}, "first", "preferred_not_possible"),
    ],
)
def test_the_model_a_person_prefers_runs_what_names_none_and_could_be_done_by_it(
    tmp_path: Path, upstream_data: Path, options: dict[str, Any], runs: str, reason: str
) -> None:
    """The issue: a user picks a model or an agent in settings; a task's own wish and needs go before it."""
    models = (model("first", rank=1, capabilities=("text", "tools")), model("agent", rank=600))
    engine = WrittenEngine(say, models)
    chosen = Chosen(ModelChoice(provider_id="agent", model_id="m"))

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        turn = await runtime.turn(await runtime.session(), "hello", runtimeOptions=options)
        await runtime.ended(turn.turn_id)
        assert engine.turns[0].model.provider_id == runs
        assert only(runtime.events, "routing.decided").payload["decisionReason"] == reason

    play(tmp_path, upstream_data, engine, scenario, chosen)


@pytest.mark.parametrize("options", [{}, {"providerPreference": "cloud"}])
def test_a_provider_without_models_still_says_what_it_lacks(
    tmp_path: Path, upstream_data: Path, options: dict[str, Any]
) -> None:
    """A bug: a provider set up without its key was passed over, and a local model asked for instead."""
    waiting = ModelProvider(
        provider_id="cloud",
        settings=settings(models=[]),
        has_key=False,
        obstacle=NO_KEY,
        month=ProviderUsage(month="2026-11"),
        created_at="2026-11-16T00:00:00Z",
        updated_at="2026-11-16T00:00:00Z",
    )
    weightless = ModelObstacle(reason_code="weights_missing", message="None.", setup_action="Add")
    engine = WrittenEngine(say, (model("embedded", rank=1_000, obstacle=weightless),))

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        session = await runtime.session()
        with pytest.raises(ProviderNotReady) as refused:
            await runtime.turn(session, "hello", runtimeOptions=options)
        assert refused.value.details["reasonCode"] == "key_missing"

    play(tmp_path, upstream_data, engine, scenario, Chosen(waiting=(waiting,)))


def _by_provider(**parts: Part) -> Part:
    return lambda turn: parts[turn.model.provider_id](turn)


def test_a_model_that_fails_before_it_spoke_is_replaced_and_that_is_a_fact(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The issue: fallback is said, with the failed and the chosen model."""
    models = (model("down", rank=1), model("up", rank=2))
    engine = WrittenEngine(_by_provider(down=fail_before_output, up=say), models)

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run(await runtime.session(), "hello")
        payload = only(events, "routing.fallback.applied").payload
        assert (payload["failedProvider"], payload["selectedProvider"]) == ("down", "up")
        assert payload["decisionReason"] == "connection_failed"
        assert only(events, "model.completed").payload["text"] == "said by up"

    play(tmp_path, upstream_data, engine, scenario)


@pytest.mark.parametrize(
    ("part", "options"),
    [(fail_half_way, {}), (fail_before_output, {"taskProfile": {"fallbackPolicy": "never"}})],
    ids=["after-output", "forbidden"],
)
def test_nobody_steps_in_after_output_or_against_the_wish(
    tmp_path: Path, upstream_data: Path, part: Part, options: dict[str, Any]
) -> None:
    """Ours: two models never speak in one answer."""
    models = (model("down", rank=1), model("up", rank=2))
    engine = WrittenEngine(_by_provider(down=part, up=say), models)

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        turn = await runtime.turn(await runtime.session(), "hello", runtimeOptions=options)
        await runtime.ended(turn.turn_id)
        assert only(runtime.events, "turn.failed").payload["failureCategory"] == "upstream_failed"
        assert [t.model.provider_id for t in engine.turns] == ["down"]

    play(tmp_path, upstream_data, engine, scenario)


def test_what_was_to_stay_on_this_machine_does_not_leave_it_by_a_fallback(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: only another local model steps in for a local one."""
    models = (
        model("near", rank=1, isLocal=True),
        model("far", rank=2),
        model("also-near", rank=3, isLocal=True),
    )
    parts: dict[str, Part] = {"near": fail_before_output, "also-near": say}
    engine = WrittenEngine(lambda turn: parts[turn.model.provider_id](turn), models)

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        events = await runtime.run(await runtime.session(), "hello")
        assert [t.model.provider_id for t in engine.turns] == ["near", "also-near"]
        assert only(events, "routing.decided").payload["fallbackChain"] == ["also-near/m"]

    play(tmp_path, upstream_data, engine, scenario)


QUESTION = event(
    "action.required",
    {"actionType": "tool_confirmation", "toolName": "t", "prompt": "May it?"},
    action_id="action_1",
)


def asking(states: TurnStates) -> Part:
    async def part(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        if turn.saved is None:
            saved = SavedTurn(turn_id=turn.request.turn_id, model=turn.model, body="half done")
            await states.keep(saved)
            yield QUESTION
        answer = await turn.mailbox.wait("action_1")
        yield event("model.requested")
        yield event("model.completed", {"text": f"{turn.saved}: {answer.behavior}"})
        yield DONE

    return part


def test_a_question_survives_the_process_and_its_answer_goes_on(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The issue: an approval is held over a restart; the engine gets back what it kept."""
    states = TurnStates(tmp_path / "turn-states")
    models = (model("one"),)

    async def whole() -> None:
        before = await open_runtime_on(
            router_on(tmp_path, WrittenEngine(asking(states), models)), tmp_path
        )
        await before.turn(await before.session(), "hello", "t1")
        await before.saw("action.required")
        await crash(before)
        after = await open_runtime_on(
            router_on(tmp_path, WrittenEngine(asking(states), models)), tmp_path
        )
        # At once: it may come before the engine has taken the turn up.
        await after.respond("session_1", "action_1", decision="allow_once")
        await after.ended("t1")
        assert only(after.events, "model.completed").payload["text"] == "half done: allow"
        await check_everything(after, upstream_data)
        await after.core.close()
        assert await states.read("t1") is None

    asyncio.run(whole())


def test_a_turn_whose_state_was_lost_fails_and_says_so(tmp_path: Path, upstream_data: Path) -> None:
    """Ours: what cannot go on ends, and is never begun again behind the user's back."""
    states = TurnStates(tmp_path / "turn-states")
    engine = WrittenEngine(asking(states), (model("one"),))

    async def whole() -> None:
        before = await open_runtime_on(router_on(tmp_path, engine), tmp_path)
        await before.turn(await before.session(), "hello", "t1")
        await before.saw("action.required")
        await crash(before)
        await states.drop("t1")
        after = await open_runtime_on(router_on(tmp_path, engine), tmp_path)
        await after.ended("t1")
        assert only(after.events, "turn.failed").payload["code"] == "APP_E101"
        assert len(engine.turns) == 1
        await check_everything(after, upstream_data)
        await after.core.close()

    asyncio.run(whole())


def test_a_cancelled_turn_closes_its_engines_stream_and_forgets_its_state(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: closing the stream is how every engine is stopped."""
    states = TurnStates(tmp_path / "turn-states")
    engine = WrittenEngine(asking(states), (model("one"),))

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.turn(await runtime.session(), "hello", "t1")
        await runtime.saw("action.required")
        await runtime.cancel("session_1", "t1")
        assert engine.closed_streams == 1
        assert await states.read("t1") is None

    play(tmp_path, upstream_data, engine, scenario)


async def _broken_off(_: EngineTurn) -> AsyncIterator[ProposedEvent]:
    yield event("model.requested")
    raise ProviderFailed("The line broke")


async def _impossible(_: EngineTurn) -> AsyncIterator[ProposedEvent]:
    yield event("turn.submitted")
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    "goes_on", [_broken_off, _impossible], ids=["it fails", "it says what cannot be"]
)
def test_a_turn_that_ends_badly_leaves_nothing_of_what_it_kept(
    tmp_path: Path, upstream_data: Path, goes_on: Callable[[EngineTurn], Any]
) -> None:
    """Ours: it holds what a person and a model said, and no turn will ask for it again."""
    states = TurnStates(tmp_path / "turn-states")

    async def part(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        await states.keep(SavedTurn(turn_id=turn.request.turn_id, model=turn.model, body="half"))
        yield QUESTION
        await turn.mailbox.wait("action_1")
        async for each in goes_on(turn):
            yield each

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.turn(await runtime.session(), "hello", "t1")
        await runtime.saw("action.required")
        await runtime.respond("session_1", "action_1", decision="allow_once")
        await runtime.ended("t1")
        assert await states.read("t1") is None

    play(tmp_path, upstream_data, WrittenEngine(part, (model("one"),)), scenario)


def test_what_a_turn_kept_is_gone_before_its_end_is_told(tmp_path: Path) -> None:
    """Ours: whoever hears of the end stops listening, and nothing of the engine's runs after that."""
    states = TurnStates(tmp_path / "turn-states")
    router = router_on(tmp_path, WrittenEngine(asking(states), (model("one"),)))
    request = turn_of()

    async def whole() -> None:
        async for each in router.run_turn(request):
            if each.type == "action.required":
                await router.respond_action(
                    request.turn_id, ActionAnswer("action_1", "allow", "allow")
                )
            if each.type == "turn.completed":
                break
        assert await states.read(request.turn_id) is None

    asyncio.run(whole())


def test_the_default_model_summarises(tmp_path: Path) -> None:
    """Ours: compaction needs no choice of its own."""
    engine = WrittenEngine(say, (model("one", "big", rank=2), model("two", "small", rank=1)))
    router = router_on(tmp_path, engine)
    assert asyncio.run(router.summarize("app", ())) == "0 by small"


def test_what_a_turn_keeps_on_this_machine_is_not_sent_off_to_be_summarised(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: a conversation with a local model stays local when it is made shorter."""
    offers = (model("remote", "big", rank=1), model("here", "small", rank=2, is_local=True))

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        session = await runtime.session()
        here = {"providerPreference": "here"}
        for turn_id in ("t1", "t2"):
            await runtime.turn(session, "hello", turn_id, runtimeOptions=here)
            await runtime.ended(turn_id)
        wanted = CompactParams(session_id=session, keep_turns=1)
        compacted = await runtime.core.context.compact(wanted, CONTEXT)
        assert runtime.core.store.read(compacted.summary_ref or "") == b"2 by small"

    play(tmp_path, upstream_data, WrittenEngine(say, offers), scenario)


def test_of_a_provider_that_is_away_no_other_model_is_tried(
    tmp_path: Path, upstream_data: Path
) -> None:
    """A bug: ten models of a server that was gone were asked one after the other, while a person waited."""

    async def part(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        if turn.model.provider_id == "p1":
            async for each in fail_before_output(turn):
                yield each
        async for each in say(turn):
            yield each

    models = (model("p1", "a"), model("p1", "b"), model("p1", "c"), model("p2", "d", rank=200))
    engine = WrittenEngine(part, models)

    async def scenario(runtime: Runtime[EngineRouter]) -> None:
        await runtime.session()
        events = await runtime.run("session_1", "hello", "t1")
        fallback = next(each for each in events if each.type == "routing.fallback.applied")
        first_word = next(each for each in events if each.type == "model.delta")
        assert (fallback.payload["failedModel"], fallback.payload["selectedModel"]) == ("a", "d")
        assert fallback.sequence < first_word.sequence

    play(tmp_path, upstream_data, engine, scenario)
    assert [turn.model.model_id for turn in engine.turns] == ["a", "d"]
