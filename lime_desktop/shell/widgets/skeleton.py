"""Grey shapes of the size of what comes: shown while it is read, so that nothing jumps when it is there."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lime_desktop.shell.appearance.look import Look

_RADIUS = 6.0
_LINE = 12.0
_GAP = 14.0

Bars = Callable[[float, float], list[QRectF]]
"""The shapes in a room of this width and height."""


class Skeleton(QWidget):
    """Draws bars in the colours of now; a screen reader is told that something is loading."""

    def __init__(self, look: Look, bars: Bars) -> None:
        super().__init__()
        self._look = look
        self._bars = bars
        self.setAccessibleName(look.texts("skeleton.name"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        look.appearance.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the bars."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._look.appearance.theme.tokens["--lime-surface-sunken"]))
        for bar in self._bars(float(self.width()), float(self.height())):
            painter.drawRoundedRect(bar, _RADIUS, _RADIUS)
        painter.end()


def skeleton_page(look: Look) -> Skeleton:
    """What stands where an app's page will."""
    return Skeleton(look, _page_bars)


def _page_bars(width: float, height: float) -> list[QRectF]:
    margin = min(48.0, width / 12)
    room = max(0.0, width - 2 * margin)
    title = QRectF(margin, margin, min(280.0, room), 24)
    lines: list[QRectF] = []
    top, shares = title.bottom() + 28, (1.0, 0.92, 0.97, 0.55)
    while top + _LINE < min(height, 420.0) - margin:
        share = shares[len(lines) % len(shares)]
        lines.append(QRectF(margin, top, min(720.0, room) * share, _LINE))
        top += _LINE + _GAP
    return [title, *lines]
