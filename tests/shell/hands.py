"""A person's hands on the window: keys go to whatever has the keyboard, the page is asked what became of them."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.stage import Stage, set_stage

ROOT = Path(__file__).parents[2]
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier
NONE = Qt.KeyboardModifier.NoModifier


def active_stage(
    qtbot: QtBot, folder: Path, loop: asyncio.AbstractEventLoop, look: str = "light"
) -> Iterator[Stage]:
    """A window that has the keyboard."""
    del loop  # only has to be there: the window reads in the background
    made = set_stage(folder, look)
    qtbot.addWidget(made.window)
    made.window.show()
    made.window.activateWindow()
    qtbot.waitUntil(made.window.isActiveWindow)
    yield made
    made.window.shut()


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def type_keys(text: str) -> None:
    """One key after the other, each to whoever has the keyboard by then."""
    for key in text:
        QTest.keyClicks(focused(), key)


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(focused(), key, modifiers)


def press_window(stage: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """As the system does: to the window, which knows where its keyboard is."""
    QTest.keyClick(stage.window.windowHandle(), key, modifiers)


def open_page_with_a_field(stage: Stage, qtbot: QtBot) -> AppTab:
    """An app's page whose text field has the keyboard."""
    [app] = stage.services.registry.add([ROOT / "sample_apps/hello-lime"])
    stage.services.registry.grant(app.app_id, "keep-greeting")
    stage.window.open_app(app.app_id)
    tab = stage.window.workspace.current
    assert isinstance(tab, AppTab)
    qtbot.waitUntil(lambda: tab.session.is_ready, timeout=60_000)
    tab.setFocus()
    ask(tab, qtbot, "field.value = 'one two'; field.disabled = false; field.focus(); 0")
    qtbot.waitUntil(lambda: ask(tab, qtbot, "d.activeElement === field && d.hasFocus()") is True)
    return tab


def ask(tab: AppTab, qtbot: QtBot, expression: str) -> object:
    """What the page says: `d` is the app's document, `w` its window, `field` its text field."""
    answers: list[object] = []
    frame = "const d = document.querySelector('iframe').contentDocument, w = d.defaultView"
    script = f"{{ {frame}; const field = d.getElementById('text'); {expression} }}"
    tab.view.page().runJavaScript(script, 0, answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=60_000)
    return answers[0]


def page_widget(tab: AppTab) -> QWidget:
    """What the engine draws into, and what takes the pointer there."""
    found = tab.view.web_view.focusProxy()
    assert found is not None
    return found


def press_mouse(widget: QWidget, at: QPoint, button: Qt.MouseButton) -> None:
    """Press and let go at a place of a widget."""
    place, there = QPointF(at), QPointF(widget.mapToGlobal(at))
    kinds = {QEvent.Type.MouseButtonPress: button, QEvent.Type.MouseButtonRelease: NO_BUTTON}
    for kind, held in kinds.items():
        QApplication.sendEvent(widget, QMouseEvent(kind, place, there, button, held, NONE))


NO_BUTTON = Qt.MouseButton.NoButton


def place_of(tab: AppTab, qtbot: QtBot, element: str) -> QPoint:
    """Where an element of the page lies in its widget."""
    where = "const r = element.getBoundingClientRect(); JSON.stringify([r.x + r.width / 2, r.y + r.height / 2])"
    answer = ask(tab, qtbot, f"const element = {element}; {where}")
    x, y = (float(each) for each in json.loads(str(answer)))
    zoom = tab.view.page().zoomFactor()
    return QPoint(round(x * zoom), round(y * zoom))
