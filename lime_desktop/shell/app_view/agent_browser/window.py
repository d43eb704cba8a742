"""A browser window of one session: whose it is, where the page is, each step as it is taken, and a button that ends it all."""

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QListWidget, QVBoxLayout, QWidget

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.shell.app_view.agent_browser.guards import BrowserPage
from lime_desktop.shell.widgets.parts import button, column, label, name_button, row

_SIZE = QSize(1000, 760)
_STEPS_HEIGHT = 120


class BrowserWindow(QWidget):
    """What the person sees of an agent's session. Closing it is stopping it."""

    stopped = Signal()
    """The person wants no more of it."""

    def __init__(self, texts: Texts, app_title: str, provider: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("agent-browser")
        # It must not take the keys that the person is typing elsewhere.
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setWindowTitle(texts("browser.title", app=app_title, site=plain_name(provider)))
        self.is_over = False
        self.address = label("", "small")
        self.address.setAccessibleName(texts("browser.address"))
        stop = button(texts("browser.stop"), self.stop, "danger")
        name_button(stop, texts, plain_name(provider))
        self.view = QWebEngineView(self)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.view.setAcceptDrops(False)
        self.steps = QListWidget()
        self.steps.setAccessibleName(texts("browser.steps"))
        self.steps.setFixedHeight(_STEPS_HEIGHT)
        about = label(texts("browser.about", app=app_title), "small")
        head = row(column(about, self.address, spacing=0), stop, stretch_at=0)
        layout = QVBoxLayout(self)
        layout.addWidget(head)
        layout.addWidget(self.view, 1)
        layout.addWidget(self.steps)
        self.resize(_SIZE)

    def carry(self, page: BrowserPage) -> None:
        """Show this page."""
        self.view.setPage(page)
        page.urlChanged.connect(self._show_address)

    def tell(self, words: str) -> None:
        """Add a step to the list."""
        self.steps.addItem(plain_line(words))
        self.steps.scrollToBottom()

    def stop(self) -> None:
        """End the session, by the person's wish."""
        if not self.is_over:
            self.is_over = True
            self.stopped.emit()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt calls this
        """Closed by the person, it is stopped."""
        self.stop()
        super().closeEvent(event)

    def _show_address(self, url: QUrl) -> None:
        # Without its query, which is long, and may hold what is nobody's business who looks on.
        self.address.setText(plain_line(f"{url.scheme()}://{url.host()}{url.path()}"))
