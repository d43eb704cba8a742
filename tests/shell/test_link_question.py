"""An app's links are opened by the person's yes, once per site where they want (the standard: source and protocol checked)."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.dialogs.questions import LinkQuestions
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders

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
def services(qtbot: QtBot, tmp_path: Path) -> Composition:
    del qtbot
    folders = Folders(ROOT / "resources", tmp_path, tmp_path / "settings.json")
    return Composition(folders, HostSettings(locale="en", theme_mode="light"))


def ask(services: Composition, window: QWidget, url: str) -> QuestionDialog | None:
    LinkQuestions(services.look.texts, services.settings, services.registry).offer(
        window, "notes", url
    )
    questions = [each for each in window.findChildren(QuestionDialog) if each.isVisible()]
    return questions[0] if questions else None


def press(qtbot: QtBot, question: QuestionDialog, words: str) -> None:
    found = next(each for each in question.findChildren(QPushButton) if words in each.text())
    qtbot.waitUntil(found.isEnabled, timeout=30_000)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def shown(question: QuestionDialog) -> list[str]:
    return [each.text() for each in question.findChildren(QLabel)]


def test_nothing_opens_before_a_yes(qtbot: QtBot, services: Composition, browser: Browser) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    question = ask(services, window, "https://example.com/a")
    assert question is not None
    assert shown(question)[1:] == ["example.com", "https://example.com/a"]
    assert browser.opened == []
    press(qtbot, question, services.look.texts("link.cancel"))
    assert browser.opened == []


def test_enter_does_not_open_a_link(qtbot: QtBot, services: Composition, browser: Browser) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    question = ask(services, window, "https://example.com/a")
    assert question is not None
    [yes] = question.answers
    qtbot.waitUntil(yes.isEnabled, timeout=30_000)
    with qtbot.waitSignal(question.finished, timeout=30_000):
        QTest.keyClick(question.windowHandle(), Qt.Key.Key_Return)
    assert browser.opened == []


@pytest.mark.parametrize(
    ("url", "host", "whole"),
    [
        (
            "https://bank.example@evil.example/<b>x</b>",
            "evil.example",
            "https://⟨bank.example⟩@evil.example/<b>x</b>",
        ),
        ("https://\u0430\u0440\u0440le.com/", "xn--le-6kc8da.com", "https://xn--le-6kc8da.com/"),
    ],
)
def test_a_link_says_where_it_leads(
    qtbot: QtBot, services: Composition, browser: Browser, url: str, host: str, whole: str
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    question = ask(services, window, url)
    assert question is not None
    assert shown(question)[1:] == [host, whole]
    assert all(
        each.textFormat() is Qt.TextFormat.PlainText for each in question.findChildren(QLabel)
    )
    assert browser.opened == []


def test_a_site_that_was_agreed_to_for_good_is_not_asked_about_again(
    qtbot: QtBot, services: Composition, browser: Browser
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    question = ask(services, window, "https://example.com/a")
    assert question is not None
    again = question.findChild(QCheckBox)
    assert again is not None
    again.setChecked(True)
    press(qtbot, question, services.look.texts("link.open"))
    qtbot.waitUntil(lambda: browser.opened == ["https://example.com/a"], timeout=30_000)
    assert ask(services, window, "https://example.com/b") is None
    assert browser.opened == ["https://example.com/a", "https://example.com/b"]
    assert ask(services, window, "https://other.example/") is not None
