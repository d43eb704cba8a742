"""A person's hands on the rail: its icons, and the menus that they open."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from lime_desktop.shell.window.rail.button import RailButton
from lime_desktop.shell.window.rail.rail import Rail
from tests.shell.stage import Stage


def rail(stage: Stage) -> Rail:
    found = stage.window.findChild(Rail)
    assert found is not None
    return found


def icon(stage: Stage, app_id: str) -> RailButton:
    QTest.qWait(1)
    buttons = rail(stage).findChildren(RailButton)
    return next(each for each in buttons if each.item.key == app_id and each.isVisible())


def open_menu(stage: Stage, app_id: str) -> QMenu:
    button = icon(stage, app_id)
    place = button.rect().center()
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, button.mapToGlobal(place), Qt.KeyboardModifier(0)
    )
    QApplication.sendEvent(button, event)
    [menu] = [each for each in button.findChildren(QMenu) if each.isVisible()]
    return menu


def choose(menu: QMenu, words: str) -> None:
    action = next(each for each in menu.actions() if each.text() == words)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
