"""Notices by keys: Escape closes one, and a key that can do nothing now says so (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.models import ListModelsResult, ModelDescription, ModelQuality
from lime_desktop.protocol.errors import ProviderNotReady
from tests.shell.hands import CTRL, SHIFT, active_stage, focused, press_window
from tests.shell.stage import Stage

NO_MODEL = ProviderNotReady("None.", details={"reasonCode": "weights_missing"})


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


def said(stage: Stage) -> list[str]:
    return [each.accessibleName() for each in stage.window.notices.cards]


def test_escape_closes_the_newest_notice_where_nothing_else_takes_it(stage: Stage) -> None:
    """A bug: what covered the page stayed, whatever key was pressed."""
    notices, undone = stage.window.notices, list[str]()
    stage.window.show_settings("privacy")
    before = focused()
    notices.offer_undo("Removed.", lambda: undone.append("undone"), lambda: undone.append("gone"))
    notices.stand("server", notices.note("No server.", "warning"))
    notices.problem(NO_MODEL)
    assert said(stage) == [
        "Removed.",
        "No server.",
        "No model is available. Set one up in Settings.",
    ]

    press_window(stage, Qt.Key.Key_Escape)
    assert said(stage) == ["Removed.", "No server."]
    assert notices.count_away == 0
    press_window(stage, Qt.Key.Key_Escape)
    assert said(stage) == ["Removed."]
    assert notices.count_away == 1, "a standing note waits behind the bell"
    press_window(stage, Qt.Key.Key_Escape)
    assert said(stage) == ["Removed."], "what can be undone is not given up by a stray key"
    assert not undone
    assert focused() is before


def test_escape_closes_the_notice_that_has_the_keyboard(stage: Stage) -> None:
    notices = stage.window.notices
    stage.window.show_settings("privacy")
    notices.problem(NO_MODEL)
    for _ in range(4):
        if not notices.has_keyboard:
            press_window(stage, Qt.Key.Key_F6)
    assert notices.has_keyboard
    notices.toast("Copied.", "success")

    press_window(stage, Qt.Key.Key_Escape)

    assert said(stage) == ["Copied."]
    assert not notices.has_keyboard
    assert focused().isVisible()


def test_that_no_model_is_there_is_said_until_one_is_set_up(stage: Stage, qtbot: QtBot) -> None:
    models = stage.services.models
    found = [ListModelsResult(models=()), _listed("demo"), _listed("standard")]

    async def read(_method: object, _params: object) -> ListModelsResult:
        return found.pop(0)

    def set_up() -> None:
        reading = asyncio.ensure_future(models.read(cast("CallServer", read)))
        qtbot.waitUntil(reading.done)

    set_up()
    stage.window.notices.problem(NO_MODEL)
    stage.window.notices.toast("Something else.", "error")
    set_up()
    assert len(said(stage)) == 2, "a demo answers nothing by itself"
    set_up()
    assert said(stage) == ["Something else."]


def _listed(quality: ModelQuality) -> ListModelsResult:
    model = ModelDescription(
        engine="e", provider_id="p", model_id="m", title="Model", quality=quality, is_local=True
    )
    return ListModelsResult(models=(model,), default_model=model)


def test_a_key_that_can_do_nothing_now_says_so_once_and_where_that_is_changed(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: both did nothing and said nothing."""
    press_window(stage, Qt.Key.Key_A, CTRL | SHIFT)
    press_window(stage, Qt.Key.Key_A, CTRL | SHIFT)
    assert said(stage) == ["No approvals are waiting for you."]

    press_window(stage, Qt.Key.Key_F12)
    press_window(stage, Qt.Key.Key_F12)
    words = "The inspector is disabled. Enable it in Settings, under Developer."
    assert said(stage) == ["No approvals are waiting for you.", words]
    for _ in range(4):
        if not stage.window.notices.has_keyboard:
            press_window(stage, Qt.Key.Key_F6)
    press_window(stage, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: _shown_switch(stage) is not None)
    assert words not in said(stage)

    stage.services.settings.change(has_developer_tools=True)
    press_window(stage, Qt.Key.Key_F12)
    assert words not in said(stage)


def _shown_switch(stage: Stage) -> QAbstractButton | None:
    name = stage.services.look.texts("settings.developer.inspector")
    buttons = stage.window.findChildren(QAbstractButton)
    return next(
        (e for e in buttons if e.isVisible() and name in {e.text(), e.accessibleName()}), None
    )
