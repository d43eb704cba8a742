"""An app wants a page opened in the browser: the person is asked the first time per site, in the host's own words."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QWidget

from lime_desktop.host.apps.app_access import agreed_sites, is_agreed, site_of
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.dialogs.shown_address import shown_address
from lime_desktop.shell.widgets.parts import button, no_mnemonic


class LinkQuestions:
    """Opens what was agreed to, and asks about the rest."""

    def __init__(self, texts: Texts, settings: SettingsStore, registry: AppRegistry) -> None:
        self._texts = texts
        self._settings = settings
        self._registry = registry

    def offer(self, parent: QWidget, app_id: str, url: str) -> None:
        """Open a link, or ask whether to; never waits for the answer."""
        if is_agreed(self._settings.current.link_sites, app_id, url):
            QDesktopServices.openUrl(QUrl(url))
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

        def open_it() -> None:
            if again.isChecked():
                agreed = agreed_sites(self._settings.current.link_sites, app_id, url)
                self._settings.change(link_sites=agreed)
            QDesktopServices.openUrl(QUrl(url))

        question.offer(texts("link.cancel"), button(texts("link.open"), open_it, "primary"))
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.guard()
        return question
