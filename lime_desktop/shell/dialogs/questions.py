"""Questions that the shell asks, drawn as its own dialogs: outside every view, and never waited for by a call."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote_plus

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.dialogs.shown_address import shown_address
from lime_desktop.shell.widgets.parts import button, label

_SEARCH = "https://duckduckgo.com/?q="


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the words of both answers."""

    title: str
    text: str
    detail: str
    yes: str
    no: str
    loses_something: bool = False
    """Whether something is gone after a yes; its button looks it."""
    is_destructive: bool = False
    """Whether a yes deletes what cannot be brought back: then its button says so by its look."""


def ask(
    window: QWidget,
    question: Question,
    agreed: Callable[[], object],
    left: Callable[[], object] = lambda: None,
) -> None:
    """Ask for a yes; anything else changes nothing. `open`, not `exec`: a nested loop would stop the host's tasks."""
    dialog = _ask(window, question, label(question.detail, "muted"), agreed)
    dialog.rejected.connect(left)


def ask_about_link(window: QWidget, texts: Texts, app_title: str, url: str) -> None:
    """Let the person decide whether their browser opens a page."""
    question = Question(
        texts("link.title"),
        texts("link.text", app=app_title),
        url,
        yes=texts("link.open"),
        no=texts("link.cancel"),
    )
    _ask(window, question, shown_address(url), lambda: QDesktopServices.openUrl(QUrl(url)))


def ask_about_search(window: QWidget, texts: Texts, words: str) -> None:
    """Let the person decide whether their browser searches the web for some words, which then leave this computer."""
    url = f"{_SEARCH}{quote_plus(words)}"
    question = Question(
        texts("web.title"), texts("web.text"), url, yes=texts("web.yes"), no=texts("link.cancel")
    )
    _ask(window, question, shown_address(url), lambda: QDesktopServices.openUrl(QUrl(url)))


def _ask(
    window: QWidget, question: Question, detail: QWidget, agreed: Callable[[], object]
) -> QuestionDialog:
    dialog = QuestionDialog(window, question.title, question.text, detail)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    role = "destructive" if question.is_destructive else "primary"
    dialog.offer(question.no, button(question.yes, agreed, role))
    dialog.open()
    return dialog
