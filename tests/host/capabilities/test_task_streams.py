"""A task's events at a page: sent in batches or streamed, in order and without a gap, whatever happens on the way."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import Hold, Script, ScriptedEngine
from lime_desktop.host.view.bodies import ByteStream, OfferedValue
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.app_server.runtime_core.runtime import DONE, event
from tests.host.bridged import Bridged, play

COUNT = 1_500
AGENT = "{lime.agent: '>=0.3.0', lime.tasks: '>=0.3.0'}"


def counting(number: int = COUNT) -> Script:
    pieces = [event("model.delta", {"messageId": "m", "delta": f"{n} "}) for n in range(number)]
    begin = event("model.requested", {"messageId": "m", "model": "script"})
    return [begin, *pieces, event("model.completed", {"messageId": "m"}), DONE]


async def subscribed(page: Bridged, task_id: str, **more: object) -> dict[str, Any]:
    wish = {"capability": "lime.agent", "topic": "task", "input": {"taskId": task_id}, **more}
    return await page.send("capability:subscribe", wish)


async def told_until_the_end(page: Bridged) -> list[dict[str, Any]]:
    """Everything that was sent, up to the message with the result."""
    told: list[dict[str, Any]] = []
    while not told or not any(each["type"] == "result" for each in told[-1].get("events", ())):
        told.append((await page.pushed.get())["payload"])
    return told


async def lines_of(page: Bridged, url: str) -> list[dict[str, Any]]:
    """A stream, read as a page does: a piece at a time, whenever there is one."""
    stream = page.bodies.take(url)
    assert isinstance(stream, ByteStream)
    arrived = asyncio.Event()
    stream.connect_reader(arrived.set)
    text = b""
    while not stream.is_at_end:
        piece = stream.read(1_000)
        text += piece
        if not piece and not stream.is_at_end:
            await arrived.wait()
            arrived.clear()
        await asyncio.sleep(0)
    return [json.loads(line) for line in text.splitlines()]


def numbers(events: list[dict[str, Any]]) -> list[int]:
    return [each["sequence"] for each in events]


@pytest.mark.requirement("APP-32")
def test_every_event_is_sent_once_in_order_and_in_few_messages(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="count")
        answer = await subscribed(page, task["taskId"], bridgeAction="mine")
        assert (answer["taskId"], answer["topic"]) == (task["taskId"], "task")
        told = await told_until_the_end(page)
        events = [each for message in told for each in message["events"]]
        assert numbers(events) == list(range(1, len(events) + 1))
        assert sum(each["type"] == "assistant:delta" for each in events) == COUNT
        assert len(told) < COUNT / 10
        last = told[-1]
        assert (last["eventType"], last["bridgeAction"]) == ("task:update", "mine")
        assert last["task"]["status"] == "succeeded"

    play(tmp_path / "data", app(tmp_path), scene, ScriptedEngine({"count": counting()}))


@pytest.mark.requirement("APP-32")
def test_a_stream_has_one_event_per_line_and_ends_with_the_task(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="count")
        answer = await subscribed(page, task["taskId"], delivery="stream")
        events = await lines_of(page, answer["streamUrl"])
        assert numbers(events) == list(range(1, len(events) + 1))
        assert events[-1]["subtype"] == "success"
        rest = await subscribed(page, task["taskId"], delivery="stream", afterSequence=1_000)
        assert await lines_of(page, rest["streamUrl"]) == events[1_000:]

    play(tmp_path / "data", app(tmp_path), scene, ScriptedEngine({"count": counting()}))


def test_what_is_too_long_for_a_message_is_there_to_be_fetched(tmp_path: Path) -> None:
    output = {"text": " ".join(f"word{n}" for n in range(75_000))}
    script = says("Done", structuredOutput=output)
    expected = {"outputFormat": {"schema": {"type": "object"}}}

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="write", expectedOutput=expected)
        await subscribed(page, task["taskId"])
        result = (await told_until_the_end(page))[-1]["events"][-1]
        assert result["payload"] is None
        body = page.bodies.take(result["eventRef"]["url"])
        assert isinstance(body, OfferedValue)
        assert json.loads(body.body)["payload"]["output"] == output

    play(tmp_path / "data", app(tmp_path), scene, ScriptedEngine({"write": script}))


@pytest.mark.parametrize("capability", ["lime.agent", "lime.tasks"])
def test_a_task_that_is_not_there_cannot_be_followed(tmp_path: Path, capability: str) -> None:
    async def scene(page: Bridged) -> None:
        wish = {"capability": capability, "topic": "task", "taskId": "task_x"}
        refused = await page.send("capability:subscribe", wish)
        assert refused["details"]["appErrorCode"] == "APP_E105"
        nameless = await page.send("capability:subscribe", {**wish, "taskId": None})
        assert nameless["details"]["appErrorCode"] == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_stream_that_nobody_reads_any_more_ends(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="wait")
        answer = await subscribed(page, task["taskId"], delivery="stream", subscriptionId="s")
        stream = page.bodies.take(answer["streamUrl"])
        assert isinstance(stream, ByteStream)
        stream.abandon()
        ended = await page.send("capability:unsubscribe", {"subscriptionId": "s"})
        assert ended["unsubscribed"] is False
        again = await subscribed(page, task["taskId"], delivery="stream", subscriptionId="s")
        taken = page.bodies.take(again["streamUrl"])
        assert isinstance(taken, ByteStream)
        await page.send("capability:unsubscribe", {"subscriptionId": "s"})
        assert not taken.is_open

    play(tmp_path / "data", app(tmp_path), scene, ScriptedEngine({"wait": [Hold("x")]}))


def app(folder: Path) -> Path:
    return write_app(folder, capabilities=AGENT)
