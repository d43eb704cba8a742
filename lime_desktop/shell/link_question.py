"""An app wants a page opened in the browser: the person is asked the first time per site, in the host's own words."""

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QMessageBox, QWidget

from lime_desktop.host.link_sites import agreed_sites, is_agreed, site_of
from lime_desktop.shell.surroundings import Surroundings


def offer_link(parent: QWidget, around: Surroundings, app_id: str, url: str) -> None:
    """Open a link, or ask whether to; never waits for the answer."""
    if is_agreed(around.settings.link_sites, app_id, url):
        QDesktopServices.openUrl(QUrl(url))
    else:
        _ask(parent, around, app_id, url).open()


def _ask(parent: QWidget, around: Surroundings, app_id: str, url: str) -> QMessageBox:
    texts, app = around.texts, around.shelf.app(app_id)
    question = QMessageBox(parent)
    question.setWindowTitle(texts("link.title"))
    # Plain text: an address must not be able to dress itself up.
    question.setTextFormat(Qt.TextFormat.PlainText)
    question.setText(texts("link.text", app=app.title(texts.locale) if app else app_id))
    question.setInformativeText(url)
    again = QCheckBox(texts("link.always", site=site_of(url) or ""))
    again.setVisible(site_of(url) is not None)
    question.setCheckBox(again)
    opening = question.addButton(texts("link.open"), QMessageBox.ButtonRole.AcceptRole)
    stay = question.addButton(texts("link.cancel"), QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(stay)
    question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def open_it() -> None:
        if again.isChecked():
            around.change(link_sites=agreed_sites(around.settings.link_sites, app_id, url))
        QDesktopServices.openUrl(QUrl(url))

    opening.clicked.connect(open_it)
    return question
