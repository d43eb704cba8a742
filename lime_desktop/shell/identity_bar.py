"""The line above every open entry: whose it is. Drawn by the shell outside the app's view; no page reaches it."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from lime_desktop.host.app_origin import origin_of
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.shell.pages.status import trust_pill
from lime_desktop.shell.parts import ShortLabel, icon_button, icon_label, name_control, row
from lime_desktop.shell.surroundings import Surroundings


class IdentityBar(QFrame):
    """Icon, name, entry, trust and origin of an app, and at the right what the shell offers for it."""

    def __init__(self, around: Surroundings, app: ShelfApp, entry_key: str) -> None:
        super().__init__()
        self.setObjectName("bar")
        self._around = around
        self._app = app
        self._entry_key = entry_key
        self._offered: list[tuple[QToolButton, str]] = []
        self._identity = self._tell_identity()
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(16, 4, 8, 4)
        self._layout.setSpacing(8)
        self._layout.addWidget(self._identity, 1)
        self.setMinimumHeight(40)
        around.language_changed.connect(self._speak)

    def offer(self, text_key: str, sign: str, clicked: Callable[[], object]) -> QToolButton:
        """Put a button at the right, named by one of the shell's texts."""
        made = icon_button(self._around.texts(text_key), clicked)
        self._around.signs.put_on(made, sign)
        self._offered.append((made, text_key))
        self._layout.addWidget(made)
        return made

    def _speak(self) -> None:
        """Say it all in the language of now."""
        told, self._identity = self._identity, self._tell_identity()
        self._layout.replaceWidget(told, self._identity)
        self._identity.show()
        told.hide()
        told.deleteLater()
        for offered, text_key in self._offered:
            name_control(offered, self._around.texts(text_key))

    def _tell_identity(self) -> QWidget:
        around, app, texts = self._around, self._app, self._around.texts
        self.setAccessibleName(texts("bar.name", app=app.title(texts.locale)))
        return row(
            icon_label(around.icon_of(app), 20),
            ShortLabel(app.title(texts.locale), "strong", keeps=10),
            ShortLabel(app.entry_title(self._entry_key, texts.locale), "muted", keeps=14),
            trust_pill(texts, app),
            ShortLabel(origin_of(app.app_id), "small"),
        )
