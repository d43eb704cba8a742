"""What an app says to do about its failures is read in the window, and retried there as often as it says (the standard)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.calling import call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.agent import START_TASK
from tests.app_server.apps.packages import write_app
from tests.shell.conftest import WAIT_MS
from tests.shell.test_chat import Talk
from tests.shell.with_server import staged

pytestmark = pytest.mark.system

ERRORS = """\
errors:
  AGENT_TASK_FAILED:
    code: APP_E101
    userAction: Give it fewer pages
    retryable: true
    maxRetries: 1
"""
CHINESE = '{"errors": {"AGENT_TASK_FAILED": {"userAction": "请减少页数"}}}'
FAILS = [{"type": "turn.failed", "payload": {"failureCategory": "engine_failure"}}]


@pytest.fixture
def talk(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Talk]:
    del loop  # only has to be there: the window and its server are on it
    package = write_app(
        tmp_path,
        capabilities="{lime.agent: '>=0.3.0'}",
        files={
            "app.errors.yaml": ERRORS,
            "app.i18n.yaml": "i18n: {translations: {zh-CN: ./locales/zh-CN.json}}\n",
            "locales/zh-CN.json": CHINESE,
        },
    )
    with staged(tmp_path, qtbot, "chinese", package, {"sum up": FAILS}) as stage:
        yield Talk(stage, qtbot)


def offers_retry(talk: Talk) -> bool:
    words = talk.stage.services.look.texts("chat.retry")
    found = talk.stage.window.drawer.findChildren(QPushButton)
    return any(each.text() == words and each.isVisible() for each in found)


def test_a_failed_task_says_in_the_persons_language_what_to_do_and_is_retried_once(
    talk: Talk, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    stage = talk.stage
    app = stage.services.registry.app("notes")
    assert app is not None
    caller = AppCaller(provenance=provenance_of(app))
    asked = StartTaskParams.model_validate({"prompt": "sum up"})
    starting = asyncio.ensure_future(
        call_for_app(stage.server.call, caller, START_TASK, asked), loop=loop
    )
    qtbot.waitUntil(starting.done, timeout=WAIT_MS)
    first = starting.result().session_id
    stage.window.show_run(first)
    talk.wait_to_see("请减少页数")
    qtbot.waitUntil(lambda: offers_retry(talk), timeout=WAIT_MS)
    talk.press(stage.services.look.texts("chat.retry"))
    qtbot.waitUntil(lambda: stage.window.drawer.session_id != first, timeout=WAIT_MS)
    talk.wait_to_see("请减少页数")
    # It was tried again as often as the app allows.
    qtbot.waitUntil(lambda: not offers_retry(talk), timeout=WAIT_MS)
