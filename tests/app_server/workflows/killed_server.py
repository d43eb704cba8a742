"""A process that runs workflows until all of them have ended, or until somebody kills it. Started again, it goes on."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from lime_desktop.app_server.workflows.clock import SystemClock
from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.workflows.runs_at_work import Runs, runs_at_work

RUNS = 20
SHELL = """\
integrations:
  - { key: shell, provider: POSIX, role: script, adapter: { kind: cli, command: "sh -c" } }
artifactTypes: [{ key: note }]
"""
FLOW = """\
key: flow
states:
  - { key: write, kind: agent-task, prompt: write, next: act }
  - key: act
    kind: tool-call
    uses: [shell]
    idempotencyKey: "act ${ $.input }"
    input: { arguments: ["echo \\"$LIME_IDEMPOTENCY_KEY\\" | tr ' ' _ >> effects"] }
    next: both
  - { key: both, kind: parallel, branches: [note, record], next: list }
  - { key: note, kind: artifact-create, artifactKind: note, artifactTitle: Note, content: $.states.write.output }
  - { key: record, kind: evidence-record, event: told, data: "Run ${ $.input }" }
  - { key: list, kind: storage-write, storageKey: "l/${ $.input }", value: [1, 2, 3], next: each }
  - { key: each, kind: parallel, over: $.states.list.output.value, do: count, limit: 2, next: row }
  - { key: count, kind: evidence-record, event: counted, data: "${ $.item } of ${ $.input }" }
  - { key: row, kind: storage-write, table: rows, value: { number: $.input }, next: keep }
  - { key: keep, kind: storage-write, storageKey: "n/${ $.input }", value: "kept ${ $.input }" }
recovery: { onError: retry, onTimeout: fail, maxRetries: 500 }
retryPolicy: { max: 500, wait: 50ms, factor: 1 }
"""
SCHEMA = '{"tables": [{"name": "rows", "primaryKey": "id"}]}'
ALLOWED = RegisteredRule.model_validate(
    {
        "id": "user.allow",
        "layer": "user",
        "source": "Settings",
        "text": "Of the tools.",
        "effect": "allow",
        "when": {"tools": ("shell",)},
    }
)


async def serve(folder: Path) -> None:
    """Start every run that is not there yet, and wait for all."""
    async with runs_at_work(
        folder,
        FLOW,
        scripts={"write": says("Words.")},
        files={"storage/schema.json": SCHEMA},
        more=SHELL,
        rules=(ALLOWED,),
        clock=SystemClock(),
    ) as runs:
        print("ready", flush=True)
        started = [await runs.start(input=n, idempotencyKey=f"run {n}") for n in range(RUNS)]
        ended = [await runs.ended(run_id) for run_id in started]
        print(json.dumps(await told(runs, ended)), flush=True)


async def told(runs: Runs, ended: list[dict[str, Any]]) -> dict[str, Any]:
    """What is there at the end."""
    evidence = await runs.ask("lime.evidence.list", kind="told", limit=1_000)
    counted = await runs.ask("lime.evidence.list", kind="counted", limit=1_000)
    artifacts = await runs.ask("lime.artifacts.list", kind="note", limit=1_000)
    rows = await runs.ask("lime.storage.tableQuery", table="rows", limit=1_000)
    return {
        "statuses": [each["status"] for each in ended],
        "errors": [each.get("error") for each in ended if each.get("error")],
        "kept": [await runs.kept(f"n/{number}") for number in range(RUNS)],
        "evidence": len(evidence),
        "counted": sorted(each["message"] for each in counted),
        "artifacts": len(artifacts),
        "rows": len(rows["rows"]),
        "keys": [f"act_{number}" for number in range(RUNS)],
    }


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
