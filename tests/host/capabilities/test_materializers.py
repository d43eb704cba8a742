"""What an agent delivers becomes rows of the app's tables where the manifest itself says so (the standard)."""

import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play
from tests.host.contracts.agent import ended

WANTED = "{lime.agent: '>=0.3.0', lime.storage: '>=0.3.0', lime.evidence: '>=0.3.0'}"
MORE = """\
storage: {namespace: notes, schema: ./storage/schema.json}
agentRuntime:
  agentTask:
    structuredOutput:
      schema: {type: object}
      materializer: {kind: storage, acceptedKeys: [rows]}
"""
TABLES = {"namespace": "notes", "tables": [{"name": "titles", "primaryKey": "id"}]}
ROWS = [{"id": "a", "text": "One"}, {"id": "b", "text": "Two"}]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [({"titles": ROWS}, ["a", "b"]), ({"titles": ROWS, "nowhere": [{"id": "c"}]}, [])],
    ids=["all", "none"],
)
def test_the_manifests_own_materializer_writes_rows_all_or_none(
    tmp_path: Path, rows: dict[str, list[dict[str, str]]], kept: list[str]
) -> None:
    files = {"storage/schema.json": json.dumps(TABLES)}
    package = write_app(tmp_path, capabilities=WANTED, more=MORE, files=files)
    engine = ScriptedEngine({"make": says("Done.", structuredOutput={"rows": rows})})
    wanted = {"outputFormat": {"type": "json_schema", "maxValidationRetries": 0}}

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="make", expectedOutput=wanted)
        await ended(page, task["taskId"])
        found = await page.value("lime.storage.tableQuery", table="titles")
        assert [each["row"]["id"] for each in found["rows"]] == kept
        proofs: list[Any] = await page.value("lime.evidence.list", kind="structured-output")
        refs = [ref for each in proofs for ref in each["refs"] if ref.startswith("storage:")]
        assert refs == [f"storage:titles/{each}" for each in kept]
        assert all(each["provenance"]["taskId"] == task["taskId"] for each in proofs)

    play(tmp_path / "data", package, scene, engine)
