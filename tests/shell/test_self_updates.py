"""Settings → About shows how the program stands with updates, and does what is pressed there (ours)."""

import asyncio
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QTextBrowser
from pytestqt.qtbot import QtBot

from lime_desktop.shipping.service import UpdateService
from tests.shell.conftest import WAIT_MS
from tests.shell.hands import active_stage
from tests.shell.stage import Stage
from tests.shipping.launching import launch
from tests.shipping.vendors import Customer, Served, Vendor, body, serve


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    yield from active_stage(qtbot, tmp_path, loop)


@pytest.fixture
def served(tmp_path: Path) -> Generator[Served]:
    (tmp_path / "vendor/web").mkdir(parents=True)
    with serve(tmp_path / "vendor/web") as served:
        yield served


@pytest.fixture
def customer(tmp_path: Path, served: Served, stage: Stage) -> Customer:
    """Somebody with 1.0.0, whose vendor has published 1.1.0."""
    vendor = Vendor(tmp_path / "vendor", served.url)
    vendor.keys.create()
    vendor.publish("1.0.0")
    customer = vendor.install("1.0.0")
    tree = vendor.tree("1.1.0", {"new.bin": b"n" * 5_000}, is_healthy=False)
    vendor.publish("1.1.0", tree, notes={"en": "It has **wings** now.", "zh-CN": "现在有翅膀了。"})
    stage.services.updates._service = UpdateService(customer.updates())
    return customer


def wait_to_read(stage: Stage, qtbot: QtBot, words: str) -> None:
    labels = stage.window.findChildren
    qtbot.waitUntil(
        lambda: any(words in each.text() for each in labels(QLabel) if each.isVisible()),
        timeout=WAIT_MS,
    )


def press(stage: Stage, words: str) -> None:
    found = stage.window.findChildren(QAbstractButton)
    next(each for each in found if each.text() == words and each.isVisible()).click()


def test_an_update_is_found_read_about_prepared_and_started(
    stage: Stage, customer: Customer, qtbot: QtBot
) -> None:
    stage.window.show_settings("about")
    wait_to_read(stage, qtbot, "Version 1.0.0 is installed.")
    press(stage, "Check for updates")
    wait_to_read(stage, qtbot, "Version 1.1.0 is available.")
    notes = [each for each in stage.window.findChildren(QTextBrowser) if each.isVisible()]
    assert any("It has wings now." in each.toPlainText() for each in notes)
    press(stage, "Install update")
    wait_to_read(stage, qtbot, "Version 1.1.0 is ready.")
    assert launch(customer).version == "1.1.0"
    customer.confirm()
    stage.window.show_settings("about")
    press(stage, "Roll back to 1.0.0")
    wait_to_read(stage, qtbot, "Version 1.0.0 is ready.")
    assert launch(customer).version == "1.0.0"


def test_who_pressed_by_keyboard_goes_on_from_there(
    stage: Stage, customer: Customer, qtbot: QtBot
) -> None:
    del customer
    stage.window.show_settings("about")
    found = stage.window.findChildren(QAbstractButton)
    check = next(each for each in found if each.text() == "Check for updates" and each.isVisible())
    check.setFocus()
    check.click()
    wait_to_read(stage, qtbot, "Version 1.1.0 is available.")
    focused = QApplication.focusWidget()
    assert isinstance(focused, QAbstractButton)
    assert focused.text() == "Install update"


def test_what_is_not_to_be_believed_is_said_and_nothing_is_prepared(
    stage: Stage, customer: Customer, served: Served, qtbot: QtBot
) -> None:
    served.answers["/blobs/"] = body(b"somebody else's")
    stage.window.show_settings("about")
    press(stage, "Check for updates")
    wait_to_read(stage, qtbot, "Version 1.1.0 is available.")
    press(stage, "Install update")
    wait_to_read(stage, qtbot, "is not the one its publisher signed. Nothing was changed.")
    assert customer.installation.pending is None


def test_a_channel_is_chosen_and_asked_at_once(
    stage: Stage, customer: Customer, qtbot: QtBot
) -> None:
    stage.window.show_settings("about")
    box = next(each for each in stage.window.findChildren(QComboBox) if each.findText("Beta") >= 0)
    box.setCurrentIndex(box.findText("Beta"))
    box.activated.emit(box.currentIndex())
    wait_to_read(stage, qtbot, "There is no update in this channel.")
    assert customer.updates().channel == "beta"


def test_a_copy_that_others_update_says_who(stage: Stage, qtbot: QtBot) -> None:
    stage.window.show_settings("about")
    wait_to_read(stage, qtbot, "This copy runs from source or a Python environment.")
