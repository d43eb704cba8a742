"""A button whose focus can be seen on any fill: within the ring of the style sheet lies a line in the colour of its words.

The ring is told from the page around it, and the line from the fill: no one colour is told from both in every scheme.
"""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QPushButton

FILLED = frozenset({"primary", "destructive"})
"""The roles of buttons that are filled with a strong colour."""
_RING = 2.0
"""How wide the style sheet draws the ring, and how wide the line within it is."""
_RADIUS = 8.0


class RingedButton(QPushButton):
    """A push button like any other, but for its focus on a strong fill."""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the line within the ring."""
        super().paintEvent(event)
        if not self.hasFocus() or self.property("role") not in FILLED:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.ButtonText), _RING))
        inset = _RING * 1.5
        line = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
        painter.drawRoundedRect(line, _RADIUS - inset, _RADIUS - inset)
        painter.end()
