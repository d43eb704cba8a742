"""A small plot of values over time, as high as a line or two of text; its numbers stand beside it in words."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from lime_desktop.shell.widgets.parts import name_control

_WIDTH, _HEIGHT = 160, 36
_EDGE = 4.0
_DOT = 3.0


class SmallPlot(QWidget):
    """The values from left to right, the last one marked, and a dashed line at a bound."""

    def __init__(self, values: Sequence[float], bounds: Sequence[float], name: str) -> None:
        super().__init__()
        self._values = values
        self._bounds = bounds
        name_control(self, name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt calls this
        """Wide enough to see a course, no wider."""
        return QSize(_WIDTH, _HEIGHT)

    def points(self) -> list[QPointF]:
        """Where each value stands."""
        area, last = self._area(), max(len(self._values) - 1, 1)
        return [
            QPointF(area.left() + area.width() * at / last, self._height_of(value))
            for at, value in enumerate(self._values)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw bounds below the course."""
        del event
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        muted = palette.color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(QPen(muted, 1, Qt.PenStyle.DashLine))
        for bound in self._bounds:
            height = self._height_of(bound)
            painter.drawLine(QPointF(_EDGE, height), QPointF(self.width() - _EDGE, height))
        colour = palette.color(QPalette.ColorRole.Highlight)
        painter.setPen(QPen(colour, 2))
        points = self.points()
        painter.drawPolyline(points)
        painter.setBrush(colour)
        for point in points[-1:]:
            painter.drawEllipse(point, _DOT, _DOT)
        painter.end()

    def _area(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)

    def _height_of(self, value: float) -> float:
        """From zero at the bottom to the largest of all at the top."""
        area, most = self._area(), max((*self._values, *self._bounds, 0.0))
        share = value / most if most else 0.0
        return area.bottom() - area.height() * min(max(share, 0.0), 1.0)
