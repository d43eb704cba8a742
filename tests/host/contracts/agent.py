"""lime.agent and lime.tasks: real turns of a real App Server, on an engine that plays scripts."""

from typing import Any

from tests.app_server.agent_tasks.tasks_at_work import started
from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given


def _task(prompt: str) -> Any:
    # Asked of the App Server and not of the bridge: the app may not have declared lime.agent.
    async def start(page: Bridged) -> Given:
        task = await start_task(page, prompt)
        if prompt == "greet":
            await ended(page, task["taskId"])
        if prompt == "ask":
            await asked(page, task["taskId"])
        return {"taskId": task["taskId"]}

    return start


async def start_task(page: Bridged, prompt: str, **more: object) -> dict[str, Any]:
    """Start a task for the page's app."""
    answer: Any = await page.connection.peer.request("app/call", started(prompt, **more))
    return answer


async def _until(page: Bridged, task_id: str, event_type: str) -> None:
    after = 0
    while True:
        params = {
            "appId": "notes",
            "taskId": task_id,
            "afterSequence": after,
            "waitMs": 20_000,
        }
        answer: Any = await page.connection.peer.request("agentTask/events/read", params)
        for told in answer["events"]:
            after = told["sequence"]
            if told["type"] == event_type:
                return


async def ended(page: Bridged, task_id: str) -> None:
    """Wait for the task's end."""
    await _until(page, task_id, "result")


async def asked(page: Bridged, task_id: str) -> None:
    """Wait for the task's question."""
    await _until(page, task_id, "approval:requested")


_ANY_TASK = {"taskId": "task_x"}

CONTRACTS = (
    Contract(
        "lime.agent.startTask",
        {"title": "Greeting", "prompt": "greet"},
        bad={"prompt": 5},
        expect=lambda task: (task["title"], task["appId"]) == ("Greeting", "notes"),
    ),
    Contract(
        "lime.agent.streamTask",
        _ANY_TASK,
        bad={},
        prepare=_task("greet"),
        expect=lambda told: told[-1]["subtype"] == "success",
    ),
    Contract(
        "lime.agent.getTask",
        _ANY_TASK,
        bad={"taskId": ""},
        prepare=_task("greet"),
        expect=lambda task: task["result"]["text"] == "Hello",
    ),
    Contract(
        "lime.agent.cancelTask",
        _ANY_TASK,
        bad={"taskId": None},
        prepare=_task("wait"),
        expect=lambda task: task["status"] == "cancelled",
    ),
    Contract(
        "lime.agent.retryTask",
        _ANY_TASK,
        bad={"taskId": ["x"]},
        prepare=_task("greet"),
        expect=lambda task: task["retryAttempt"] == 1,
    ),
    *(
        Contract(
            f"lime.agent.{method}",
            {**_ANY_TASK, "requestId": "action_1", "actionType": "ask_user", "response": "Green"},
            bad={**_ANY_TASK, "requestId": "action_1", "actionType": "hypnosis"},
            prepare=_task("ask"),
            expect=lambda answer: answer["status"] == "submitted",
        )
        for method in ("submitHostResponse", "respondAction")
    ),
    Contract(
        "lime.agent.listTasks",
        prepare=_task("greet"),
        bad=None,
        expect=lambda tasks: [each["prompt"] for each in tasks] == ["greet"],
    ),
    Contract(
        "lime.tasks.list",
        {"status": "running"},
        bad={"limit": 0},
        prepare=_task("wait"),
        expect=lambda tasks: (
            [(each["kind"], each["status"]) for each in tasks] == [("agent", "running")]
        ),
    ),
    Contract(
        "lime.tasks.get",
        _ANY_TASK,
        bad={},
        prepare=_task("ask"),
        expect=lambda task: task["status"] == "waiting",
    ),
    Contract(
        "lime.tasks.cancel",
        _ANY_TASK,
        bad={},
        prepare=_task("wait"),
        expect=lambda task: task["status"] == "cancelled",
    ),
    Contract(
        "lime.tasks.subscribe",
        _ANY_TASK,
        bad={},
        prepare=_task("greet"),
        expect=lambda answer: answer["subscriptionId"],
    ),
)
