"""Who made an open entry, and what the shell offers for it: at the right of its row of tabs, where the tab names the app.

Drawn by the shell outside the app's view; no page reaches it.
"""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.web_content.origin import origin_of
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import icon_button, name_control, set_tip
from lime_desktop.shell.widgets.status import trust_pill

_TAB_HEIGHT = 38


def put_under_bar(surface: QWidget, bar: "IdentityBar", page: QWidget) -> None:
    """Fill a surface with one page; its bar stands above it until it is taken into the row of tabs."""
    layout = edge_to_edge(QVBoxLayout(surface), 0)
    layout.addWidget(bar)
    layout.addWidget(page, 1)


class IdentityBar(QFrame):
    """Trust and origin of an app, and at the right what the shell offers for it."""

    def __init__(self, look: Look, app: RegisteredApp, entry_key: str) -> None:
        super().__init__()
        self.setObjectName("identity")
        self._look = look
        self._app = app
        self._entry_key = entry_key
        self._offered: list[tuple[QToolButton, str]] = []
        self._identity = self._tell_identity()
        self._layout = QHBoxLayout(self)
        # The style sheet sets the tabs 8 pixels in, so a full row of them reaches as far into this bar.
        self._layout.setContentsMargins(20, 0, 8, 0)
        # Qt stands what is at the right of the tabs on their lower edge: as high as they are, it is in their middle.
        self.setFixedHeight(_TAB_HEIGHT)
        self._layout.setSpacing(4)
        self._layout.addWidget(self._identity)
        self._layout.addSpacing(4)
        look.texts.changed.connect(self._retranslate)

    def offer(self, text_key: str, sign: str, clicked: Callable[[], object]) -> QToolButton:
        """Put a button at the right, named by one of the shell's texts."""
        made = icon_button(self._look.texts(text_key), clicked)
        self._look.icons.put_on(made, sign)
        self._offered.append((made, text_key))
        self._layout.addWidget(made)
        return made

    def _retranslate(self) -> None:
        """Say it all in the language of now."""
        told, self._identity = self._identity, self._tell_identity()
        self._layout.replaceWidget(told, self._identity)
        self._identity.show()
        told.hide()
        told.deleteLater()
        for offered, text_key in self._offered:
            name_control(offered, self._look.texts(text_key))

    def _tell_identity(self) -> QLabel:
        """Who vouches for the app; whose page it is by name and origin, for whoever points at it or hears it."""
        app, texts = self._app, self._look.texts
        title, entry = app.title(texts.locale), app.entry_title(self._entry_key, texts.locale)
        self.setAccessibleName(texts("bar.name", app=title))
        made = trust_pill(texts, app)
        told = f"{title} · {entry}\n{origin_of(app.app_id)}"
        set_tip(made, told)
        made.setAccessibleDescription(told)
        return made
