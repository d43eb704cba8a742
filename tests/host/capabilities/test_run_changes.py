"""A page is told that runs of its app's workflows have moved, and asks how they stand (the issue)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, bridged, run

MANIFEST = """\
requires: {capabilities: {lime.workflow: '>=0.3.0'}}
workflows: [{key: flow, path: workflows/flow.yaml}]
"""
FLOW = """\
key: flow
states:
  - {key: call, kind: wait, event: called, next: done}
  - {key: done, kind: end}
recovery: {onError: fail}
"""


def show(tmp_path: Path, scene: Callable[[Bridged], Awaitable[None]]) -> None:
    files = {"APP.md": app_md(MANIFEST), "workflows/flow.yaml": FLOW}
    package = write_package(tmp_path, files)

    async def whole() -> None:
        async with bridged(tmp_path / "data", package) as page:
            await scene(page)

    run(whole)


async def hear(page: Bridged, status: str) -> dict[str, Any]:
    """The next time that something is told to stand so."""
    async with asyncio.timeout(20):
        while True:
            heard = (await page.pushed.get())["payload"]
            if heard.get("topic") == "runs" and heard["payload"]["status"] == status:
                return heard


def test_a_page_hears_of_the_run_that_it_names_and_of_no_other(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        mine = await page.value("lime.workflow.start", key="flow")
        other = await page.value("lime.workflow.start", key="flow")
        named = {"workflowRunId": mine["workflowRunId"]}
        wish = {"capability": "lime.workflow", "topic": "runs", "delivery": "push", "input": named}
        answer = await page.send("capability:subscribe", wish)
        assert answer["ok"], answer
        await page.value("lime.workflow.cancel", workflowRunId=other["workflowRunId"])
        await page.value("lime.workflow.cancel", **named)
        heard = await hear(page, "cancelled")
        assert heard["eventType"] == "change"
        assert heard["payload"] == {**named, "status": "cancelled"}
        assert (await page.value("lime.workflow.get", **named))["status"] == "cancelled"

    show(tmp_path, scene)


def test_without_a_name_a_page_hears_of_all_of_them(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        wish = {"capability": "lime.workflow", "topic": "runs", "delivery": "push"}
        assert (await page.send("capability:subscribe", wish))["ok"]
        begun = await page.value("lime.workflow.start", key="flow")
        heard = await hear(page, "waiting")
        assert heard["payload"]["workflowRunId"] == begun["workflowRunId"]

    show(tmp_path, scene)


@pytest.mark.parametrize(
    ("topic", "delivery"), [("steps", "push"), ("runs", "stream")], ids=["topic", "delivery"]
)
def test_what_is_not_told_is_refused(tmp_path: Path, topic: str, delivery: str) -> None:
    async def scene(page: Bridged) -> None:
        wish = {"capability": "lime.workflow", "topic": topic, "delivery": delivery}
        assert not (await page.send("capability:subscribe", wish))["ok"]

    show(tmp_path, scene)
