"""What the person said: as they typed it, at the right, no wider than its words."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.markdown.message_text import MessageText
from lime_desktop.shell.widgets.parts import label

_PADDING = 16
_SHARE = 0.85
"""How much of the column a long question takes."""


class Bubble(QWidget):
    """A question, with room for a few buttons before it."""

    def __init__(self, name: str, *beside: QWidget) -> None:
        super().__init__()
        self.question = MessageText(name)
        self._frame = QFrame()
        self._frame.setProperty("role", "said")
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(_PADDING, 8, _PADDING, 8)
        self._files = label("", "small")
        self._files.hide()
        inside.addWidget(self.question)
        inside.addWidget(self._files)
        layout = edge_to_edge(QHBoxLayout(self), 4)
        layout.addStretch(1)
        for part in beside:
            layout.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._frame)
        self.question.changed.connect(self._fit)

    def show_files(self, names: Sequence[str], texts: Texts) -> None:
        """Name what went along."""
        shown = listed(texts, map(plain_name, names))
        self._files.setText(texts("chat.attached.with", names=shown) if names else "")
        self._files.setVisible(bool(names))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Another width for the words."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        named = self._files.sizeHint().width() if self._files.text() else 0
        wanted = max(self.question.natural_width(), named) + 2 * _PADDING + 4
        self._frame.setFixedWidth(max(60, min(wanted, int(self.width() * _SHARE))))
