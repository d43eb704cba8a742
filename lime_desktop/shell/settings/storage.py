"""What each app keeps on this machine: how much, taken along as a file, cleared."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QMessageBox, QWidget

from lime_desktop.host.app_data import clear_data, export_data, measure
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.shell.parts import button, card, column, empty_state, icon_label, label, row
from lime_desktop.shell.settings.section import SectionContext


def build(context: SectionContext) -> QWidget:
    """One card per app."""
    around = context.around
    if not around.shelf.apps:
        return empty_state(
            around.signs.picture("database", side=32),
            around.texts("settings.storage.none"),
            around.texts("settings.storage.none.about"),
        )
    return column(*(_AppStorage(context, app).card for app in around.shelf.apps), spacing=12)


class _AppStorage:
    """One app's row. The amount is filled in when the App Server has told it."""

    def __init__(self, context: SectionContext, app: ShelfApp) -> None:
        self._context = context
        self._app_id = app.app_id
        self._title = app.title(context.around.texts.locale)
        self._amount: QLabel = label(context.around.texts("settings.storage.counting"), "muted")
        self.card: QFrame = self._build(app)
        context.work.start(self._count())

    def _build(self, app: ShelfApp) -> QFrame:
        texts = self._context.around.texts
        export = button(texts("settings.storage.export"), self._choose_target)
        export.setAccessibleName(f"{export.text()}: {self._title}")
        clear = button(texts("settings.storage.clear"), self._ask_to_clear, "danger")
        clear.setAccessibleName(f"{clear.text()}: {self._title}")
        words = column(label(self._title, "strong"), self._amount, spacing=0)
        icon = icon_label(self._context.around.icon_of(app), 36)
        return card(row(icon, words, export, clear, stretch_at=1))

    async def _count(self) -> None:
        found = await measure(self._context.call, self._app_id)
        kilobytes = round(found.characters / 1024, 1)
        texts = self._context.around.texts
        self._amount.setText(
            texts("settings.storage.amount", count=found.values, size=f"{kilobytes:g} kB")
            if found.values
            else texts("settings.storage.empty")
        )

    def _choose_target(self) -> None:
        title = self._context.around.texts("settings.storage.export.title", app=self._title)
        dialog = QFileDialog(self.card.window(), title, f"{self._app_id}.json")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._export)
        dialog.open()

    def _export(self, path: str) -> None:
        async def export() -> None:
            count = await export_data(self._context.call, self._app_id, Path(path))
            words = self._context.around.texts("settings.storage.exported", count=count)
            self._context.say(words, "success")

        self._context.work.start(export())

    def _ask_to_clear(self) -> None:
        texts = self._context.around.texts
        question = QMessageBox(self.card.window())
        question.setWindowTitle(texts("settings.storage.clear"))
        question.setTextFormat(Qt.TextFormat.PlainText)
        question.setText(texts("settings.storage.clear.ask", app=self._title))
        question.setInformativeText(texts("settings.storage.clear.about"))
        clear = question.addButton(
            texts("settings.storage.clear.yes"), QMessageBox.ButtonRole.DestructiveRole
        )
        question.setDefaultButton(
            question.addButton(texts("action.cancel"), QMessageBox.ButtonRole.RejectRole)
        )
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        clear.clicked.connect(self._clear)
        question.open()

    def _clear(self) -> None:
        async def clear() -> None:
            count = await clear_data(self._context.call, self._app_id)
            words = self._context.around.texts("settings.storage.cleared", count=count)
            self._context.say(words, "success")
            await self._count()

        self._context.work.start(clear())
