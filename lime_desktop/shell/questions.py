"""Questions that the shell asks, drawn as its own dialogs: outside every view, and never waited for by a call."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox, QWidget

from lime_desktop.shell.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the words of both answers."""

    title: str
    text: str
    detail: str
    yes: str
    no: str


def ask(window: QWidget, question: Question, agreed: Callable[[], object]) -> None:
    """Ask for a yes; anything else changes nothing. `open`, not `exec`: a nested loop would stop the host's tasks."""
    box = QMessageBox(window)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(question.title)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(question.text)
    box.setInformativeText(question.detail)
    accept = box.addButton(question.yes, QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(question.no, QMessageBox.ButtonRole.RejectRole))

    def take(_checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
        agreed()

    accept.clicked.connect(take)
    box.open()


def ask_about_link(window: QWidget, around: Surroundings, app_title: str, url: str) -> None:
    """Let the person decide whether their browser opens a page."""
    texts = around.texts
    question = Question(
        texts("link.title"),
        texts("link.text", app=app_title),
        url,
        yes=texts("link.open"),
        no=texts("link.cancel"),
    )
    ask(window, question, lambda: QDesktopServices.openUrl(QUrl(url)))
