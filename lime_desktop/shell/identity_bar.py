"""The line above every open entry: whose it is. Drawn by the shell outside the app's view; no page reaches it."""

from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton

from lime_desktop.host.app_origin import origin_of
from lime_desktop.host.shelf import ShelfApp
from lime_desktop.shell.pages.status import trust_pill
from lime_desktop.shell.parts import ShortLabel, icon_label
from lime_desktop.shell.surroundings import Surroundings


class IdentityBar(QFrame):
    """Icon, name, entry, trust and origin of an app, and at the right what the shell offers for it."""

    def __init__(self, around: Surroundings, app: ShelfApp, entry_key: str) -> None:
        super().__init__()
        self.setObjectName("bar")
        texts, locale = around.texts, around.texts.locale
        self.setAccessibleName(texts("bar.name", app=app.title(locale)))
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(16, 4, 8, 4)
        self._layout.setSpacing(8)
        self._layout.addWidget(icon_label(around.icon_of(app), 20))
        self._layout.addWidget(ShortLabel(app.title(locale), "strong", keeps=10))
        self._layout.addWidget(ShortLabel(app.entry_title(entry_key, locale), "muted", keeps=14))
        self._layout.addWidget(trust_pill(texts, app))
        self._layout.addWidget(ShortLabel(origin_of(app.app_id), "small"))
        self._layout.addStretch(1)
        self.setMinimumHeight(40)

    def offer(self, button: QToolButton) -> None:
        """Put a button at the right."""
        self._layout.addWidget(button)
