"""The first page: the apps at hand, found by name, opened or looked into."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QLineEdit, QMenu, QWidget

from lime_desktop.host.shelf import ShelfApp
from lime_desktop.projection.catalog import catalog_row
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.pages.status import status_pill
from lime_desktop.shell.parts import button, card, icon_label, label, row
from lime_desktop.shell.surroundings import Surroundings


class HomePage(Page):
    """Cards of apps under a search line."""

    def __init__(
        self,
        around: Surroundings,
        open_app: Callable[[str], None],
        show_details: Callable[[str], None],
        add_package: Callable[[Path], None],
    ) -> None:
        super().__init__()
        self._around = around
        self._open_app = open_app
        self._show_details = show_details
        self._add_package = add_package
        self._query = ""
        around.shelf.watch(self.show_apps)
        self.show_apps()

    def show_apps(self) -> None:
        """Show the apps that match what was typed."""
        texts, locale = self._around.texts, self._around.texts.locale
        found = [
            app
            for app in self._around.shelf.apps
            if catalog_row(app.projection).matches(self._query)
        ]
        found.sort(key=lambda app: app.title(locale).casefold())
        parts: list[QWidget] = [
            label(texts("home.title"), "title"),
            label(texts("home.subtitle"), "muted"),
            self._tools(),
        ]
        parts += [self._card(app) for app in found]
        if not self._around.shelf.apps:
            parts.append(
                card(
                    label(texts("home.empty.title"), "heading"),
                    label(texts("home.empty.text"), "muted"),
                )
            )
        elif not found:
            parts.append(label(texts("home.nothing", query=self._query), "muted"))
        self.refill(*parts)

    def _tools(self) -> QWidget:
        texts = self._around.texts
        search = QLineEdit(self._query)
        search.setPlaceholderText(texts("home.search"))
        search.setAccessibleName(texts("home.search"))
        search.setClearButtonEnabled(True)
        search.returnPressed.connect(lambda: self._search(search.text()))
        search.textEdited.connect(self._search_soon)
        add = button(texts("home.add"), self._choose_kind)
        add.setObjectName("add-package")
        return row(search, add, stretch_at=0)

    def _search_soon(self, query: str) -> None:
        self._query = query
        self.show_apps()
        field = self.findChild(QLineEdit)
        if isinstance(field, QLineEdit):
            field.setFocus()
            field.setCursorPosition(len(query))

    def _search(self, query: str) -> None:
        self._query = query
        self.show_apps()

    def _card(self, app: ShelfApp) -> QFrame:
        texts, locale = self._around.texts, self._around.texts.locale
        head = row(
            icon_label(self._around.icon_of(app), 40),
            label(app.title(locale), "heading"),
            status_pill(texts, app.readiness.status),
            stretch_at=1,
        )
        details = button(texts("home.details"), lambda: self._show_details(app.app_id))
        details.setAccessibleName(f"{texts('home.details')}: {app.title(locale)}")
        tools = [details]
        if app.can_start and app.views:
            opening = button(texts("home.open"), lambda: self._open_app(app.app_id), "primary")
            opening.setAccessibleName(f"{texts('home.open')}: {app.title(locale)}")
            tools.insert(0, opening)
        return card(head, label(app.tagline(locale), "muted"), row(*tools))

    def _choose_kind(self) -> None:
        texts = self._around.texts
        menu = QMenu(self)
        menu.addAction(texts("home.add.folder"), self._choose_folder)
        menu.addAction(texts("home.add.archive"), self._choose_archive)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        source = self.findChild(QWidget, "add-package")
        menu.popup(
            source.mapToGlobal(source.rect().bottomLeft())
            if isinstance(source, QWidget)
            else self.pos()
        )

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self._around.texts("home.add.title"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        self._ask(dialog)

    def _choose_archive(self) -> None:
        dialog = QFileDialog(self, self._around.texts("home.add.title"), filter="*.lapp")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._ask(dialog)

    def _ask(self, dialog: QFileDialog) -> None:
        # open() and not exec(): a nested loop would stop every other task of the host.
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._take_chosen)
        dialog.open()

    def _take_chosen(self, path: str) -> None:
        self._add_package(Path(path))
