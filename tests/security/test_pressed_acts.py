"""No page passes its own wishes off as what the person pressed for; and what they did press for is not questioned (ours).

A real window, page and App Server; clicks and keys enter where the system's own enter. What counts is what was recorded.
"""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.shell.app_view.loading_cover import LoadingCover
from lime_desktop.shell.app_view.view_input import VALID_S, Presses
from tests.app_server.apps.packages import write_app
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.shell.test_decisions import SCRIPT, Person, seat_person

pytestmark = pytest.mark.system

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
MORE = """\
entries: [{key: home, kind: page, title: Home, route: /}, {key: other, kind: page, title: Other, route: /}]
runtimePackage: {ui: {path: ./dist/ui}}
storage: {namespace: notes}
permissions: [{key: keep, scope: storage, access: read-write, reason: To keep notes.}]
operations: [{key: keep, type: storage, sideEffect: app_storage_write, approvalRequired: true}]
"""
PAGE = """<!doctype html><meta charset="utf-8"><title>Acts</title>
<body style="margin:0"><button id="save" style="position:fixed;inset:0 0 50% 0">Save</button>
<input id="field" style="position:fixed;inset:50% 0 0 0">
<script type="module" src="/app.js"></script></body>"""
ACTS = (
    SCRIPT
    + """
window.keys = ["pressed"];
document.getElementById("save").onclick = () => {
  for (const key of window.keys) window.make(key, "storage", "set", { key, value: "kept" });
};
document.getElementById("field").oninput = () => window.make("typed", "storage", "set", { key: "typed", value: 1 });
"""
)
ASKED = {"ok": False, "code": "APP_E010"}


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Person]:
    files = {"dist/ui/index.html": PAGE, "dist/ui/app.js": ACTS}
    package = write_app(tmp_path, capabilities="{lime.storage: '*'}", more=MORE, files=files)
    yield from seat_person(qtbot, tmp_path, loop, package, ("keep",))


def place_of(person: Person, element: str) -> QPoint:
    """Where an element lies in the window."""
    box = f"w.document.getElementById('{element}').getBoundingClientRect()"
    found = person.js(f"(r => [r.x + r.width / 2, r.y + r.height / 2])({box})")
    web = person.tab.view.web_view
    return web.mapTo(person.stage.window, QPoint(round(found[0]), round(found[1])))


def wait_seen(person: Person) -> None:
    """Nobody presses or types into what they do not see: a page that was not drawn yet takes neither."""
    person.until(
        lambda: not any(each.isVisible() for each in person.tab.findChildren(LoadingCover))
    )


def click(person: Person, element: str) -> None:
    wait_seen(person)
    QTest.mouseClick(person.stage.window.windowHandle(), LEFT, NONE, place_of(person, element))


def is_asked(person: Person, key: str) -> None:
    """A question is open about it, and nothing was kept."""
    person.until(lambda: bool(person.queue.open))
    [question] = [each for each in person.queue.open if key in json.dumps(each.arguments)]
    assert question.action == "lime.storage.set"
    assert person.kept(key) is None


def undo_buttons(person: Person) -> list[QPushButton]:
    found = person.stage.window.findChildren(QPushButton)
    return [each for each in found if each.text() == "Undo" and each.isVisible()]


def test_what_a_person_clicks_is_done_at_once_recorded_as_theirs_and_undone(
    person: Person,
) -> None:
    click(person, "save")
    assert person.outcome("pressed")["ok"]
    assert not person.queue.open
    assert person.kept("pressed") == "kept"
    person.until(
        lambda: any("was carried out: The person's own act" in each for each in person.evidence())
    )
    person.until(lambda: len(undo_buttons(person)) == 1)
    [undo] = undo_buttons(person)
    assert "saved your change" in undo.accessibleName()
    QTest.mouseClick(undo, LEFT)
    person.until(lambda: person.kept("pressed") is None)
    person.until(lambda: "lime.storage.set was undone by the person" in person.evidence())
    person.until(lambda: not undo_buttons(person))


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_button_pressed_by_key_is_pressed(person: Person, key: Qt.Key) -> None:
    person.tab.setFocus()
    person.js("w.document.getElementById('save').focus() ?? null")
    person.until(lambda: person.js("w.document.activeElement.id") == "save")
    person.key(key)
    assert person.outcome("pressed")["ok"]
    assert not person.queue.open


SCRIPTED = {
    "a click by script": "w.document.getElementById('save').click() ?? null",
    "an event that says it is trusted": (
        "w.document.getElementById('save').dispatchEvent(Object.assign("
        "new w.MouseEvent('click', {bubbles: true, detail: 1}), {})) ?? null"
    ),
    "a pointer and a key by script": (
        "['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'].forEach(kind => w.document"
        ".getElementById('save').dispatchEvent(new w.MouseEvent(kind, {bubbles: true}))) ?? null"
    ),
}


@pytest.mark.parametrize("script", SCRIPTED.values(), ids=SCRIPTED)
def test_no_script_presses(person: Person, script: str) -> None:
    person.js(script)
    is_asked(person, "pressed")


def test_no_event_that_a_program_made_is_a_press(person: Person) -> None:
    """Not even one that goes the whole way of the window's own events."""
    web = person.tab.view.web_view.focusProxy()
    assert isinstance(web, QWidget)
    place = QPointF(web.mapFrom(person.stage.window, place_of(person, "save")))
    there = QPointF(web.mapToGlobal(place.toPoint()))
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        QApplication.sendEvent(web, QMouseEvent(kind, place, there, LEFT, LEFT, NONE))
    QApplication.sendEvent(web, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE))
    is_asked(person, "pressed")


def test_typing_is_no_press(person: Person) -> None:
    """The click into the field was one: it is gone by the time that somebody has begun to write."""
    wait_seen(person)
    person.tab.setFocus()
    person.js("w.document.getElementById('field').focus() ?? null")
    person.until(lambda: person.js("w.document.activeElement.id") == "field")
    web = person.tab.view.web_view.focusProxy()
    assert isinstance(web, QWidget)
    person.until(lambda: bool(web.inputMethodQuery(Qt.InputMethodQuery.ImEnabled)))
    for key in (Qt.Key.Key_A, Qt.Key.Key_Space, Qt.Key.Key_Return):
        person.key(key)
    is_asked(person, "typed")


def test_a_press_is_used_up_by_one_call(person: Person) -> None:
    person.js("w.keys.splice(0, 1, 'first', 'second') && null")
    click(person, "save")
    is_asked(person, "second")
    assert person.outcome("first")["ok"]
    assert person.kept("first") == "kept"
    person.make("third", "storage.set", {"key": "third", "value": 1})
    person.until(lambda: len(person.queue.open) == 2)


def test_an_old_press_counts_no_more(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    person.js("w.keys.splice(0) && null")
    click(person, "save")
    person.until(lambda: person.js("w.document.activeElement.id") == "save")
    later = time.monotonic() + VALID_S + 0.1
    monkeypatch.setattr(person.tab.view.input.presses, "_clock", lambda: later)
    person.make("late", "storage.set", {"key": "late", "value": 1})
    is_asked(person, "late")


def test_a_press_in_one_view_is_for_no_other(person: Person) -> None:
    """Two views of the same app: the one that the person did not press in is asked about."""
    first = person.tab
    person.stage.window.open_entry("notes", "other", beside=True)
    other = Person(person.stage, person.qtbot, person.sidecars)
    assert other.tab is not first
    other.until(lambda: other.tab.session.is_ready)
    other.until(lambda: other.js("w?.isReady ?? null") is True)
    other.js("w.keys.splice(0) && null")
    click(other, "save")
    other.until(lambda: other.js("w.document.activeElement.id") == "save")
    person.make("elsewhere", "storage.set", {"key": "elsewhere", "value": 1})
    is_asked(person, "elsewhere")


def test_a_page_that_was_loaded_anew_inherits_no_press(person: Person) -> None:
    person.js("w.keys.splice(0) && null")
    click(person, "save")
    person.until(lambda: person.js("w.document.activeElement.id") == "save")
    person.tab.reload()
    person.until(lambda: person.tab.session.is_ready)
    person.until(lambda: person.js("w?.isReady ?? null") is True)
    person.make("anew", "storage.set", {"key": "anew", "value": 1})
    is_asked(person, "anew")


def _spontaneous(press: Presses, kind: QEvent.Type, button: Qt.MouseButton = LEFT) -> None:
    class Pressed(QMouseEvent):
        def spontaneous(self) -> bool:
            return True

    press.see(Pressed(kind, QPointF(), QPointF(), button, button, NONE))


def test_one_click_is_one_press_however_long_it_is_held(qtbot: QtBot) -> None:
    field = QWidget()
    qtbot.addWidget(field)
    now = [100.0]
    presses = Presses(field, lambda: now[0])
    _spontaneous(presses, QEvent.Type.MouseButtonPress)
    now[0] += VALID_S * 5
    _spontaneous(presses, QEvent.Type.MouseButtonRelease)
    assert presses.take()
    assert not presses.take()
    # What was used when it began is not there again when the button is let go.
    _spontaneous(presses, QEvent.Type.MouseButtonPress)
    assert presses.take()
    _spontaneous(presses, QEvent.Type.MouseButtonRelease)
    assert not presses.take()
    _spontaneous(presses, QEvent.Type.MouseButtonPress, Qt.MouseButton.RightButton)
    assert not presses.take()
