"""A key has its effect once: also for the next view of the app, and after a restart (ours; the standard demands the key)."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.app_center.records.done_calls import CallName
from lime_desktop.host.approvals.question import YES
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, Scene, play
from tests.sandboxed import NEEDS_SANDBOX

_ECHO = "{key: greet, provider: POSIX, role: greeting, adapter: {kind: cli, command: echo}, access: {read: true, write: false}}"
_FALSE = _ECHO.replace("greet,", "broken,").replace("echo", "'false'")
MANIFEST = f"""\
requires: {{capabilities: {{lime.terminal: '>=0.3.0', lime.connectors: '>=0.3.0'}}}}
integrations: [{_ECHO}, {_FALSE}]
"""


def show(tmp_path: Path, scene: Scene) -> None:
    package = write_package(tmp_path, {"APP.md": app_md(MANIFEST)})
    play(tmp_path / "data", package, scene, is_installed=True)


def next_view(page: Bridged) -> Bridged:
    """The app after a reload: nothing of the page before is left."""
    return Bridged(page.app, page.connection, center=page.center)


async def send(page: Bridged, text: str = "hi", key: str = "k") -> dict[str, Any]:
    payload = {"capability": "lime.terminal", "method": "run", "input": {"command": f"echo {text}"}}
    return await page.send("capability:invoke", {**payload, "idempotencyKey": key})


def agree(page: Bridged) -> None:
    [question] = page.approvals.queue.open
    page.approvals.queue.answer([question.question_id], YES)


@NEEDS_SANDBOX
def test_after_a_reload_a_key_gets_its_old_answer_and_nobody_is_asked(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        assert (await send(page))["details"]["appErrorCode"] == "APP_E010"
        agree(page)
        first = await send(page)
        reloaded = next_view(page)
        again = await send(reloaded)
        assert (again["value"], again["evidenceId"]) == (first["value"], first["evidenceId"])
        assert reloaded.approvals.queue.open == ()
        other = await send(reloaded, "something else")
        assert other["details"]["appErrorCode"] == "APP_E905"
        reloaded.bridge.close()

    show(tmp_path, scene)


@pytest.mark.requirement("APP-38")
@NEEDS_SANDBOX
def test_what_was_begun_and_never_ended_is_not_done_again(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await send(page)
        agree(page)
        first = await send(page, key="k")
        assert first["ok"], first
        assert page.center is not None
        name = CallName(page.app().app_id, "lime.terminal.run", "k")
        done = await page.center.done_calls.find(name)
        assert done is not None
        await page.center.done_calls.forget(name)
        assert await page.center.done_calls.begin(name, done.digest)
        reloaded = next_view(page)
        refused = await send(reloaded)
        assert refused["details"]["appErrorCode"] == "APP_E905"
        assert "not known" in refused["message"]
        reloaded.bridge.close()

    show(tmp_path, scene)


@NEEDS_SANDBOX
def test_a_key_whose_call_failed_may_be_used_again(tmp_path: Path) -> None:
    wanted = {"connectorId": "broken", "action": "run"}
    payload = {"capability": "lime.connectors", "method": "invoke", "input": wanted}
    keyed = {**payload, "idempotencyKey": "k"}

    async def scene(page: Bridged) -> None:
        for view in (page, next_view(page)):
            assert (await view.send("capability:invoke", keyed))["retryable"]
            agree(view)
            failed = await view.send("capability:invoke", keyed)
            assert failed["details"]["appErrorCode"] == "APP_E134", failed
            view.bridge.close()

    show(tmp_path, scene)
