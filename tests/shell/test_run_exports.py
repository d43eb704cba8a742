"""A run is exported from its drawer, in the way that the person chooses (the architecture: evidence, replay and review)."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.user_paths import app_server_folder
from lime_desktop.shell.run_drawer.bar import RunBar
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import served
from tests.host.finished_runs import finish_run
from tests.shell.conftest import Finish
from tests.shell.services import make_services
from tests.shell.stage import ROOT


@pytest.fixture
def folders(tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Folders:
    del loop
    return Folders(ROOT / "resources", tmp_path / "data", tmp_path / "settings.json")


def test_the_drawer_offers_all_three_and_writes_what_is_chosen(
    tmp_path: Path, folders: Folders, qtbot: QtBot, finish: Finish
) -> None:
    texts = make_services(tmp_path / "window").look.texts
    registry = AppRegistry("en")
    [app] = registry.add([write_app(tmp_path, capabilities="{lime.agent: '*'}")])
    into = tmp_path / "into"
    into.mkdir()

    async def scenario() -> None:
        engine = ScriptedEngine({"ask": says("Hello")})
        async with served(app_server_folder(folders.data), registry, engine) as server:
            session_id = await finish_run(server, app.app_id, "ask")
            failures: list[Exception] = []
            work = Work(QPushButton(), failures.append)
            bar = RunBar(texts, folders, server.call, work, lambda _app_id: None)
            qtbot.addWidget(bar)
            bar.retranslate()
            bar.show_run(session_id, None)
            bar.show()
            [export] = [e for e in bar.findChildren(QPushButton) if e.text() == "Export…"]
            QTest.mouseClick(export, Qt.MouseButton.LeftButton)
            [menu] = bar.findChildren(QMenu)
            assert [each.text().partition(",")[0] for each in menu.actions()] == [
                "Evidence",
                "Replay case",
                "Review",
            ]
            menu.close()
            bar.export("replay", str(into))
            bar.export("review", str(into))
            async with asyncio.timeout(30):
                while len(await asyncio.to_thread(lambda: [*into.iterdir()])) < 2:
                    pass
            assert not failures

    finish(scenario())
    assert sorted(each.name.partition("-")[0] for each in into.iterdir()) == ["replay", "review"]
