"""One notice as it is drawn: a sign in its colour, the words, what can be done about it, and a way to put it away."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.parts import Tone, label

_SIGNS: dict[Tone, tuple[str, str]] = {
    "ok": ("check-circle", "success"),
    "warning": ("warning", "warning"),
    "danger": ("danger", "danger"),
    "info": ("info", "info"),
    "plain": ("info", "text-muted"),
}
"""The sign of each tone, and the token that colours it."""


class NoticeCard(QFrame):
    """What the shell itself says. Apps' words have another look, see `parts.said_by`."""

    def __init__(self, icons: Icons, words: str, tone: Tone, *actions: QWidget) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.setProperty("tone", tone)
        self.setAccessibleName(words)
        self.words = words
        self.tone: Tone = tone
        self._across = QHBoxLayout(self)
        self._across.setContentsMargins(16, 8, 8, 8)
        self._across.setSpacing(12)
        name, ink = _SIGNS[tone]
        top = Qt.AlignmentFlag.AlignTop
        sign = QVBoxLayout()
        sign.setContentsMargins(0, 4, 0, 0)
        sign.addWidget(icons.picture(name, ink, 18), 0, top)
        self._across.addLayout(sign)
        self._column = QVBoxLayout()
        self._column.setContentsMargins(0, 4, 0, 4)
        self._column.setSpacing(4)
        said: QLabel = label(words)
        # The page keeps the keyboard when somebody selects words here.
        said.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._column.addWidget(said)
        if actions:
            self._column.addWidget(flow(*actions))
        # Not an alignment: with one, Qt asks for no more height where words need more lines.
        self._column.addStretch(1)
        self._across.addLayout(self._column, 1)

    def add_below(self, part: QWidget) -> None:
        """Show something under the words."""
        self._column.insertWidget(self._column.count() - 1, part)

    def add_closing(self, closing: QWidget) -> None:
        """Show the button that puts it away, at the upper right."""
        self._across.addWidget(closing, 0, Qt.AlignmentFlag.AlignTop)
