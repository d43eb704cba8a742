"""What no guard lets through is not shown: not by an engine, not to an app, not after a restart (ours)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from lime_desktop.app_server.answer_guards.answer_guard import guarded
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.runtime_core.backend import Source, TurnRequest
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput
from lime_desktop.protocol.errors import AnswerWithheld
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.execution.written_engine import WrittenEngine, model
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import Runtime, event, open_runtime_on

FERRY = Source("Trip", "The ferry leaves at 08:15 from pier 4. Anna pays.")
LOCAL = model("near", "small-1b", is_local=True, quality="small")
FAR = model("far", "large", is_local=False)
CIRCLES = ["The fire drill is a part of the fire. "] * 200


def request(*sources: Source, demands: bool = False) -> TurnRequest:
    return TurnRequest(
        *("app", None, "session_1", "thread_1", "turn_1", "task_1", "run_1", None),
        input=TurnInput(text="When does the ferry leave?"),
        options=RuntimeOptions(),
        sources=sources,
        demands_grounding=demands,
    )


async def speak(*pieces: str, **ending: Any) -> AsyncIterator[ProposedEvent]:
    yield event("model.requested", {"messageId": "m1"})
    for piece in pieces:
        yield event("model.delta", {"messageId": "m1", "delta": piece})
    yield event("model.completed", {"messageId": "m1", "text": "".join(pieces)})
    yield event("turn.completed", ending)


def shown(
    pieces: list[str], *, by: ModelDescription, asked: TurnRequest, **ending: Any
) -> tuple[list[ProposedEvent], AnswerWithheld | None]:
    async def whole() -> tuple[list[ProposedEvent], AnswerWithheld | None]:
        told: list[ProposedEvent] = []
        try:
            async for each in guarded(asked, by, speak(*pieces, **ending)):
                told.append(each)  # noqa: PERF401 - what was told before the end counts too
        except AnswerWithheld as error:
            return told, error
        return told, None

    return asyncio.run(whole())


def words(told: list[ProposedEvent]) -> str:
    return "".join(str(each.payload["delta"]) for each in told if each.type == "model.delta")


def reason(error: AnswerWithheld | None) -> object:
    return error and error.details["reasonCode"]


def test_a_model_in_circles_is_stopped_and_its_text_ends_before_them() -> None:
    told, error = shown(["At eight. ", *CIRCLES], by=LOCAL, asked=request())
    assert reason(error) == "repeats"
    assert len(words(told)) < 400
    assert told[-1].type == "model.completed"
    assert str(told[-1].payload["text"]).count("fire drill") <= 1


def test_a_model_that_stops_by_itself_in_mid_circle_is_noticed_too() -> None:
    told, error = shown(CIRCLES[:5], by=LOCAL, asked=request())
    assert reason(error) == "repeats"
    assert told[-1].payload["text"] == ""


def test_an_answer_that_has_nothing_to_do_with_its_sources_is_never_shown() -> None:
    told, error = shown(["Elephants live ", "in large herds."], by=LOCAL, asked=request(FERRY))
    assert reason(error) == "ungrounded"
    assert error is not None
    assert error.details["found"] == ["Trip"]
    assert [each.type for each in told] == ["model.requested", "model.completed"]
    assert told[-1].payload["text"] == ""


def test_an_answer_from_its_sources_is_shown_whole() -> None:
    told, error = shown(["It leaves ", "at 08:15 [1]."], by=LOCAL, asked=request(FERRY))
    assert error is None
    assert words(told) == "It leaves at 08:15 [1]."
    assert [each.type for each in told][-2:] == ["model.completed", "turn.completed"]


def test_empty_answers_and_echoes_are_no_answers() -> None:
    assert reason(shown([" "], by=LOCAL, asked=request())[1]) == "empty"
    echo = ["When does ", "the ferry leave?"]
    assert reason(shown(echo, by=LOCAL, asked=request())[1]) == "echo"


def test_who_begins_to_play_the_person_has_ended() -> None:
    told, error = shown(["At 08:15.\nUs", "er: And then?\n", "More."], by=LOCAL, asked=request())
    assert error is None
    assert words(told) == "At 08:15."
    assert (
        next(each for each in told if each.type == "model.completed").payload["text"] == "At 08:15."
    )


def test_a_providers_model_is_left_alone_unless_the_task_demands_sources() -> None:
    elephants = ["Elephants live in large herds."]
    assert shown(elephants, by=FAR, asked=request(FERRY))[1] is None
    assert shown(CIRCLES, by=FAR, asked=request())[1] is None
    assert reason(shown(elephants, by=FAR, asked=request(FERRY, demands=True))[1]) == "ungrounded"


def test_output_in_a_form_is_held_against_the_sources_too() -> None:
    asked = request(FERRY)
    good = shown(["{}"], by=LOCAL, asked=asked, structuredOutput={"answer": "pier 4, Anna pays"})
    bad = shown(
        ["{}"], by=LOCAL, asked=asked, structuredOutput={"answer": "large herds of elephants"}
    )
    assert (good[1], reason(bad[1])) == (None, "ungrounded")


def play(
    folder: Path,
    upstream_data: Path,
    pieces: list[str],
    check: Callable[[Runtime[EngineRouter]], Awaitable[None]],
) -> None:
    async def say(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        del turn
        async for each in speak(*pieces):
            yield each

    async def whole() -> None:
        router = EngineRouter([WrittenEngine(say, (LOCAL,))], TurnStates(folder / "turn-states"))
        runtime = await open_runtime_on(router, folder)
        try:
            await runtime.session()
            await runtime.turn("session_1", "Tell me.", "turn_1")
            await runtime.ended("turn_1")
            await check(runtime)
            await check_everything(runtime, upstream_data)
        finally:
            await runtime.core.close()

    asyncio.run(whole())


def test_a_turn_ends_with_the_reason_as_a_fact(tmp_path: Path, upstream_data: Path) -> None:
    async def check(runtime: Runtime[EngineRouter]) -> None:
        events = runtime.of_turn("turn_1")
        [failed] = [each for each in events if each.type == "turn.failed"]
        assert (failed.payload["code"], failed.payload["reasonCode"]) == ("APP_E109", "repeats")
        deltas = [each for each in events if each.type == "model.delta"]
        assert len(deltas) < 12

    play(tmp_path, upstream_data, CIRCLES, check)
