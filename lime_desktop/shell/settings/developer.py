"""For those who write apps: packages opened from where they lie, and where the program keeps its own files."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from lime_desktop.shell.settings.section import SectionContext, group, switch
from lime_desktop.shell.widgets.parts import button, column, label, name_button, row


def build(context: SectionContext) -> QWidget:
    """The inspector, opened packages and the data folder."""
    return column(_tools(context), _packages(context), _folder(context), spacing=16)


def _tools(context: SectionContext) -> QWidget:
    texts, settings = context.look.texts, context.services.settings
    return group(
        texts("settings.developer.tools"),
        switch(texts, settings, "settings.developer.inspector", "has_developer_tools"),
    )


def _packages(context: SectionContext) -> QWidget:
    texts, settings = context.look.texts, context.services.settings
    paths = settings.current.package_paths
    if not paths:
        return context.empty("package", "settings.developer.packages.none")
    return group(
        texts("settings.developer.packages"),
        *(_package(context, path) for path in paths),
        about=texts("settings.developer.packages.about"),
    )


def _package(context: SectionContext, path: str) -> QWidget:
    texts, settings = context.look.texts, context.services.settings

    def forget() -> None:
        before = settings.current.package_paths
        settings.change(package_paths=tuple(each for each in before if each != path))
        shown.hide()
        context.offer_undo(texts("settings.developer.packages.forgotten"), put_back)

    def put_back() -> None:
        settings.change(package_paths=tuple(dict.fromkeys([*settings.current.package_paths, path])))
        if isValid(shown):
            shown.show()

    forgetting = button(texts("settings.developer.packages.forget"), forget)
    name_button(forgetting, texts, path)
    shown = row(label(path, "mono"), forgetting, stretch_at=0)
    return shown


def _folder(context: SectionContext) -> QWidget:
    texts, folder = context.look.texts, context.services.folders.data
    opening = button(
        texts("settings.developer.folder.open"),
        lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))),
    )
    return group(
        texts("settings.developer.folder"),
        row(label(str(folder), "mono"), opening, stretch_at=0),
        about=texts("settings.developer.folder.about"),
    )
