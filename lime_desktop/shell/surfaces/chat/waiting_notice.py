"""Says in the conversation that the agent waits for the person, and leads to where they decide. Decides nothing itself."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from lime_desktop.runtime_views.views import ActionView
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.parts import button, column, label


class WaitingNotice(QFrame):
    """The oldest open question of the conversation in a line; hidden while there is none."""

    wanted = Signal(str)
    """The person wants to see this action in full."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        texts = look.texts
        self.setProperty("role", "hint")
        self.setAccessibleName(texts("asking.name"))
        self._title = label("", "strong")
        self._action_id = ""
        box = QFrame()
        box.setProperty("role", "banner")
        box.setProperty("tone", "warning")
        inside = QHBoxLayout(box)
        inside.setContentsMargins(16, 8, 12, 8)
        inside.addWidget(look.icons.picture("shield", "warning", 24))
        inside.addWidget(
            column(label(texts("asking.title"), "overline"), self._title, spacing=0), 1
        )
        inside.addWidget(button(texts("asking.look"), self._want, "primary"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 8, 24, 8)
        layout.addWidget(box)
        self.hide()

    def show_actions(self, actions: tuple[ActionView, ...]) -> None:
        """Show what is open now."""
        if actions:
            self._title.setText(actions[0].title)
            self._action_id = actions[0].action_id
        self.setVisible(bool(actions))

    def _want(self) -> None:
        self.wanted.emit(self._action_id)
