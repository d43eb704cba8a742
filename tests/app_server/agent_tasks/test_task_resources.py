"""A task that names what is not there does not begin, and is told field by field (ours, by the app's manifest)."""

from pathlib import Path
from typing import Any

import pytest

from tests.app_server.agent_tasks.tasks_at_work import says, started, tasks_at_work
from tests.app_server.bounded import run

MISSING: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({"entry": "nowhere"}, {"entry": "unknown_entry"}),
    (
        {"knowledge": [{"key": "nothing"}, {"key": "gone", "required": True}]},
        {"knowledge[1]": "unknown_knowledge"},
    ),
    ({"tools": ["nothing", {"key": "gone", "required": True}]}, {"tools[1]": "unknown_tool"}),
    ({"secrets": ["gone"]}, {"secrets[0]": "unknown_secret"}),
    ({"files": ["data:text/plain,hi", "ref_of_another_app"]}, {"files[1]": "unknown_file"}),
    (
        {"entry": "nowhere", "secrets": ["gone"]},
        {"entry": "unknown_entry", "secrets[0]": "unknown_secret"},
    ),
]


@pytest.mark.parametrize(("named", "missing"), MISSING)
def test_what_is_not_there_is_refused_by_its_field(
    tmp_path: Path, named: dict[str, Any], missing: dict[str, str]
) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"look": says("Seen")}) as tasks:
            data = await tasks.refused("app/call", **started("look", **named))
            assert data["code"] == "APP_E014"
            fields = data["details"]["fields"]
            assert {each["path"]: each["problem"] for each in fields} == missing
            assert not tasks.engine.requests

    run(scene())


def test_what_a_task_can_do_without_may_be_missing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with tasks_at_work(tmp_path, {"look": says("Seen")}) as tasks:
            task = await tasks.start("look", knowledge=["nothing"], tools=["nothing"])
            assert (await tasks.result(task["taskId"]))["subtype"] == "success"

    run(scene())
