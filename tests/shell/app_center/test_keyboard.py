"""Where the keyboard is while an app is installed (ours): at what a person decides, then at what opens the app."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.apps.registry import SetupFacts
from lime_desktop.shell.pages.app_page import AppPage
from tests.shell.app_center.test_window import Visitor
from tests.shell.stage import ROOT
from tests.shell.test_app_page import none, tell


@pytest.fixture
def visitor(tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop) -> Iterator[Visitor]:
    made = Visitor(tmp_path, qtbot, loop)
    window = made.stage.window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield made
    window.shut()
    made.close()


def key(visitor: Visitor, pressed: Qt.Key) -> None:
    QTest.keyClick(visitor.stage.window.windowHandle(), pressed)


def focused(visitor: Visitor) -> QWidget | None:
    found = QApplication.focusWidget()
    return found if found is not None and visitor.widget().isAncestorOf(found) else None


def is_at(visitor: Visitor, words: str) -> bool:
    """Whether the keyboard is at the button that says this."""
    found = focused(visitor)
    return isinstance(found, QPushButton) and found.text().startswith(words)


def install_notes(visitor: Visitor) -> None:
    """By keys, from the review on."""
    visitor.stage.window.install_package(ROOT / "sample_apps/notes")
    visitor.wait_to_see("It asks for")
    visitor.accept_unsigned()
    visitor.button("Install").setFocus()
    key(visitor, Qt.Key.Key_Return)
    visitor.wait_to_see("Manage app")


def set_up(visitor: Visitor) -> None:
    """The App Server says that the app's data are as the app wants them."""
    app = visitor.stage.services.registry.app("notes")
    assert app is not None
    steps = frozenset(each.id for each in app.projection.migrations)
    visitor.stage.services.registry.learn("notes", SetupFacts(applied_migrations=steps))


def test_after_an_install_the_keyboard_waits_for_open_and_enter_opens_the_app(
    visitor: Visitor,
) -> None:
    """A bug: it was at "Settings…", far below."""
    window, registry = visitor.stage.window, visitor.stage.services.registry
    registry.expect_setup()
    install_notes(visitor)
    visitor.until(lambda: isinstance(focused(visitor), AppPage))
    set_up(visitor)
    visitor.until(lambda: is_at(visitor, "Open"))
    key(visitor, Qt.Key.Key_Return)
    visitor.until(lambda: window.workspace.current is not None)


def test_open_comes_before_what_could_be_set_up_as_well(visitor: Visitor, qtbot: QtBot) -> None:
    tell(visitor.stage, none("weights_missing"), qtbot)
    install_notes(visitor)
    set_up(visitor)
    visitor.wait_to_see("Set up a model")
    visitor.until(lambda: is_at(visitor, "Open"))


def test_a_review_begins_at_what_can_be_decided(visitor: Visitor) -> None:
    """A bug: it began at a permission that the app needs."""
    samples = ROOT / "sample_apps"
    visitor.stage.window.install_package(samples / "notes")
    visitor.wait_to_see("answer")
    visitor.until(lambda: isinstance(focused(visitor), QCheckBox))
    begun = focused(visitor)
    assert begun is not None
    assert begun.objectName() == "grant-use-model"
    visitor.stage.window.install_package(samples / "draft-desk")
    visitor.until(lambda: is_at(visitor, "Don't install"))
