"""The window: a rail of apps, the shell's pages, open entries as tabs, and notices above them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QCloseEvent, QDesktopServices, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QMessageBox,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Down, ServerState
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.shell.app_tab import AppTab
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from lime_desktop.shell.engine_facts import EngineFacts
from lime_desktop.shell.notices import Notices
from lime_desktop.shell.pages.app_page import AppPage
from lime_desktop.shell.pages.fixing import Fixes, FixLinks
from lime_desktop.shell.pages.home import HomePage
from lime_desktop.shell.parts import banner
from lime_desktop.shell.rail import Rail, RailItem
from lime_desktop.shell.settings.page import SettingsLinks, SettingsPage
from lime_desktop.shell.style import palette
from lime_desktop.shell.surroundings import Surroundings
from lime_desktop.shell.work import Work

MakeTab = Callable[[ShelfApp, str], AppTab]
"""Opens an entry of an app. Given from outside: the web engine is loaded only when the first app is opened."""


class MainWindow(QMainWindow):
    """Everything a person sees. Holds no truth: pages show the shelf, tabs show apps."""

    def __init__(
        self,
        around: Surroundings,
        server: AppServerSupervisor,
        make_tab: MakeTab,
        engine: EngineFacts,
    ) -> None:
        super().__init__()
        self._around = around
        self._make_tab = make_tab
        self._pages = QStackedWidget()
        self._home = HomePage(around, self.open_app, self.show_details, self.add_package)
        self._notices = Notices(around)
        self._approvals = ApprovalsPanel(around, self._notices.stand)
        links = SettingsLinks(
            server.call, self._notices.toast, self._notices.problem, self.show_details
        )
        self._settings = SettingsPage(around, engine, links)
        fix_links = FixLinks(
            server.call, self._notices.toast, self.show_settings, self._ask_about_link
        )
        fixes = Fixes(around, self, fix_links, Work(self, self._notices.problem))
        self._app_page = AppPage(around, self.show_home, self.open_entry, fixes.carry_out)
        self._tabs = QTabWidget(tabsClosable=True, movable=True, documentMode=True)
        self._tabs.tabCloseRequested.connect(self._close_tab)
        self._tabs.currentChanged.connect(self._tell_visibility)
        for page in (self._home, self._app_page, self._settings, self._tabs):
            self._pages.addWidget(page)
        self._rail = Rail(around.signs, around.texts("rail.name"))
        self._build(engine.sandbox_note(around.texts))
        self._add_shortcuts()
        around.look_changed.connect(self._dress)
        around.language_changed.connect(self._speak)
        around.shelf.watch(self._fill_rail)
        self._dress()
        self._fill_rail()

    # Where to go.

    def show_home(self) -> None:
        """Show the apps."""
        self._pages.setCurrentWidget(self._home)
        self._fill_rail()

    def show_details(self, app_id: str) -> None:
        """Show one app in full."""
        self._app_page.show_app(app_id)
        self._pages.setCurrentWidget(self._app_page)
        self._fill_rail()

    def show_settings(self, section: str = "") -> None:
        """Show the choices, at a section if one is named."""
        self._settings.show_section(section)
        self._pages.setCurrentWidget(self._settings)
        self._fill_rail()

    def open_app(self, app_id: str) -> None:
        """Open an app at the entry it starts with."""
        app = self._around.shelf.app(app_id)
        if app is not None and app.views:
            first = app.projection.default_entry or app.views[0].key
            self.open_entry(app_id, first)

    def open_entry(self, app_id: str, entry_key: str) -> None:
        """Open an entry in a tab, or turn to the tab it is open in; one that is not ready shows why."""
        app = self._around.shelf.app(app_id)
        answer = app.readiness.entry(entry_key) if app else None
        if app is None or answer is None or not (app.package.is_valid and answer.ok):
            self.show_details(app_id)
            return
        tab = self._tab_of(app_id, entry_key) or self._new_tab(app, entry_key)
        self._tabs.setCurrentWidget(tab)
        self._pages.setCurrentWidget(self._tabs)
        self._fill_rail()

    def add_package(self, path: Path) -> None:
        """Put a package on the shelf and show what it is."""
        (app,) = self._around.shelf.add([path])
        kept = dict.fromkeys([*self._around.settings.package_paths, str(path)])
        self._around.change(package_paths=tuple(kept))
        self.show_details(app.app_id)

    # What others tell the window.

    def show_server(self, state: ServerState) -> None:
        """Say how the App Server is; silence means that it runs."""
        notice = None
        if isinstance(state, Down):
            texts = self._around.texts
            words = texts("server.down.text", reason=state.reason, seconds=round(state.retry_in_s))
            notice = banner(words, "warning")
        self._notices.stand("server", notice)

    def show_toast(self, message: str, level: str) -> None:
        """Show a notice for a few seconds."""
        self._notices.toast(message, level)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt calls this
        """Let go of every page before the window goes."""
        while self._tabs.count():
            self._close_tab(0)
        super().closeEvent(event)

    def _build(self, sandbox_note: str | None) -> None:
        self.setWindowTitle(self._around.texts("app.name"))
        self.resize(1180, 780)
        if sandbox_note is not None:
            self._notices.stand("sandbox", banner(sandbox_note, "warning"))
        main = QWidget()
        main.setObjectName("page")
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._notices)
        column.addWidget(self._pages, 1)
        whole = QWidget()
        across = QHBoxLayout(whole)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._rail)
        across.addWidget(main, 1)
        across.addWidget(self._approvals)
        self.setCentralWidget(whole)

    def _add_shortcuts(self) -> None:
        for keys, go in {
            "Ctrl+1": self.show_home,
            "Ctrl+,": self.show_settings,
            "Ctrl+Shift+A": self._approvals.open,
            "Ctrl+W": self._close_current,
            "Ctrl+Q": self.close,
        }.items():
            action = QAction(self, shortcut=QKeySequence(keys))
            action.triggered.connect(partial(_without_state, go))
            self.addAction(action)

    def _fill_rail(self) -> None:
        around, shown = self._around, self._pages.currentWidget()
        home = RailItem(
            around.texts("rail.home"), self.show_home, sign="apps", is_current=shown is self._home
        )
        settings = RailItem(
            around.texts("rail.settings"),
            partial(self.show_settings),
            sign="settings",
            is_current=shown is self._settings,
        )
        self._rail.refill([home, *(self._app_item(app) for app in around.shelf.apps)], [settings])

    def _app_item(self, app: ShelfApp) -> RailItem:
        tab = self._tabs.currentWidget()
        is_current = (
            self._pages.currentWidget() is self._tabs
            and isinstance(tab, AppTab)
            and tab.app_id == app.app_id
        )
        title = app.title(self._around.texts.locale)
        return RailItem(
            title,
            partial(self.open_app, app.app_id),
            self._around.icon_of(app),
            is_current=is_current,
        )

    def _tab_of(self, app_id: str, entry_key: str) -> AppTab | None:
        tabs = (self._tabs.widget(index) for index in range(self._tabs.count()))
        mine = (tab for tab in tabs if isinstance(tab, AppTab))
        return next(
            (tab for tab in mine if (tab.app_id, tab.entry_key) == (app_id, entry_key)), None
        )

    def _new_tab(self, app: ShelfApp, entry_key: str) -> AppTab:
        tab = self._make_tab(app, entry_key)
        tab.toast.connect(self.show_toast)
        tab.entry_wanted.connect(partial(self.open_entry, app.app_id))
        entry = app.projection.entry(entry_key)
        name = entry.declared.title if entry else entry_key
        self._tabs.addTab(
            tab, self._around.icon_of(app), f"{app.title(self._around.texts.locale)} · {name}"
        )
        return tab

    def _close_tab(self, index: int) -> None:
        tab = self._tabs.widget(index)
        self._tabs.removeTab(index)
        if isinstance(tab, AppTab):
            tab.shut()
            tab.deleteLater()
        if not self._tabs.count() and self._pages.currentWidget() is self._tabs:
            self.show_home()

    def _close_current(self) -> None:
        if self._pages.currentWidget() is self._tabs:
            self._close_tab(self._tabs.currentIndex())

    def _tell_visibility(self, current: int) -> None:
        for index in range(self._tabs.count()):
            tab = self._tabs.widget(index)
            if isinstance(tab, AppTab):
                tab.set_visible(visible=index == current)

    def _ask_about_link(self, app_title: str, url: str) -> None:
        texts = self._around.texts
        question = QMessageBox(self)
        question.setWindowTitle(texts("link.title"))
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setText(texts("link.text", app=app_title))
        question.setInformativeText(url)
        opening = question.addButton(texts("link.open"), QMessageBox.ButtonRole.AcceptRole)
        question.setDefaultButton(
            question.addButton(texts("link.cancel"), QMessageBox.ButtonRole.RejectRole)
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        opening.clicked.connect(lambda: QDesktopServices.openUrl(QUrl(url)))
        question.open()

    def _dress(self) -> None:
        theme = self._around.theme
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setPalette(palette(theme))
            application.setStyleSheet(self._around.style.sheet(theme))
        self._around.signs.follow(theme)

    def _speak(self) -> None:
        self._home.show_apps()
        self._app_page.show_again()
        self._fill_rail()


def _without_state(go: Callable[[], object], _checked: bool = False) -> None:  # noqa: FBT001, FBT002 - Qt sends it
    go()
