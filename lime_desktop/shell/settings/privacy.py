"""What left this machine: per app, by the walls that are in force."""

from PySide6.QtWidgets import QWidget

from lime_desktop.shell.parts import column, icon_label, label, pill, row
from lime_desktop.shell.settings.section import SectionContext, group


def build(context: SectionContext) -> QWidget:
    """What the host itself sends, and what each app may reach."""
    texts = context.around.texts
    return column(
        group(texts("settings.privacy.host"), label(texts("settings.privacy.host.text"))),
        _apps(context),
        spacing=16,
    )


def _apps(context: SectionContext) -> QWidget:
    around = context.around
    texts, locale = around.texts, around.texts.locale
    rows = [
        row(
            icon_label(around.icon_of(app), 28),
            label(app.title(locale)),
            pill(texts("settings.privacy.nothing"), "ok"),
            stretch_at=1,
        )
        for app in around.shelf.apps
    ]
    none = label(texts("settings.privacy.none"), "muted")
    return group(
        texts("settings.privacy.apps"),
        *(rows or [none]),
        about=texts("settings.privacy.apps.about"),
    )
