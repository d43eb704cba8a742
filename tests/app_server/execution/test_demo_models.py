"""A demo model answers nothing by itself: only a person who chose it, or a task that names it, gets it (ours)."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.execution.turn_states import TurnStates
from lime_desktop.app_server.models.catalogue import KNOWN_MODELS, SMOLLM2
from lime_desktop.app_server.providers.known_models import quality_of
from lime_desktop.app_server.providers.routing import (
    AvailableModels,
    ModelRequirements,
    find_route,
    obstacle_of,
    order_of_trying,
)
from lime_desktop.protocol.calls.models import ModelChoice, ModelDescription, ModelQuality
from lime_desktop.protocol.calls.turns import TaskProfile
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.execution.written_engine import WrittenEngine
from tests.app_server.runtime_core.runtime import DONE


def offer(model_id: str, quality: ModelQuality, rank: int = 100) -> ModelDescription:
    return ModelDescription(
        engine="written",
        provider_id="p1",
        model_id=model_id,
        title=model_id,
        quality=quality,
        rank=rank,
    )


DEMO = offer("toy-135m", "demo", 1)
SMALL = offer("able-1.5b", "small", 50)
LARGE = offer("large", "standard", 100)
ANY = ModelRequirements(TaskProfile(), ("text",))


def test_a_task_without_wishes_never_gets_a_demo_model() -> None:
    route = find_route(AvailableModels((DEMO, SMALL, LARGE)), ANY)
    assert route.candidates == (SMALL, LARGE)
    assert order_of_trying(route) == (SMALL, LARGE)


def test_where_only_a_demo_is_here_nobody_answers_and_the_reason_has_a_code() -> None:
    route = find_route(AvailableModels((DEMO,)), ANY)
    obstacle = obstacle_of(route)
    assert route.first is None
    assert obstacle is not None
    assert obstacle.reason_code == "demo_model"


@pytest.mark.parametrize("named", ["toy-135m", "p1/toy-135m"])
def test_a_task_that_names_the_demo_gets_it(named: str) -> None:
    assert (
        find_route(
            AvailableModels((DEMO, SMALL)), ModelRequirements(TaskProfile(), ("text",), None, named)
        ).first
        is DEMO
    )


def test_a_wish_for_its_provider_alone_is_no_wish_for_the_demo() -> None:
    assert (
        find_route(
            AvailableModels((DEMO,)), ModelRequirements(TaskProfile(), ("text",), "p1")
        ).first
        is None
    )


def test_who_chose_the_demo_gets_it_and_what_steps_in_for_it_is_better() -> None:
    chosen = ModelChoice(provider_id="p1", model_id="toy-135m")
    route = find_route(AvailableModels((DEMO, SMALL), chosen), ANY)
    assert order_of_trying(route) == (DEMO, SMALL)


def test_the_smallest_weights_that_ship_are_a_demo_and_the_others_are_not() -> None:
    assert [known.model_id for known in KNOWN_MODELS if known.quality == "demo"] == [
        SMOLLM2.model_id
    ]


@pytest.mark.parametrize(
    ("model_id", "quality"),
    [
        ("smollm2:135m", "demo"),
        ("qwen2.5:0.5b", "demo"),
        ("Qwen3-0.6B-Q8_0.gguf", "demo"),
        ("llama3.2:1b", "small"),
        ("qwen2.5-coder-1.5b-instruct", "small"),
        ("gemma-3-4b-it", "standard"),
        ("mixtral-8x7b", "standard"),
        ("qwen3-30b-a3b", "standard"),
        ("gpt-4o-mini", "standard"),
        ("claude-haiku-4-5", "standard"),
        ("model-v2.5b2", "standard"),
    ],
)
def test_a_name_that_states_a_size_is_believed(model_id: str, quality: str) -> None:
    assert quality_of(model_id) == quality


async def _play_nothing(turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
    del turn
    yield DONE


def test_the_router_tells_when_somebody_else_would_answer(tmp_path: Path) -> None:
    """Ours: whoever shows whether tasks can be done hears of it at once, and not of every look."""
    changes: list[str] = []
    engine = WrittenEngine(_play_nothing, (DEMO,))
    states = TurnStates(tmp_path / "turn-states")
    router = EngineRouter([engine], states, None, lambda: changes.append("changed"))

    async def look(*models: ModelDescription) -> int:
        engine.models = models
        await router.supply()
        return len(changes)

    async def whole() -> list[int]:
        return [await look(DEMO), await look(SMALL), await look(SMALL, LARGE), await look(DEMO)]

    assert asyncio.run(whole()) == [0, 1, 1, 2]
