"""Settings count what a person stored, and call by its name what came about by itself (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_center.records.layout import CenterLayout
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import ROOT, Stage, set_stage


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    finish(made.install(ROOT / "sample_apps/hello-lime", "keep-greeting"))
    yield made
    made.window.shut()
    finish(made.leave())


def test_a_web_profile_alone_is_no_item(
    stage: Stage, tmp_path: Path, qtbot: QtBot, finish: Finish
) -> None:
    """A bug: an app that was only looked at had "1 item", which nobody had made."""

    def wait_to_see(words: str) -> None:
        stage.window.show_settings("storage")
        labels = stage.window.findChildren
        qtbot.waitUntil(
            lambda: any(words in each.text() for each in labels(QLabel) if each.isVisible()),
            timeout=WAIT_MS,
        )

    view = CenterLayout(tmp_path / "center/data").view_of("hello-lime")
    finish(stage.write(view / "Preferences", "{}" * 2_000))
    wait_to_see("Browser data of its pages")
    finish(stage.keep_value("hello-lime", "greeting", "Good morning"))
    wait_to_see("1 item,")
