"""Who may send an app messages, on its page: off until a person enables it there, by keyboard (the issue)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.calls.webhooks import (
    LIST_WEBHOOKS,
    ListWebhooksParams,
)
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.host.view.test_webhooks import post
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import Stage
from tests.shell.with_server import staged

pytestmark = pytest.mark.system

MORE = """\
integrations:
  - { key: orders, provider: Shop, role: orders, adapter: { kind: webhook }, readiness: { missing: needs-setup } }
"""


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop  # only has to be there: the window and its server are on it
    package = write_app(tmp_path, capabilities="{ lime.connectors: '>=0.3.0' }", more=MORE)
    with staged(tmp_path, qtbot, "light", package) as made:
        yield made


def card(stage: Stage) -> QFrame | None:
    found = stage.window.findChild(QFrame, "webhooks")
    return found if isinstance(found, QFrame) else None


def switch(stage: Stage) -> QCheckBox:
    shown = card(stage)
    assert shown is not None
    [found] = shown.findChildren(QCheckBox)
    return found


def words(stage: Stage) -> str:
    shown = card(stage)
    return "\n".join(each.text() for each in shown.findChildren(QLabel)) if shown else ""


def press(stage: Stage, qtbot: QtBot, *, is_on: bool) -> None:
    switch(stage).setFocus()
    QTest.keyClick(switch(stage), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: card(stage) is not None and switch(stage).isChecked() is is_on)


def test_a_person_enables_it_copies_the_address_and_sees_what_waits(
    stage: Stage, qtbot: QtBot, finish: Finish
) -> None:
    [app] = stage.services.registry.apps
    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    assert not switch(stage).isChecked()
    assert not [each for each in _buttons(stage) if "Copy" in each.text()]
    press(stage, qtbot, is_on=True)
    qtbot.waitUntil(lambda: bool(_buttons(stage)), timeout=WAIT_MS)
    assert "Anyone who knows the address can send." in words(stage)
    [copy] = _buttons(stage)
    assert copy.accessibleName().endswith("Shop")
    QTest.keyClick(copy, Qt.Key.Key_Space)
    address = QGuiApplication.clipboard().text()
    assert address.startswith("http://127.0.0.1:")
    # Not on the screen, where others see it.
    assert address not in words(stage)
    finish(_send(address))
    stage.window.show_home()
    stage.window.show_details(app.app_id)
    qtbot.waitUntil(lambda: "1 message is waiting." in words(stage), timeout=WAIT_MS)
    press(stage, qtbot, is_on=False)
    finish(_is_off(stage, app.app_id))


async def _send(address: str) -> None:
    assert await post(address) == 202


async def _is_off(stage: Stage, app_id: str) -> None:
    asked = ListWebhooksParams(app_id=AppId(app_id))
    listed = await stage.server.call(LIST_WEBHOOKS, asked)
    assert [(each.is_on, each.queued) for each in listed.webhooks] == [(False, 1)]


def _buttons(stage: Stage) -> list[QPushButton]:
    shown = card(stage)
    return shown.findChildren(QPushButton) if shown else []
