"""An app's links are opened by the person's yes, once per site where they want (the standard: source and protocol checked)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.settings import HostSettings
from lime_desktop.shell.link_question import offer_link
from lime_desktop.shell.surroundings import Folders, Surroundings

ROOT = Path(__file__).parents[2]


class Browser(QObject):
    """Stands where the system's browser would."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@pytest.fixture
def browser(qtbot: QtBot) -> Iterator[Browser]:
    del qtbot
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")  # pyright: ignore[reportCallIssue, reportArgumentType] - Qt's stub wants bytes
    yield browser
    QDesktopServices.unsetUrlHandler("https")


@pytest.fixture
def around(qtbot: QtBot, tmp_path: Path) -> Surroundings:
    del qtbot
    folders = Folders(ROOT / "resources", tmp_path, tmp_path / "settings.json")
    return Surroundings(folders, HostSettings(locale="en", theme_mode="light"))


def ask(around: Surroundings, window: QWidget, url: str) -> QMessageBox | None:
    offer_link(window, around, "notes", url)
    questions = [each for each in window.findChildren(QMessageBox) if each.isVisible()]
    return questions[0] if questions else None


def press(question: QMessageBox, words: str) -> None:
    next(each for each in question.buttons() if words in each.text()).click()


def test_nothing_opens_before_a_yes(qtbot: QtBot, around: Surroundings, browser: Browser) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    question = ask(around, window, "https://example.com/a")
    assert question is not None
    assert (question.informativeText(), browser.opened) == ("https://example.com/a", [])
    press(question, around.texts("link.cancel"))
    assert browser.opened == []


def test_a_site_that_was_agreed_to_for_good_is_not_asked_about_again(
    qtbot: QtBot, around: Surroundings, browser: Browser
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    question = ask(around, window, "https://example.com/a")
    assert question is not None
    question.checkBox().setChecked(True)
    press(question, around.texts("link.open"))
    qtbot.waitUntil(lambda: browser.opened == ["https://example.com/a"], timeout=30_000)
    assert ask(around, window, "https://example.com/b") is None
    assert browser.opened == ["https://example.com/a", "https://example.com/b"]
    assert ask(around, window, "https://other.example/") is not None
