"""The icon in the tray, and notices of the desktop: for what waits while nobody looks at the window."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.wording import word_question
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.window.main_window import MainWindow


class Tray(QObject):
    """Where the desktop has a tray: show, find, leave. Where it has none, the window is all there is."""

    def __init__(
        self,
        look: Look,
        settings: SettingsStore,
        brand: Brand,
        registry: AppRegistry,
        approvals: Approvals,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._look = look
        self._settings = settings
        self._brand = brand
        self._registry = registry
        self._approvals = approvals
        self._window = window
        self._icon = QSystemTrayIcon(look.appearance.logo(), self)
        self._menu = QMenu()
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._pressed)
        self._icon.messageClicked.connect(window.come_forward)
        self._told: frozenset[str] = frozenset()
        look.texts.changed.connect(self._retranslate)
        brand.changed.connect(self._retranslate)
        look.appearance.pictures.drawn.connect(self._show_logo)
        approvals.queue.watch(self._on_questions)
        self._retranslate()
        if QSystemTrayIcon.isSystemTrayAvailable():
            self._icon.show()
            window.has_tray = True

    def notify(self, title: str, text: str) -> bool:
        """Tell the desktop of something that waits; nothing where the person looks at the window or wants none."""
        is_wanted = self._settings.current.has_notifications and not self._window.isActiveWindow()
        if not (is_wanted and self._icon.isVisible()):
            return False
        self._icon.showMessage(title, text, self._look.appearance.logo())
        return True

    def _on_questions(self) -> None:
        """Each question is told once, when it is asked."""
        asked = {each.question_id: each for each in self._approvals.queue.open}
        fresh = asked.keys() - self._told
        self._told = frozenset(asked)
        for question_id in fresh:
            question = asked[question_id]
            app = self._registry.app(question.app_id)
            said = word_question(question, app, self._look.texts)
            self.notify(self._look.texts("notify.asked"), _unmarked(said.line))

    def _pressed(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self._window.come_forward()

    def _quit(self) -> None:
        self._window.ask_to_leave()

    def _show_logo(self) -> None:
        if self._brand.has_own_logo:
            self._icon.setIcon(self._look.appearance.logo())

    def _retranslate(self) -> None:
        texts = self._look.texts
        self._icon.setIcon(self._look.appearance.logo())
        self._icon.setToolTip(self._brand.branding.product_name)
        self._menu.clear()
        self._menu.addAction(texts("tray.show"), self._window.come_forward)
        self._menu.addAction(texts("tray.quit"), self._quit)


def _unmarked(words: str) -> str:
    """Words for a notice of the desktop, which may read angle brackets as markup."""
    return plain_line(words).replace("<", "‹").replace(">", "›").replace("&", "＆")
