"""What an author says of how the app is shown takes effect on Home and on its page (the standard: presentation, ui.cards)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.apps.registry import SetupFacts
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.tiles import Tile
from tests.host.app_center.packages import NOTES, make_package
from tests.shell.stage import Stage, set_stage

_SHOWN = {
    "alpha": "presentation: {category: writing, categoryI18n: {zh-CN: 写作}}",
    "beta": "presentation: {category: writing, categoryI18n: {zh-CN: 写作}}",
    "delta": "presentation: {category: data_work}",
    "gamma": "ui: {cards: [{route: /run, title: Daily run}]}",
    "omega": """presentation: {order: 1, summary: Start here., summaryI18n: {zh-CN: 从这里开始。}}
ui:
  cards:
  - {entry: main, title: Today, titleI18n: {zh-CN: 今天}, description: What is due today.}
  - {route: /nowhere, title: Leads nowhere}""",
    "zeta": "presentation: {order: first}",
}


@pytest.fixture
def stages(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[dict[str, Stage]]:
    del loop
    packages = [
        make_package(tmp_path, name, permissions=NOTES if name == "gamma" else "", more=more)
        for name, more in _SHOWN.items()
    ]
    manifest = tmp_path / "gamma/APP.md"
    command = manifest.read_text().replace("kind: page", "kind: command, command: /run")
    manifest.write_text(command.replace("route: / ", "route: /run "))
    made = {look: set_stage(tmp_path / look, look) for look in ("light", "chinese")}
    for stage in made.values():
        qtbot.addWidget(stage.window)
        stage.services.registry.add(packages)
        for name in _SHOWN:
            stage.services.registry.learn(name, SetupFacts(storage_quota_bytes=1 << 30))
        stage.window.show_home()
    yield made
    for stage in made.values():
        stage.window.shut()


def home(stage: Stage) -> HomePage:
    QTest.qWait(1)  # what was put on the page is shown when Qt's loop turns
    found = stage.window.findChild(HomePage)
    assert found is not None
    return found


def tiles(stage: Stage) -> list[Tile]:
    found = [each for each in home(stage).findChildren(Tile) if each.isVisible()]
    page = home(stage)
    return sorted(found, key=lambda each: (each.mapTo(page, each.rect().topLeft()).y(), each.x()))


def names(stage: Stage) -> list[str]:
    return [each.accessibleName() for each in tiles(stage)]


def chips(stage: Stage) -> list[QPushButton]:
    found = home(stage).findChildren(QPushButton)
    return [each for each in found if each.isVisible() and each.property("role") == "chip"]


def test_order_summary_category_and_cards_shape_home(stages: dict[str, Stage]) -> None:
    stage = stages["light"]
    # One that says where it wants to stand comes first; a word that is no number says nothing.
    assert names(stage) == ["Omega", "Alpha", "Beta", "Delta", "Gamma", "Zeta", "Today"]
    assert tiles(stage)[0].accessibleDescription() == "Start here."
    assert tiles(stage)[-1].accessibleDescription() == "What is due today."

    assert [each.text() for each in chips(stage)] == ["All", "Data work", "Writing"]
    QTest.mouseClick(chips(stage)[2], Qt.MouseButton.LeftButton)
    assert names(stage)[:2] == ["Alpha", "Beta"]
    assert "Delta" not in names(stage)
    QTest.keyClick(chips(stage)[0], Qt.Key.Key_Space)
    assert "Delta" in names(stage)

    stage.window.show_details("delta")
    QTest.qWait(1)
    assert "Data work" in [each.text() for each in stage.window.findChildren(QLabel)]

    stage = stages["chinese"]
    assert tiles(stage)[0].accessibleDescription() == "从这里开始。"
    assert names(stage)[-1] == "今天"
    assert "写作" in [each.text() for each in chips(stage)]


def test_a_card_opens_its_entry_and_is_there_only_while_the_entry_can_open(
    stages: dict[str, Stage],
) -> None:
    stage = stages["light"]
    assert "Daily run" not in names(stage)
    stage.services.registry.grant("gamma", "keep")
    [card] = [each for each in tiles(stage) if each.accessibleName() == "Daily run"]
    QTest.keyClick(card, Qt.Key.Key_Space)
    QTest.qWait(1)
    [opened] = [each for each in stage.window.findChildren(Surface) if each.isVisible()]
    assert (opened.app_id, opened.entry_key) == ("gamma", "main")
    stage.window.show_home()
    stage.services.registry.revoke("gamma", "keep")
    assert "Daily run" not in names(stage)
