"""Uninstalling: four ways, for the chosen one what goes and what stays, and afterwards the receipt."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QButtonGroup, QFileDialog, QFrame, QRadioButton, QVBoxLayout, QWidget

from lime_desktop.host.app_center.records.removal import (
    Receipt,
    RemovalItem,
    UninstallKind,
    UninstallPreview,
)
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.lifecycle_hooks import failed_hook_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.dialogs.file_dialogs import open_dialog
from lime_desktop.shell.widgets.amounts import thing_in_words, time_in_words
from lime_desktop.shell.widgets.focus import begin_here, focus_first, has_keyboard
from lime_desktop.shell.widgets.footed_page import FootedPage
from lime_desktop.shell.widgets.parts import banner, button, card, label, row

_UNDER_THE_WORDS = 28
"""Where the words of a choice begin, beside its dot."""


def name_of_removed(registry: AppRegistry, app_id: str, locale: str) -> str | None:
    """What an app is called whose removal is asked for: one that is here, or whose data alone are."""
    app, center = registry.app(app_id), registry.center
    if app is not None or center is None:
        return app.title(locale) if app else None
    kept = (each.title_in(locale) for each in center.kept_data() if each.app_id == app_id)
    return next(kept, None)


class UninstallPage(FootedPage):
    """Asks for a way; `chosen` wants its preview, `confirmed` hears the decision."""

    def __init__(
        self,
        texts: Texts,
        registry: AppRegistry,
        preview: UninstallPreview,
        chosen: Callable[[UninstallKind], None],
        confirmed: Callable[[UninstallKind, Path | None], None],
        left: Callable[[], None],
    ) -> None:
        super().__init__()
        self._texts = texts
        self._registry = registry
        self._preview = preview
        self._chosen = chosen
        self._confirmed = confirmed
        self._left = left
        self._fill()

    def show_preview(self, preview: UninstallPreview) -> None:
        """Show what another way would do."""
        self._preview = preview
        self._fill()

    def _fill(self) -> None:
        texts, preview = self._texts, self._preview
        title = name_of_removed(self._registry, preview.app_id, texts.locale) or preview.title
        key = "uninstall.title" if preview.version else "uninstall.title.kept"
        self.refill(
            label(texts(key, app=title), "title"),
            label(texts("uninstall.subtitle"), "muted"),
            self._ways(),
            self._things(texts("uninstall.goes"), preview.goes),
            self._things(texts("uninstall.stays"), preview.stays),
            foot=self._decision(),
        )
        if has_keyboard(self):
            focus_first(self)

    def _ways(self) -> QFrame:
        group = QButtonGroup(self)
        # Data that outlived their app can only be deleted: there is no code to switch off or to keep them for.
        ways = [way for way in UninstallKind if self._preview.version or way.deletes_data]
        return card(*(self._way(way, group) for way in ways))

    def _way(self, way: UninstallKind, group: QButtonGroup) -> QWidget:
        texts = self._texts
        about_way = "uninstall.kind" if self._preview.version else "uninstall.kind.kept"
        choice = QRadioButton(texts(f"{about_way}.{way}"))
        choice.setObjectName(f"way-{way}")
        choice.setChecked(way is self._preview.kind)
        if way is self._preview.kind:
            begin_here(choice)
        choice.setAccessibleDescription(texts(f"uninstall.kind.{way}.text"))
        choice.clicked.connect(lambda: self._chosen(way))
        group.addButton(choice)
        about = label(texts(f"uninstall.kind.{way}.text"), "muted")
        about.setIndent(_UNDER_THE_WORDS)
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(0)
        layout.addWidget(choice)
        layout.addWidget(about)
        return holder

    def _things(self, title: str, things: tuple[RemovalItem, ...]) -> QFrame:
        texts = self._texts
        lines = [label(thing_in_words(thing, texts)) for thing in things]
        nothing = label(texts("uninstall.nothing"), "muted")
        return card(label(title, "heading"), *(lines or [nothing]))

    def _decision(self) -> QWidget:
        texts, kind = self._texts, self._preview.kind
        role = "destructive" if kind.deletes_data else "primary"
        doing = f"uninstall.do.{kind}" if self._preview.version else f"uninstall.do.kept.{kind}"
        confirm = button(texts(doing), self._confirm, role)
        confirm.setObjectName("confirm")
        return row(confirm, button(texts("uninstall.cancel"), self._left))

    def _confirm(self) -> None:
        if self._preview.kind is not UninstallKind.EXPORT_THEN_DELETE:
            self._confirmed(self._preview.kind, None)
            return
        dialog = QFileDialog(self, self._texts("uninstall.export.title"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter("*.zip")
        dialog.setDefaultSuffix("zip")
        dialog.selectFile(f"{self._preview.app_id}.zip")
        # The host never replaces a file, so Qt must not offer to.
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        open_dialog(dialog, self._take_place)

    def _take_place(self, path: str) -> None:
        self._confirmed(UninstallKind.EXPORT_THEN_DELETE, Path(path))


class ReceiptPage(FootedPage):
    """After an app went: what went, what stayed, and that a search found nothing more."""

    def __init__(
        self, texts: Texts, receipt: Receipt, title: str, left: Callable[[], None]
    ) -> None:
        """`title` is what the app was called in the person's language while it was here."""
        super().__init__()
        self._texts = texts
        key = "receipt.title" if receipt.version else "receipt.title.kept"
        key = key if receipt.kind.removes_code else "receipt.title.disable"
        number = texts(
            "receipt.number", id=receipt.receipt_id, when=time_in_words(receipt.at_ms, texts)
        )
        self.refill(
            label(texts(key, app=title), "title"),
            *self._proof(receipt, title),
            self._things(texts("receipt.went"), receipt.removed),
            self._things(texts("receipt.stayed"), receipt.kept),
            label(number, "small"),
            foot=row(button(texts("receipt.done"), left, "primary")),
        )

    def _proof(self, receipt: Receipt, title: str) -> list[QFrame]:
        texts = self._texts
        shown: list[QFrame] = []
        if receipt.residue:
            left = listed(texts, receipt.residue)
            shown.append(banner(texts("receipt.residue", what=left), "danger"))
        elif receipt.kind.removes_code:
            key = "receipt.clean" if receipt.kind.deletes_data else "receipt.clean.kept"
            shown.append(banner(texts(key), "info"))
        if receipt.hook is not None and not receipt.hook.is_done:
            told = failed_hook_words(receipt.hook, title, texts)
            shown.append(banner(told, "warning"))
        if receipt.export is not None:
            path, digest = receipt.export.path, receipt.export.sha256
            shown.append(banner(texts("receipt.export", path=path, hash=digest), "info"))
        return shown

    def _things(self, title: str, things: tuple[RemovalItem, ...]) -> QFrame:
        texts = self._texts
        lines = [label(thing_in_words(thing, texts)) for thing in things]
        nothing = label(texts("uninstall.nothing"), "muted")
        return card(label(title, "heading"), *(lines or [nothing]))
