"""What is on its way out is not shown again by a list that was asked for before it was gone (a bug: it came back)."""

from pathlib import Path

from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.shell.conftest import RESOURCES, WAIT_MS, Finish


def test_a_list_asked_before_a_removal_and_read_after_it_leaves_it_out(
    qtbot: QtBot, tmp_path: Path, finish: Finish
) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    folders = Folders(RESOURCES, tmp_path, tmp_path / "settings.json")
    services = Composition(folders, HostSettings(locale="en"))
    notices = Notices(services.look, folders, services.registry)
    notices.float_over(holder)
    removals = Removals(holder, notices)
    gone: list[str] = []

    async def remove() -> None:
        gone.append("it")

    async def scenario() -> None:
        removals.remove("it", "Removed.", remove, holder, lambda: None)
        is_hidden = removals.watch()
        notices.findChildren(QToolButton)[-1].click()
        await removals.finish()
        assert is_hidden("it")
        assert not removals.watch()("it")

    finish(scenario())
    qtbot.waitUntil(lambda: gone == ["it"], timeout=WAIT_MS)
