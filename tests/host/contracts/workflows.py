"""lime.workflow: runs of a tiny process, led on by a real App Server."""

import asyncio
from collections.abc import Callable
from typing import Any

from lime_desktop.protocol.calls.workflow_runs import WORKFLOW_RUN_CHANGED
from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given, alike

_MANIFEST = """\
workflows:
  - {key: form, path: workflows/form.yaml}
  - {key: event, path: workflows/event.yaml}
  - {key: broken, path: workflows/broken.yaml}
services: [{key: daily, kind: scheduler, schedule: every 6h, workflow: event}]
"""
_RECOVERY = "recovery: {onError: fail, onTimeout: fail}\n"
_FILES = {
    "workflows/form.yaml": """\
key: form
states:
  - {key: who, kind: user-input, form: {type: object, properties: {name: {type: string}}}, next: done}
  - {key: done, kind: end}
"""
    + _RECOVERY,
    "workflows/event.yaml": """\
key: event
states:
  - {key: call, kind: wait, event: called, next: done}
  - {key: done, kind: end}
"""
    + _RECOVERY,
    "workflows/broken.yaml": """\
key: broken
states:
  - {key: keep, kind: storage-write, storageKey: said, value: 1, next: done}
  - {key: done, kind: end}
"""
    + _RECOVERY,
}
"""Nothing of it may be kept: the app declares no lime.storage, so the last one fails."""
_ANY_RUN = {"workflowRunId": "wfr_x"}


async def run_until(
    page: Bridged, key: str, holds: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Start a run, and wait until this holds of it."""
    moved = asyncio.Event()
    leave = page.connection.listen(WORKFLOW_RUN_CHANGED, lambda _: moved.set())
    try:
        run = await page.value("lime.workflow.start", key=key)
        while not holds(run):
            await moved.wait()
            moved.clear()
            run = await page.value("lime.workflow.get", workflowRunId=run["workflowRunId"])
    finally:
        leave()
    return run


def _run(key: str, *, status: str = "waiting", is_paused: bool = False) -> Any:
    async def start(page: Bridged) -> Given:
        run = await run_until(page, key, lambda run: run["status"] == status)
        named = {"workflowRunId": run["workflowRunId"]}
        if is_paused:
            await page.value("lime.workflow.pause", **named)
        return named

    return start


_NO_RUN = {"workflowRunId": ""}

CONTRACTS = alike(
    Contract(
        "lime.workflow.start",
        {"key": "form", "input": {"topic": "tea"}},
        bad={"key": 5},
        expect=lambda run: (run["key"], run["trigger"]) == ("form", "call"),
    ),
    Contract(
        "lime.workflow.checkpoint",
        _ANY_RUN,
        bad=_NO_RUN,
        prepare=_run("form"),
        expect=lambda made: made["checkpoint"] and made["savedAt"],
    ),
    Contract(
        "lime.workflow.awaitHuman",
        {**_ANY_RUN, "prompt": "Is it right?"},
        bad=_NO_RUN,
        prepare=_run("form"),
        expect=lambda asked: asked["status"] == "pending",
    ),
    Contract(
        "lime.workflow.get",
        _ANY_RUN,
        bad=_NO_RUN,
        prepare=_run("form"),
        expect=lambda run: (
            (run["status"], run["waitsFor"], [each["state"] for each in run["steps"]])
            == ("waiting", "input", ["who"])
        ),
    ),
    Contract(
        "lime.workflow.list",
        {"key": "form"},
        bad={"limit": 0},
        prepare=_run("form"),
        expect=lambda runs: [each["key"] for each in runs] == ["form"],
    ),
    Contract(
        "lime.workflow.pause",
        _ANY_RUN,
        bad=_NO_RUN,
        prepare=_run("form"),
        expect=lambda run: run["status"] == "paused",
    ),
    Contract(
        "lime.workflow.resume",
        _ANY_RUN,
        bad={"workflowRunId": None},
        prepare=_run("form", is_paused=True),
        expect=lambda run: run["status"] in {"running", "waiting"},
    ),
    Contract(
        "lime.workflow.cancel",
        _ANY_RUN,
        bad=_NO_RUN,
        prepare=_run("form"),
        expect=lambda run: run["status"] == "cancelled",
    ),
    Contract(
        "lime.workflow.retry",
        _ANY_RUN,
        bad={},
        prepare=_run("broken", status="failed"),
        expect=lambda run: run["status"] in {"running", "failed"},
    ),
    Contract(
        "lime.workflow.signal",
        {**_ANY_RUN, "event": "called", "data": 7},
        bad={**_ANY_RUN, "event": ""},
        prepare=_run("event"),
        expect=lambda run: run["status"] in {"running", "waiting", "succeeded"},
    ),
    Contract(
        "lime.workflow.fork",
        {**_ANY_RUN, "state": "who"},
        bad=_ANY_RUN,
        prepare=_run("form"),
        expect=lambda run: (run["trigger"], run["key"]) == ("fork", "form"),
    ),
    Contract(
        "lime.workflow.listSchedules",
        {},
        expect=lambda found: (
            [(each["key"], each["workflowKey"], each["schedule"], each["state"]) for each in found]
            == [("daily", "event", "every 6h", "off")]
        ),
    ),
    manifest=_MANIFEST,
    files=_FILES,
)
