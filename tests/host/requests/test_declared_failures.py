"""An app's own catalogue of errors: its codes are evidence, its words are told, its number of retries holds (the standard)."""

import asyncio
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from tests.app_server.apps.packages import write_app
from tests.app_server.runtime_core.runtime import event
from tests.host.bridged import Bridged, play

ERRORS = """\
errors:
  ARTIFACT_GONE:
    code: APP_E150
    message: The draft is gone
    userAction: Open the list of drafts
    retryable: true
    maxRetries: 1
  AGENT_TASK_FAILED:
    code: APP_E101
    userAction: Give it fewer pages
    retryable: true
    maxRetries: 2
  LAYOUT_BROKEN:
    code: APP_E910
    message: The layout is broken
    userAction: Press Reset
"""
ENGLISH = '{"errors": {"APP_E150": {"userAction": "Look among your drafts"}}}'
CAPABILITIES = "{lime.agent: '>=0.3.0', lime.artifacts: '>=0.3.0', lime.evidence: '>=0.3.0'}"
FAILS = [event("turn.failed", {"failureCategory": "engine_failure", "message": "No."})]


def catalogued(folder: Path) -> Path:
    return write_app(
        folder,
        capabilities=CAPABILITIES,
        files={
            "app.errors.yaml": ERRORS,
            "app.i18n.yaml": "i18n: {defaultLocale: en-US, supportedLocales: [en-US],"
            " translations: {en-US: ./locales/en-US.json}}\n",
            "locales/en-US.json": ENGLISH,
        },
    )


async def kept_codes(page: Bridged, at_least: int) -> list[str]:
    """The codes among the app's evidence, once so many are there; the host records them in its own time."""
    while True:
        kept: list[Any] = await page.value("lime.evidence.list", kind="app-error")
        if len(kept) >= at_least:
            return [each["subject"] for each in kept]
        await asyncio.sleep(0)


def test_a_failed_call_is_told_in_the_apps_words_and_retried_as_often_as_it_says(
    tmp_path: Path,
) -> None:
    async def scene(page: Bridged) -> None:
        gone = [await page("lime.ui.openArtifact", id="artifact_none") for _ in range(2)]
        first, second = (each["details"] for each in gone)
        assert first["userAction"] == "Look among your drafts"
        assert (first["appErrorName"], first["maxRetries"]) == ("ARTIFACT_GONE", 1)
        assert [each["retryable"] for each in gone] == [True, False]
        assert second["appErrorCode"] == "APP_E150"
        assert await kept_codes(page, 1) == ["APP_E150"]

    play(tmp_path / "data", catalogued(tmp_path), scene)


def test_a_failure_that_the_app_did_not_declare_keeps_the_hosts_words(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        answer = await page("lime.agent.cancelTask", taskId="task_none")
        assert answer["details"]["userAction"] == "Reload the app"
        assert "appErrorName" not in answer["details"]

    play(tmp_path / "data", catalogued(tmp_path), scene)


def test_a_page_reports_a_declared_failure_and_no_other(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await page.value("lime.ui.toast", code="APP_E910")
        shown = ("toast error", "The layout is broken. Press Reset")
        assert page.window.asked == [shown]
        assert await kept_codes(page, 1) == ["APP_E910"]
        assert await page.code("lime.ui.toast", code="APP_E911") == "APP_E014"
        assert page.window.asked == [shown]

    play(tmp_path / "data", catalogued(tmp_path), scene)


def test_a_failed_task_is_retried_as_often_as_the_app_says(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="sum up")
        said: list[tuple[str, bool]] = []
        again: dict[str, Any] = {}
        for _ in range(3):
            error = (await ended(page, task["taskId"]))["error"]
            assert (error["name"], error["userAction"]) == (
                "AGENT_TASK_FAILED",
                "Give it fewer pages",
            )
            said.append((error["code"], error["retryable"]))
            again = await page("lime.agent.retryTask", taskId=task["taskId"])
            if not again["ok"]:
                break
            task = again["value"]
        assert said == [("APP_E101", True), ("APP_E101", True), ("APP_E101", False)]
        assert again["details"]["appErrorCode"] == "APP_E122"
        assert await kept_codes(page, 3) == ["APP_E101"] * 3

    play(tmp_path / "data", catalogued(tmp_path), scene, ScriptedEngine({"sum up": FAILS}))


async def ended(page: Bridged, task_id: str) -> dict[str, Any]:
    """A task's result, once it has one."""
    while True:
        task = await page.value("lime.agent.getTask", taskId=task_id)
        if task.get("result"):
            return task["result"]
        await asyncio.sleep(0)
