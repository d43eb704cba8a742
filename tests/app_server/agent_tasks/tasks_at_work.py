"""An App Server that runs tasks of one registered app on scripts, as the host on its connection sees it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.scripted import Script, ScriptedEngine
from tests.app_server.evidence.served import Caller
from tests.app_server.runtime_core.runtime import event
from tests.app_server.server.door import Door
from tests.conformance.packages import app_md, write_package

WAIT_S = 30.0
MORE = "requires: {capabilities: {lime.agent: '>=0.3.0'}}\nartifactTypes: [{key: note}]\n"

PROVENANCE = {
    "appId": "notes",
    "appName": "notes",
    "appVersion": "1.0.0",
    "packageHash": "sha256:0",
    "manifestHash": "sha256:0",
    "standardVersion": "0.10.0",
    "entryKey": "home",
}


def says(text: str, **ending: Any) -> Script:
    """A turn that says something, and ends."""
    message = f"message {text[:20]}"
    return [
        event("model.requested", {"messageId": message, "model": "script", "provider": "test"}),
        event("model.delta", {"messageId": message, "delta": text}),
        event("model.completed", {"messageId": message, "text": text}),
        event("turn.completed", ending),
    ]


class Tasks(Caller):
    """Asks for tasks of the app `notes`."""

    engine: ScriptedEngine
    registration: dict[str, Any]
    """What the server was told of the app."""

    async def start(self, prompt: str, **more: Any) -> dict[str, Any]:
        return await self.ask("app/call", **started(prompt, **more))

    async def review(self, task: dict[str, Any], *, confirmed: bool, **more: Any) -> dict[str, Any]:
        """Answer the question whether a task's result is accepted, and give how the task ended."""
        question = await self.question(task["taskId"])
        await self.decide(task, question, confirmed=confirmed, **more)
        return await self.result(task["taskId"])

    async def decide(
        self, task: dict[str, Any], question: dict[str, Any], *, confirmed: bool, **more: Any
    ) -> None:
        """Answer a review that was heard before, as the host does."""
        await self.ask(
            "agentSession/action/respond",
            sessionId=task["sessionId"],
            requestId=question["requestId"],
            actionType="ask_user",
            confirmed=confirmed,
            decision="approved" if confirmed else "rejected",
            **more,
        )

    async def start_at_once(self, times: int, prompt: str, **more: Any) -> list[dict[str, Any]]:
        """Send the same start several times before any is answered."""
        for number in range(times):
            params = started(prompt, **more)
            self._client.say({"id": f"at once {number}", "method": "app/call", "params": params})
        return [(await self._client.hear())["result"] for _ in range(times)]

    async def task(self, task_id: str) -> dict[str, Any]:
        return (await self.ask("agentTask/read", appId="notes", taskId=task_id))["task"]

    async def events(self, task_id: str, after: int = 0, **more: Any) -> list[dict[str, Any]]:
        """Everything up to the task's end."""
        told: list[dict[str, Any]] = []
        while True:
            page = await self.ask(
                "agentTask/events/read",
                appId="notes",
                taskId=task_id,
                afterSequence=told[-1]["sequence"] if told else after,
                waitMs=20_000,
                **more,
            )
            told += page["events"]
            if page["hasEnded"]:
                return told

    async def result(self, task_id: str) -> dict[str, Any]:
        return (await self.events(task_id))[-1]["payload"]

    async def question(self, task_id: str) -> dict[str, Any]:
        """What the task waits for."""
        return await self.next_question(task_id, None)

    async def next_question(self, task_id: str, before: dict[str, Any] | None) -> dict[str, Any]:
        """What the task asks after another question."""
        after, known = 0, before["requestId"] if before else None
        is_past = before is None
        while True:
            page = await self.ask(
                "agentTask/events/read",
                appId="notes",
                taskId=task_id,
                afterSequence=after,
                waitMs=20_000,
            )
            for told in page["events"]:
                after = told["sequence"]
                if told["type"] != "approval:requested":
                    continue
                if is_past:
                    return told["payload"]
                is_past = told["payload"]["requestId"] == known


def started(prompt: str, **more: Any) -> dict[str, Any]:
    """The parameters that start a task."""
    return of_agent("startTask", prompt=prompt, **more)


def of_agent(method: str, **params: Any) -> dict[str, Any]:
    """The parameters of a call of lime.agent."""
    return {
        "caller": {"provenance": PROVENANCE},
        "call": f"lime.agent.{method}",
        "params": params,
    }


@asynccontextmanager
async def tasks_at_work(
    folder: Path,
    scripts: Mapping[str, Script],
    files: Mapping[str, str] | None = None,
    *,
    can_resume: bool = False,
    more: str = "",
) -> AsyncGenerator[Tasks]:
    """A connection to a server that knows the app."""
    package = write_package(folder, {"APP.md": app_md(MORE + more), **(files or {})})
    engine = ScriptedEngine(scripts, can_resume=can_resume)
    async with open_services(folder / "data", engine, is_product=False) as services:
        door = Door()
        door.services = services
        client = door.client()
        await client.introduce()
        tasks = Tasks(client)
        tasks.engine = engine
        tasks.registration = {
            "appId": "notes",
            "packagePath": str(package),
            "packageHash": load_package(open_package(package)).package_hash,
            "readinessState": "ready",
        }
        await tasks.ask("app/register", **tasks.registration)
        yield tasks


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), WAIT_S))
