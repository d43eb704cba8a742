"""Which model does a turn is settled once, where it is asked for, and holds until it has begun (ours)."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution import router
from lime_desktop.app_server.execution.engines import EngineTurn
from lime_desktop.protocol.calls.models import ModelDescription, ModelObstacle
from lime_desktop.protocol.runtime.events import ProposedEvent
from tests.app_server.agent_tasks.tasks_at_work import MORE, Tasks, run, says
from tests.app_server.execution.written_engine import WrittenEngine, model
from tests.app_server.server.door import Door
from tests.conformance.packages import app_md, write_package

CAPABLE: dict[str, Any] = {"capabilities": ["text", "structured_output", "tools", "vision"]}
FIRST = model("first", "m", rank=1, context_tokens=8_000, **CAPABLE)
SECOND = model("second", "m", rank=2, **CAPABLE)
OWN_MODEL = {"key": "model.default", "value": "second/m", "source": "app"}
PICTURE = {"kind": "image", "uri": "data:image/png;base64,aGk="}


class CountedEngine(WrittenEngine):
    """Says how often somebody looked for a model, and works when it is let."""

    looked: int = 0

    def __init__(self) -> None:
        super().__init__(self._say, (FIRST, SECOND))
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()

    async def offers(self) -> tuple[ModelDescription, ...]:
        self.looked += 1
        return await super().offers()

    async def _say(self, turn: EngineTurn) -> AsyncIterator[ProposedEvent]:
        await self.may_go_on.wait()
        for event in says(f"by {turn.model.provider_id}"):
            assert isinstance(event, ProposedEvent)
            yield event

    @property
    def used(self) -> list[str]:
        """Who did each turn."""
        return [turn.model.provider_id for turn in self.turns]


@asynccontextmanager
async def routed_tasks(
    folder: Path, engine: CountedEngine, monkeypatch: pytest.MonkeyPatch, **told: Any
) -> AsyncGenerator[Tasks]:
    """The product as it is put together, with one engine behind its router."""
    monkeypatch.setattr(router, "open_engines", Mock(return_value=[engine]))
    package = write_package(folder, {"APP.md": app_md(MORE)})
    async with open_services(folder / "data") as services:
        door = Door()
        door.services = services
        client = door.client()
        await client.introduce(capabilities={"experimental": True})
        tasks = Tasks(client)
        package_hash = load_package(open_package(package)).package_hash
        await tasks.ask(
            "app/register",
            appId="notes",
            packagePath=str(package),
            packageHash=package_hash,
            readinessState="ready",
            **told,
        )
        engine.looked = 0
        yield tasks


@pytest.mark.parametrize("told", [{}, {"settings": [OWN_MODEL]}], ids=["any", "of the app"])
def test_a_task_is_routed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: dict[str, Any]
) -> None:
    """A bug: four times, each over every model of every provider; more where the app prefers a model."""
    engine = CountedEngine()

    async def scene() -> None:
        async with routed_tasks(tmp_path, engine, monkeypatch, **told) as tasks:
            task = await tasks.start("greet")
            await tasks.result(task["taskId"])
            assert engine.used == (["second"] if told else ["first"])
            assert engine.looked == 1

    run(scene)


def test_a_turn_of_a_conversation_is_routed_once_with_its_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = CountedEngine()

    async def scene() -> None:
        async with routed_tasks(tmp_path, engine, monkeypatch) as tasks:
            session = (await tasks.ask("agentSession/start", appId="notes"))["session"]
            asked = {"text": "What is this?", "attachments": [PICTURE]}
            await tasks.ask(
                "agentSession/turn/start", sessionId=session["sessionId"], input=asked, turnId="t"
            )
            await until_over(tasks, session["sessionId"])
            assert engine.used == ["first"]
            assert engine.looked == 1

    run(scene)


async def until_over(tasks: Tasks, session_id: str, turns: int = 1) -> None:
    """Read the session until so many of its turns have ended."""
    while True:
        read = await tasks.ask("agentSession/read", sessionId=session_id)
        if sum(each["status"] == "completed" for each in read["turns"]) == turns:
            return
        await asyncio.sleep(0.01)


def test_a_turn_that_waited_is_routed_when_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there when it was asked for may be gone by then."""
    engine = CountedEngine()
    engine.may_go_on.clear()
    away = ModelObstacle(reason_code="key_missing", message="No key.", setup_action="Add it")

    async def scene() -> None:
        async with routed_tasks(tmp_path, engine, monkeypatch) as tasks:
            session_id = (await tasks.ask("agentSession/start", appId="notes"))["session"][
                "sessionId"
            ]
            for turn_id in ("begins", "waits"):
                await tasks.ask(
                    "agentSession/turn/start",
                    sessionId=session_id,
                    input={"text": "Hello"},
                    turnId=turn_id,
                    queueIfBusy=True,
                )
            assert engine.looked == 2
            engine.models = (FIRST.model_copy(update={"obstacle": away}), SECOND)
            engine.may_go_on.set()
            await until_over(tasks, session_id, turns=2)
            assert engine.used == ["first", "second"]
            assert engine.looked == 3

    run(scene)
