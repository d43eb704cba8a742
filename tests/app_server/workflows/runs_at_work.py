"""An App Server that runs workflows of one app, as a host on its connection sees it, with a clock that a test turns on."""

import asyncio
import heapq
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.scripted import Script, ScriptedEngine
from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.for_apps import envelope
from tests.app_server.server.door import Client

CAPABILITIES = (
    '{ "lime.workflow": "*", "lime.storage": "*", "lime.agent": "*", "lime.artifacts": "*",'
    ' "lime.knowledge": "*", "lime.evidence": "*", "lime.tools": "*", "lime.terminal": "*",'
    ' "lime.connectors": "*" }'
)
RECOVERY = "recovery: { onError: fail, onTimeout: fail }\n"
ENDED = frozenset({"succeeded", "failed", "cancelled"})


class TurnedClock:
    """Stands still until a test turns it on. Outlives the server, as a real clock does."""

    def __init__(self) -> None:
        self.moment_ms = 1_800_000_000_000
        self._calls: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0

    def now_ms(self) -> int:
        return self.moment_ms

    def call_at(self, moment_ms: int, call: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._calls, (moment_ms, self._count, call))
        asyncio.get_running_loop().call_soon(self.turn_on, 0)

    def close(self) -> None:
        self._calls.clear()

    def turn_on(self, seconds: float) -> None:
        self.moment_ms += int(seconds * 1_000)
        while self._calls and self._calls[0][0] <= self.moment_ms:
            heapq.heappop(self._calls)[2]()


class Runs:
    """A host, and one app that it speaks of."""

    def __init__(self, client: Client, app_id: str, clock: Clock, engine: ScriptedEngine) -> None:
        self.client = client
        self.engine = engine
        self.registration: dict[str, Any] = {}
        """What the server was told of the app."""
        self._clock = clock
        self._app_id = app_id

    @property
    def clock(self) -> TurnedClock:
        assert isinstance(self._clock, TurnedClock)
        return self._clock

    def speaks_for(self, app_id: str) -> None:
        """Call in another app's name from now on."""
        self._app_id = app_id

    async def call(self, call: str, **params: Any) -> dict[str, Any]:
        """What comes of a call of the app's: `result` or `error`."""
        return await self.client.call("app/call", envelope(self._app_id, call, **params))

    async def ask(self, call: str, **params: Any) -> Any:
        answer = await self.call(call, **params)
        assert "result" in answer, answer
        return answer["result"]

    async def code(self, call: str, **params: Any) -> str:
        answer = await self.call(call, **params)
        return answer["error"]["data"]["code"] if "error" in answer else ""

    async def start(self, key: str = "flow", **params: Any) -> str:
        run = await self.ask("lime.workflow.start", key=key, **params)
        return run["workflowRunId"]

    async def get(self, run_id: str) -> dict[str, Any]:
        return await self.ask("lime.workflow.get", workflowRunId=run_id)

    async def until(self, run_id: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The run once this holds of it; looked at after everything that is told of it."""
        while not holds(run := await self.get(run_id)):
            while True:
                heard = await self.client.hear()
                if heard.get("method") == "workflowRun/changed":
                    break
        return run

    async def ended(self, run_id: str) -> dict[str, Any]:
        return await self.until(run_id, lambda run: run["status"] in ENDED)

    async def waiting(self, run_id: str, waits_for: str) -> dict[str, Any]:
        return await self.until(run_id, lambda run: run.get("waitsFor") == waits_for)

    async def question(self, run: dict[str, Any]) -> dict[str, Any]:
        """What a person is asked for the step that a run waits in."""
        [step] = [each for each in run["steps"] if each["status"] == "waiting"]
        while not (open_ones := await self.questions(step["sessionId"])):
            await self.client.hear()
        [action] = open_ones
        return {"sessionId": step["sessionId"], **action}

    async def turn_over(self, session_id: str) -> None:
        """Once nobody works in a session any more."""
        while True:
            read = await self.client.call("agentSession/read", {"sessionId": session_id})
            if not read["result"]["snapshot"]["threads"][0].get("activeTurnId"):
                return
            await self.client.hear()

    async def questions(self, session_id: str) -> list[dict[str, Any]]:
        """What is asked in a session; whoever reads it hears of what is asked next."""
        read = await self.client.call("agentSession/read", {"sessionId": session_id})
        return read["result"]["snapshot"]["threads"][0]["pendingActions"]

    async def respond(self, question: dict[str, Any], **answer: Any) -> None:
        answered = await self.client.call(
            "agentSession/action/respond",
            {
                "sessionId": question["sessionId"],
                "requestId": question["requestId"],
                "actionType": question["actionType"],
                **answer,
            },
        )
        assert "result" in answered, answered

    async def decide(self, run: dict[str, Any], decision: str, **more: Any) -> None:
        """Press a button, as the window does."""
        is_yes = decision == "approved"
        question = await self.question(run)
        await self.respond(question, confirmed=is_yes, decision=decision, **more)

    async def kept(self, key: str) -> Any:
        return await self.ask("lime.storage.get", key=key)


@asynccontextmanager
async def runs_at_work(
    folder: Path,
    workflow: str,
    *,
    scripts: Mapping[str, Script] | None = None,
    files: Mapping[str, str] | None = None,
    more: str = "",
    rules: tuple[RegisteredRule, ...] = (),
    clock: Clock | None = None,
    is_host_late: bool = False,
    is_developed: bool = False,
    storage: str = "{ namespace: notes }",
    workflows: tuple[str, ...] = ("flow",),
) -> AsyncGenerator[Runs]:
    """A server on this folder's data. Opened once more, it is the next process on the same data."""
    package = folder / "notes"
    if not package.exists():
        named = ", ".join(f"{{ key: {key}, path: workflows/{key}.yaml }}" for key in workflows)
        declared = f"workflows: [{named}]\nstorage: {storage}\n"
        write_app(
            folder,
            capabilities=CAPABILITIES,
            more=declared + more,
            files={"workflows/flow.yaml": workflow, **(files or {})},
        )
    clock = clock or TurnedClock()
    engine = ScriptedEngine({} if scripts is None else scripts, can_resume=True)
    async with open_services(folder / "data", engine, is_product=False, clock=clock) as services:
        client = Client(services)
        await client.introduce()
        for _ in range(50 * is_host_late):
            # What was waiting when the last process died is taken up by now.
            await client.call("agentSession/list", {})
        said = {"runs_unconfined": True, "is_developed": is_developed}
        known = registration(package, rules=rules).model_copy(update=said)
        await client.call("app/register", known.to_wire())
        runs = Runs(client, known.app_id, clock, engine)
        runs.registration = known.to_wire()
        yield runs


def outputs(run: dict[str, Any]) -> dict[str, Any]:
    return {each["state"]: each.get("output") for each in run["steps"]}


def states(run: dict[str, Any]) -> list[str]:
    return [each["state"] for each in run["steps"]]
