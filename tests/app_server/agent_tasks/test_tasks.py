"""Tasks over sessions and turns, from start to result (the standard: streamable, recoverable, retryable, auditable)."""

from pathlib import Path
from typing import cast

import pytest

from lime_desktop.app_server.execution.scripted import Ask, Hold
from tests.app_server.agent_tasks.tasks_at_work import (
    PROVENANCE,
    of_agent,
    run,
    says,
    started,
    tasks_at_work,
)
from tests.app_server.runtime_core.runtime import DONE, event

QUESTION = event(
    "action.required",
    {"actionType": "ask_user", "prompt": "Which colour?"},
    action_id="action_1",
)
PERMISSION = event(
    "action.required",
    {"actionType": "tool_permission", "toolName": "rm", "prompt": "May rm run?"},
    action_id="action_1",
)


@pytest.mark.requirement("APP-11", "APP-34", "APP-35")
def test_a_task_is_one_numbered_story_that_ends_with_its_result(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"greet": says("Hello")}) as tasks:
            task = await tasks.start("greet", title="Greeting", taskKind="greeting")
            assert (task["title"], task["taskKind"], task["prompt"]) == (
                "Greeting",
                "greeting",
                "greet",
            )
            told = await tasks.events(task["taskId"])
            assert [each["sequence"] for each in told] == list(range(1, len(told) + 1))
            assert {each["appId"] for each in told} == {"notes"}
            assert (told[0]["type"], told[-1]["type"]) == ("system:init", "result")
            assert told[-1]["subtype"] == "success"
            assert told[-1]["payload"]["schemaVersion"] == "lime.agent-task-result.v1"
            ended = await tasks.task(task["taskId"])
            assert (ended["status"], ended["result"]["text"]) == ("succeeded", "Hello")
            assert ended["events"] == told
            assert ended["runtimeProcess"]["streamText"] == "Hello"
            assert ended["provenance"] == {**PROVENANCE_SENT, "taskId": task["taskId"]}

    run(scene)


PROVENANCE_SENT = {"sourceKind": "agent_app", "standard": "agentapp", **PROVENANCE}


def test_a_follower_goes_on_from_any_point_at_any_pace(tmp_path: Path) -> None:
    pieces = [event("model.delta", {"messageId": "m1", "delta": str(n)}) for n in range(300)]
    script = [event("model.requested", {"messageId": "m1", "model": "script"}), *pieces]
    script += [event("model.completed", {"messageId": "m1"}), DONE]

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"count": script}) as tasks:
            task_id = (await tasks.start("count"))["taskId"]
            whole = await tasks.events(task_id)
            by_sevens = await tasks.events(task_id, limit=7)
            rest = await tasks.events(task_id, after=100)
            assert by_sevens == whole
            assert rest == whole[100:]

    run(scene)


def test_the_same_key_and_request_give_the_same_task(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"greet": says("Hello")}) as tasks:
            first, second = await tasks.start_at_once(2, "greet", idempotencyKey="monday")
            assert first["taskId"] == second["taskId"]
            await tasks.result(first["taskId"])
            assert len(tasks.engine.requests) == 1
            other = await tasks.refusal(
                "app/call", **started("greet", title="Other", idempotencyKey="monday")
            )
            assert other == "APP_E905"
            without_key = [await tasks.start("greet") for _ in range(2)]
            assert without_key[0]["taskId"] != without_key[1]["taskId"]

    run(scene)


def test_a_key_holds_over_a_restart_of_the_server(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"greet": says("Hello")}) as tasks:
            first = await tasks.start("greet", idempotencyKey="monday")
            await tasks.result(first["taskId"])
        async with tasks_at_work(tmp_path, {}) as tasks:
            again = await tasks.start("greet", idempotencyKey="monday")
            assert again["taskId"] == first["taskId"]
            assert again["result"]["text"] == "Hello"

    run(scene)


def test_a_running_task_can_be_cancelled_once_and_a_finished_one_not(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"wait": [Hold("x")], "greet": says("Hi")}) as tasks:
            held = await tasks.start("wait")
            cancelled = await tasks.ask("app/call", **of_agent("cancelTask", taskId=held["taskId"]))
            assert cancelled["status"] == "cancelled"
            assert (await tasks.result(held["taskId"]))["subtype"] == "cancelled"
            done = await tasks.start("greet")
            await tasks.result(done["taskId"])
            refused = await tasks.refusal(
                "app/call", **of_agent("cancelTask", taskId=done["taskId"])
            )
            assert refused == "APP_E106"

    run(scene)


def test_a_retry_is_a_new_task_that_names_the_old_one(tmp_path: Path) -> None:
    scripts = {"fail": [event("turn.failed", {"failureCategory": "x"})], "wait": [Hold("x")]}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            first = await tasks.start("fail", idempotencyKey="monday")
            assert (await tasks.result(first["taskId"]))["subtype"] == "error_during_execution"
            again = await tasks.ask("app/call", **of_agent("retryTask", taskId=first["taskId"]))
            assert again["taskId"] != first["taskId"]
            assert again["retryOfTaskId"] == first["taskId"]
            assert (again["retryAttempt"], again["idempotencyKey"]) == (1, "monday:retry:1")
            await tasks.result(again["taskId"])
            third = await tasks.ask("app/call", **of_agent("retryTask", taskId=again["taskId"]))
            assert (third["retryAttempt"], third["idempotencyKey"]) == (2, "monday:retry:2")
            held = await tasks.start("wait")
            refused = await tasks.refusal(
                "app/call", **of_agent("retryTask", taskId=held["taskId"])
            )
            assert refused == "APP_E905"

    run(scene)


def test_a_person_answers_a_question_in_the_app_itself(tmp_path: Path) -> None:
    scripts = {"ask": [Ask(QUESTION, allowed=says("Green"))]}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            task_id = (await tasks.start("ask"))["taskId"]
            question = await tasks.question(task_id)
            assert (question["kind"], question["prompt"]) == ("ask_user", "Which colour?")
            read = await tasks.ask("agentTask/read", appId="notes", taskId=task_id)
            assert read["isWaiting"] is True
            answered = of_agent(
                "submitHostResponse",
                taskId=task_id,
                requestId=question["requestId"],
                actionType="ask_user",
                response="Green",
                userData="green",
            )
            await tasks.ask("app/call", **answered)
            assert (await tasks.result(task_id))["text"] == "Green"
            [answer] = tasks.engine.answers
            assert (answer.response, answer.user_data) == ("Green", {"value": "green"})

    run(scene)


@pytest.mark.requirement("APP-61")
def test_an_app_refuses_a_permission_but_never_gives_itself_one(tmp_path: Path) -> None:
    scripts = {"ask": [Ask(PERMISSION, allowed=says("Ran"), denied=says("Did not run"))]}

    async def scene() -> None:
        async with tasks_at_work(tmp_path, scripts) as tasks:
            task_id = (await tasks.start("ask"))["taskId"]
            await tasks.question(task_id)
            answer = {"taskId": task_id, "requestId": "action_1"}
            for attempt in (
                {"actionType": "tool_confirmation", "confirmed": True},
                {"actionType": "ask_user", "confirmed": True},
                {"actionType": "ask_user", "response": "yes"},
            ):
                given = of_agent("respondAction", **answer, **attempt)
                assert await tasks.refusal("app/call", **given) == "APP_E010"
            refusing = {"actionType": "tool_confirmation", "confirmed": False}
            await tasks.ask("app/call", **of_agent("respondAction", **answer, **refusing))
            assert (await tasks.result(task_id))["text"] == "Did not run"

    run(scene)


def test_tasks_are_listed_newest_first_and_only_those_of_the_app(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"greet": says("Hi"), "wait": [Hold("x")]}) as tasks:
            started_ids = [(await tasks.start("greet"))["taskId"] for _ in range(3)]
            started_ids.append((await tasks.start("wait"))["taskId"])
            asked = {**of_agent("listTasks", limit=3), "call": "lime.tasks.list"}
            listed = cast("list[dict[str, str]]", await tasks.ask("app/call", **asked))
            assert [each["taskId"] for each in listed] == started_ids[:0:-1]
            assert listed[0]["status"] == "running"
            other = {"provenance": {**PROVENANCE, "appId": "other"}}
            assert await tasks.refusal("app/call", **{**asked, "caller": other}) == "APP_E031"
            stranger = await tasks.refusal("agentTask/read", appId="other", taskId=started_ids[0])
            assert stranger == "APP_E031"
            unknown = await tasks.ask("agentTask/read", appId="notes", taskId="task_unknown")
            assert unknown == {"isWaiting": False}

    run(scene)


def test_a_task_goes_on_in_the_session_it_names(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"one": says("1"), "two": says("2")}) as tasks:
            first = await tasks.start("one")
            await tasks.result(first["taskId"])
            session_id = first["sessionId"]
            second = await tasks.start("two", sessionMode="resume", sessionId=session_id)
            await tasks.result(second["taskId"])
            branch = await tasks.start("two", sessionMode="fork", sessionId=session_id)
            await tasks.result(branch["taskId"])
            assert second["sessionId"] == session_id
            assert branch["sessionId"] != session_id
            assert [len(each.history) for each in tasks.engine.requests] == [0, 2, 4]
            missing = await tasks.refusal("app/call", **started("one", sessionMode="continue"))
            assert missing == "APP_E014"

    run(scene)


def test_the_business_input_reaches_the_agent_as_data(tmp_path: Path) -> None:
    text = 'greet\n\nInput, as data:\n```json\n{"name":"Ada","secret":null}\n```'

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {text: says("Hi Ada")}) as tasks:
            task = await tasks.start("greet", input={"name": "Ada", "secret": None})
            assert (await tasks.result(task["taskId"]))["text"] == "Hi Ada"
            assert (await tasks.task(task["taskId"]))["input"] == {"name": "Ada", "secret": None}

    run(scene)


def test_what_no_engine_would_run_leaves_no_session_behind(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {}) as tasks:
            assert await tasks.refusal("app/call", **started("unknown")) == "APP_E130"
            assert (await tasks.ask("agentSession/list"))["sessions"] == []

    run(scene)
