"""Every step on an app's page has a way out that really settles it, or the word that nobody can here (the standard: readiness)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import SetupFacts
from lime_desktop.shell.dialogs.choosers import SecretDialog
from tests.host.app_center.packages import WEATHER, make_package
from tests.shell.conftest import Finish
from tests.shell.stage import Stage, set_stage

pytestmark = pytest.mark.system

_HEALTH = "health: {startup: [{check: storage_accessible, timeout: 60s, critical: true}]}\n"
_OPTIONAL = "secrets: [{ key: api, title: Weather key, required: false }]"
_STUCK = """capabilities: [lime.storage]
toolRefs: [{ key: moon_search, provider: moonshine, required: true }]
integrations:
- key: shelf
  provider: Shelf
  role: keeping
  required: true
  adapter: { kind: cli, command: shelve }"""


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Stage]:
    """A window with a real App Server, which knows one app."""
    del loop
    prepared = asyncio.Event()

    async def prepare(connection: AppServerConnection) -> None:
        await AppRegistration(made.services.registry).introduce(connection)
        prepared.set()

    command = app_server_command(tmp_path / "data")
    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=prepare)
    made = set_stage(tmp_path / "window", "light", server)
    qtbot.addWidget(made.window)
    files = {"evals/health.yaml": _HEALTH}
    package = make_package(tmp_path, permissions="", more=_OPTIONAL, files=files)
    made.services.registry.add([package])
    server.start()
    finish(_told(prepared))
    yield made
    made.window.shut()

    async def end() -> None:
        await made.services.setup.close()
        await made.leave()
        await server.stop()

    finish(end())


async def _told(event: asyncio.Event) -> None:
    await event.wait()


def lines(stage: Stage) -> list[str]:
    return [each.text() for each in stage.window.findChildren(QLabel) if each.isVisible()]


def pressable(stage: Stage, words: str) -> list[QAbstractButton]:
    found = stage.window.findChildren(QAbstractButton)
    return [each for each in found if each.isVisible() and each.text() == words]


def test_a_check_that_failed_is_tried_again_where_it_is_told_and_goes_when_it_passes(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the step led to the program's version, where nothing could be done about it."""
    failed = frozenset({"storage_accessible"})
    facts = SetupFacts(
        storage_quota_bytes=1 << 30, tried_startup_checks=failed, failed_startup_checks=failed
    )
    stage.services.registry.learn("notes", facts)
    stage.window.show_details("notes")
    QTest.qWait(1)  # what was put on the page is shown when Qt's loop turns
    [again] = pressable(stage, "Try again")
    app = stage.services.registry.app("notes")
    assert app is not None
    assert not app.can_start
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pressable(stage, "Try again"), timeout=60_000)
    app = stage.services.registry.app("notes")
    assert app is not None
    assert app.can_start


def test_what_nobody_can_settle_says_so_and_what_a_permission_settles_leads_to_it(
    stage: Stage, tmp_path: Path
) -> None:
    stuck = make_package(tmp_path, "stuck", permissions=WEATHER, more=_STUCK)
    stage.services.registry.add([stuck])
    walls = SetupFacts(storage_quota_bytes=1 << 30, command_sandbox_absence="No wall is here.")
    stage.services.registry.learn("stuck", walls)
    stage.window.show_details("stuck")
    QTest.qWait(1)  # what was put on the page is shown when Qt's loop turns
    assert lines(stage).count("This can't be settled on this computer.") == 1
    [leading] = pressable(stage, "Permissions")
    QTest.mouseClick(leading, Qt.MouseButton.LeftButton)
    QTest.qWait(1)
    permissions = stage.window.findChild(QFrame, "permissions")
    assert permissions is not None
    assert permissions.isAncestorOf(stage.window.focusWidget())


def test_a_secret_is_named_as_its_author_named_it_where_it_is_asked_for_and_where_it_is_kept(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: the step said *Weather key*, and what it opened asked for “api”."""
    stage.window.show_details("notes")
    qtbot.waitUntil(lambda: bool(pressable(stage, "Enter…")), timeout=60_000)
    QTest.mouseClick(pressable(stage, "Enter…")[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(stage.window.findChildren(SecretDialog)), timeout=60_000)
    [dialog] = stage.window.findChildren(SecretDialog)
    assert any("“Weather key”" in each.text() for each in dialog.findChildren(QLabel))
    QTest.keyClicks(dialog.field, "sun")
    qtbot.waitUntil(lambda: all(each.isEnabled() for each in dialog.findChildren(QPushButton)))
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Secret “Weather key”" in lines(stage), timeout=60_000)
