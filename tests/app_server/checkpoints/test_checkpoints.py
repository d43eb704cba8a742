"""Going back before a turn: what is declared is copied, previewed and brought back; what was done elsewhere is told (the standard)."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.checkpoints import service
from lime_desktop.app_server.execution.scripted import Hold, Script
from tests.app_server.agent_tasks.tasks_at_work import PROVENANCE, Tasks, run, tasks_at_work
from tests.app_server.runtime_core.runtime import DONE, event

ALL = "{ appStorage: true, artifacts: true, files: tracked_only }"
MORE = "agentRuntime: { agentTask: { checkpointScope: %s } }\n"
SENDS: Script = [
    event(
        "tool.started",
        {"toolName": "mcp__mail__send", "title": "Send the letter", "isReadOnly": False},
        tool_call_id="call_1",
    ),
    event("tool.result", {"output": "sent"}, tool_call_id="call_1"),
    event("tool.started", {"toolName": "storage_set"}, tool_call_id="call_2"),
    event("tool.result", {"output": "kept"}, tool_call_id="call_2"),
    DONE,
]


async def call(tasks: Tasks, name: str, **params: Any) -> Any:
    """A call of the app's own."""
    asked = {"caller": {"provenance": PROVENANCE}, "call": f"lime.{name}", "params": params}
    return await tasks.ask("app/call", **asked)


async def kept(tasks: Tasks) -> dict[str, Any]:
    """Everything that the app has."""
    keys = ("draft", "gone", "new")
    values = {key: await call(tasks, "storage.get", key=key) for key in keys}
    artifacts = await call(tasks, "artifacts.list")
    files = await call(tasks, "files.listRefs")
    return {
        "storage": values,
        "artifacts": {(each["title"], each["version"]) for each in artifacts},
        "files": {each["ref"] for each in files},
    }


async def work(tasks: Tasks) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Something is there, an agent works, and then everything is changed."""
    await call(tasks, "storage.set", key="draft", value=1)
    await call(tasks, "storage.set", key="gone", value="here")
    note = await call(tasks, "artifacts.create", kind="note", title="Plan", content={"n": 1})
    file = await call(tasks, "artifacts.export", artifactId=note["id"], format="json")
    before = await kept(tasks)
    task = await tasks.start("go")
    await tasks.result(task["taskId"])
    await call(tasks, "storage.set", key="draft", value=2)
    await call(tasks, "storage.delete", key="gone")
    await call(tasks, "storage.set", key="new", value=True)
    again = {"kind": "note", "content": {"n": 2}, "artifactId": note["id"]}
    await call(tasks, "artifacts.create", **again)
    await call(tasks, "artifacts.export", artifactId=note["id"], format="json")
    await call(tasks, "files.releaseRef", ref=file["ref"])
    return before, await kept(tasks), task["sessionId"]


async def facts(tasks: Tasks, session_id: str) -> list[dict[str, Any]]:
    read = await tasks.ask("agentSession/read", sessionId=session_id, afterSequence=0, limit=500)
    told = ("checkpoint.", "history.rollback.", "runtime.warning")
    return [each for each in read["events"] if each["type"].startswith(told)]


@pytest.mark.requirement("APP-37")
def test_a_person_brings_back_what_was_there_before_a_turn_and_can_undo_that(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"go": SENDS}, more=MORE % ALL) as tasks:
            before, after, session_id = await work(tasks)
            assert before != after
            listed = await tasks.ask("agentSession/checkpoint/list", sessionId=session_id)
            [point] = listed["checkpoints"]
            assert (point["label"], point["scopes"]) == ("go", ["appStorage", "artifacts", "files"])
            chosen = {"sessionId": session_id, "checkpointId": point["checkpointId"]}

            preview = await tasks.ask("agentSession/checkpoint/preview", **chosen)
            told = {(each["scope"], each["kind"], each["name"]) for each in preview["changes"]}
            assert told == {
                ("appStorage", "changes", "draft"),
                ("appStorage", "returns", "gone"),
                ("appStorage", "goes", "new"),
                ("artifacts", "goes", "Plan (2)"),
                ("files", "returns", "Plan.json"),
                ("files", "goes", "Plan.json"),
            }
            assert preview["changeCount"] == 6
            assert [each["title"] for each in preview["outsideEffects"]] == ["Send the letter"]
            assert await kept(tasks) == after

            done = await tasks.ask("agentSession/checkpoint/restore", **chosen)
            assert await kept(tasks) == before
            assert (done["changeCount"], len(done["outsideEffects"])) == (6, 1)
            reference = next(iter(before["files"]))
            assert (await call(tasks, "files.readRef", ref=reference))["content"]
            await tasks.ask(
                "agentSession/checkpoint/restore",
                sessionId=session_id,
                checkpointId=done["undoCheckpointId"],
            )
            assert await kept(tasks) == after
            stated = await facts(tasks, session_id)
            assert [each["type"] for each in stated] == [
                "checkpoint.created",
                "history.rollback.started",
                "checkpoint.created",
                "history.rollback.completed",
                "history.rollback.started",
                "checkpoint.created",
                "history.rollback.completed",
            ]
            first = stated[3]["payload"]
            assert (first["status"], first["requestedBy"]) == ("completed", "user")
            assert first["outsideEffectIds"] == ["call_1"]

    run(scene)


@pytest.mark.requirement("APP-37")
@pytest.mark.parametrize(
    ("scope", "restored"),
    [
        ("{ appStorage: true }", "storage"),
        ("{ artifacts: true }", "artifacts"),
        ("{ files: tracked_only }", "files"),
    ],
)
def test_only_what_was_declared_is_brought_back(tmp_path: Path, scope: str, restored: str) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"go": [DONE]}, more=MORE % scope) as tasks:
            before, after, session_id = await work(tasks)
            [point] = (await tasks.ask("agentSession/checkpoint/list", sessionId=session_id))[
                "checkpoints"
            ]
            chosen = {"sessionId": session_id, "checkpointId": point["checkpointId"]}
            await tasks.ask("agentSession/checkpoint/restore", **chosen)
            assert await kept(tasks) == {**after, restored: before[restored]}

    run(scene)


def test_without_a_declaration_nothing_is_copied(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"go": [DONE]}) as tasks:
            _, _, session_id = await work(tasks)
            assert await facts(tasks, session_id) == []
            listed = await tasks.ask("agentSession/checkpoint/list", sessionId=session_id)
            assert listed["checkpoints"] == []
        assert not list((tmp_path / "data/checkpoints").glob("*"))

    run(scene)


def test_nothing_is_brought_back_under_an_agent_that_works_or_from_elsewhere(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        scripts: dict[str, Script] = {"go": [DONE], "wait": [Hold("x")]}
        async with tasks_at_work(tmp_path, scripts, more=MORE % ALL) as tasks:
            _, after, session_id = await work(tasks)
            [point] = (await tasks.ask("agentSession/checkpoint/list", sessionId=session_id))[
                "checkpoints"
            ]
            other = await tasks.start("go")
            await tasks.result(other["taskId"])
            stolen = {"sessionId": other["sessionId"], "checkpointId": point["checkpointId"]}
            assert await tasks.refusal("agentSession/checkpoint/restore", **stolen) == "APP_E204"
            chosen = {"sessionId": session_id, "checkpointId": point["checkpointId"]}
            await tasks.ask(
                "agentSession/turn/start", sessionId=session_id, input={"text": "wait"}, turnId="t"
            )
            assert await tasks.refusal("agentSession/checkpoint/restore", **chosen) == "APP_E116"
            await tasks.ask("agentSession/turn/cancel", sessionId=session_id, turnId="t")
            assert await kept(tasks) == after

    run(scene)


def test_the_oldest_copies_make_room_and_all_go_with_the_apps_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "KEPT", 2)

    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"go": [DONE]}, more=MORE % ALL) as tasks:
            ids: list[str] = []
            for _ in range(3):
                task = await tasks.start("go")
                await tasks.result(task["taskId"])
                listed = await tasks.ask(
                    "agentSession/checkpoint/list", sessionId=task["sessionId"]
                )
                ids.append(listed["checkpoints"][-1]["checkpointId"])
            folder = tmp_path / "data/checkpoints"
            assert sorted(each.name for each in folder.iterdir()) == ids[1:]
            await tasks.ask("appData/remove", appId="notes")
            assert not list(folder.iterdir())

    run(scene)
