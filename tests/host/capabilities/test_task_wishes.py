"""What a page wishes of a task beside its input: which model helps, who accepts the result, what waits meanwhile."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Hold, ScriptedEngine
from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.protocol.calls.actions import RESPOND_ACTION, RespondActionParams
from lime_desktop.protocol.calls.model_providers import CREATE_PROVIDER, CreateProviderParams
from lime_desktop.protocol.ids import ActionId, SessionId
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.app_server.model_server import ModelServer, text
from tests.app_server.providers.kept import settings
from tests.host.bridged import Bridged, bridged, play
from tests.host.contracts.agent import ended

MODELS = (("plain", ["text"]), ("seeing", ["text", "vision"]))


def app(folder: Path) -> Path:
    wanted = "{lime.agent: '>=0.3.0', lime.artifacts: '>=0.3.0'}"
    return write_app(folder, capabilities=wanted, more="artifactTypes: [{key: note}]\n")


@pytest.mark.parametrize(
    ("hints", "model"),
    [
        ((), "plain"),
        (("vision",), "seeing"),
        (("mind-reading", "lime.storage"), "plain"),
    ],
)
def test_a_hint_chooses_among_models_and_rules_none_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hints: tuple[str, ...], model: str
) -> None:
    """The standard: `capabilityHints`. Ours: what no model has is no reason to refuse a task."""
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)

    async def scene(server: ModelServer) -> None:
        async with bridged(tmp_path / "data", app(tmp_path), has_models=True) as page:
            for name, capabilities in MODELS:
                models = [{"modelId": name, "capabilities": capabilities}]
                provider = CreateProviderParams(
                    provider_id=name, settings=settings(server.url, models=models)
                )
                await page.connection.call(CREATE_PROVIDER, provider)
            await page.value("lime.agent.startTask", prompt="Look.", capabilityHints=hints)
            await asyncio.to_thread(server.wait_for_requests, 1)

    with ModelServer([text("I see.")]) as server:
        run(scene(server))
    assert server.asked[0].body["model"] == model


@pytest.mark.parametrize(("skips", "order"), [(False, ["two", "three"]), (True, ["three"])])
def test_what_waits_in_a_session_goes_on_before_a_task_unless_the_task_says_otherwise(
    tmp_path: Path, *, skips: bool, order: list[str]
) -> None:
    """The standard: `skipPreSubmitResume`."""
    engine = ScriptedEngine({"one": [Hold("x")], "two": says("2"), "three": says("3")})

    async def scene(page: Bridged) -> None:
        async def start(prompt: str, **more: Any) -> dict[str, Any]:
            return await page.value("lime.agent.startTask", prompt=prompt, **more)

        first = await start("one")
        there = {"sessionMode": "continue", "sessionId": first["sessionId"]}
        waiting = await start("two", **there)
        await page.value("lime.agent.cancelTask", taskId=first["taskId"])
        last = await start("three", **there, skipPreSubmitResume=skips)
        await ended(page, last["taskId"])
        assert [each.input.text for each in engine.requests[1:]] == order
        task = await page.value("lime.agent.getTask", taskId=waiting["taskId"])
        assert ("result" in task) is not skips

    play(tmp_path / "data", app(tmp_path), scene, engine)


@pytest.mark.parametrize("wish", [True, {}, {"title": "Fine?"}, False], ids=str)
def test_a_result_that_a_person_is_to_accept_is_written_back_once_they_did(
    tmp_path: Path, wish: Any
) -> None:
    """The standard: `humanReview`. A bug: an object without a field asked nobody."""
    engine = ScriptedEngine({"make": says("Done.")})

    async def scene(page: Bridged) -> None:
        expected = {"artifactKind": "note"}
        started = await page.value(
            "lime.agent.startTask", prompt="make", humanReview=wish, expectedOutput=expected
        )
        if wish is not False:
            request_id = await asked_for(page, started["taskId"])
            assert await page.value("lime.artifacts.list") == []
            answer = RespondActionParams(
                session_id=SessionId(started["sessionId"]),
                action_id=request_id,
                action_type="ask_user",
                confirmed=True,
                decision="approved",
            )
            await page.connection.call(RESPOND_ACTION, answer)
        await ended(page, started["taskId"])
        assert len(await page.value("lime.artifacts.list")) == 1

    play(tmp_path / "data", app(tmp_path), scene, engine)


async def asked_for(page: Bridged, task_id: str) -> ActionId:
    """What the task asks, once it does."""
    params = {"appId": "notes", "taskId": task_id, "afterSequence": 0, "waitMs": 20_000}
    while True:
        read: Any = await page.connection.peer.request("agentTask/events/read", params)
        for told in read["events"]:
            params["afterSequence"] = told["sequence"]
            if told["type"] == "approval:requested":
                return ActionId(told["payload"]["requestId"])
