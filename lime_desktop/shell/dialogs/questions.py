"""Questions that the shell asks, drawn as its own dialogs: outside every view, and never waited for by a call."""

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote_plus

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QWidget

from lime_desktop.host.apps.app_access import agreed_sites, is_agreed, site_of
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import address_host, plain_address, plain_line, plain_name
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.widgets.parts import button, column, label, no_mnemonic

_SEARCH = "https://duckduckgo.com/?q="


def shown_address(url: str) -> QWidget:
    """An address as a person can judge it: the host first, as the network knows it; the rest may say what it likes."""
    try:
        host = address_host(url)
    except ValueError:
        host = ""
    whole = label(plain_address(url), "mono")
    whole.setAccessibleName(plain_line(url))
    return column(label(host, "heading"), whole, spacing=4) if host else whole


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


def open_page(window: QWidget, texts: Texts, url: str) -> None:
    """Have the browser open an address; where there is none, the person gets the address."""
    if QDesktopServices.openUrl(QUrl(url)):
        return
    dialog = QuestionDialog(
        window, texts("link.no-browser.title"), texts("link.no-browser"), shown_address(url)
    )
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    copy = button(texts("link.copy"), lambda: QGuiApplication.clipboard().setText(url), "primary")
    dialog.offer(texts("action.cancel"), copy)
    dialog.open()


def _opening(window: QWidget, texts: Texts, url: str) -> Callable[[], None]:
    """The same for later. It holds no window: what a button of a dialog holds is let go of while that dialog is destroyed."""
    known = weakref.ref(window)

    def open_it() -> None:
        if (there := known()) is not None:
            open_page(there, texts, url)

    return open_it


def ask_about_link(
    window: QWidget,
    texts: Texts,
    app_title: str,
    url: str,
    *,
    open_it: Callable[[], object] | None = None,
    left: Callable[[], object] = lambda: None,
) -> None:
    """Let the person decide whether their browser opens a page; `left` hears that it shall not."""
    question = Question(
        texts("link.title"),
        texts("link.text", app=app_title),
        url,
        yes=texts("link.open"),
        no=texts("link.cancel"),
    )
    opening = open_it or _opening(window, texts, url)
    _ask(window, question, shown_address(url), opening).rejected.connect(left)


def ask_about_search(window: QWidget, texts: Texts, words: str) -> None:
    """Let the person decide whether their browser searches the web for some words, which then leave this computer."""
    url = f"{_SEARCH}{quote_plus(words)}"
    question = Question(
        texts("web.title"), texts("web.text"), url, yes=texts("web.yes"), no=texts("link.cancel")
    )
    _ask(window, question, shown_address(url), _opening(window, texts, url))


def _ask(
    window: QWidget, question: Question, detail: QWidget, agreed: Callable[[], object]
) -> QuestionDialog:
    dialog = QuestionDialog(window, question.title, question.text, detail)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    role = "destructive" if question.is_destructive else "primary"
    dialog.offer(question.no, button(question.yes, agreed, role))
    dialog.open()
    return dialog


class LinkQuestions:
    """Opens pages in the browser that an app wants opened. The person is asked the first time per site."""

    def __init__(self, texts: Texts, settings: SettingsStore, registry: AppRegistry) -> None:
        self._texts = texts
        self._settings = settings
        self._registry = registry

    def offer(self, parent: QWidget, app_id: str, url: str) -> None:
        """Open a link, or ask whether to; never waits for the answer."""
        if is_agreed(self._settings.current.link_sites, app_id, url):
            open_page(parent, self._texts, url)
        else:
            self._ask(parent, app_id, url).open()

    def _ask(self, parent: QWidget, app_id: str, url: str) -> QuestionDialog:
        texts, app, site = self._texts, self._registry.app(app_id), site_of(url)
        name = app.title(texts.locale) if app else plain_name(app_id)
        again = QCheckBox(no_mnemonic(texts("link.always", site=plain_name(site or ""))))
        question = QuestionDialog(
            parent, texts("link.title"), texts("link.text", app=name), shown_address(url), again
        )
        again.setVisible(site is not None)

        opening = _opening(parent, texts, url)

        def open_it() -> None:
            if again.isChecked():
                agreed = agreed_sites(self._settings.current.link_sites, app_id, url)
                self._settings.change(link_sites=agreed)
            opening()

        question.offer(texts("link.cancel"), button(texts("link.open"), open_it, "primary"))
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.guard()
        return question
