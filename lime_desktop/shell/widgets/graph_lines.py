"""The lines of a drawn graph: straight on to the next box, or beside the boxes they pass by; back ones are dashed."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPalette, QPen, QPolygonF

_HEAD = 5.0
_BULGE = 36.0


@dataclass(frozen=True, slots=True)
class GraphLine:
    """A line from one box to another."""

    source: str
    target: str
    is_back: bool = False
    words: str = ""
    """When this way is taken."""


def draw_line(
    painter: QPainter,
    line: GraphLine,
    ends: tuple[QRect, QRect],
    palette: QPalette,
    *,
    leads_down: bool,
    passes_by: bool,
) -> None:
    """Draw one line between two boxes."""
    colour = palette.color(QPalette.ColorRole.Mid)
    style = Qt.PenStyle.DashLine if line.is_back else Qt.PenStyle.SolidLine
    painter.setPen(QPen(colour, 1.5, style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if not leads_down:
        painter.drawPath(_across(*ends))
        return
    path = _beside(*ends) if passes_by else _down(*ends)
    painter.drawPath(path)
    _draw_head(painter, path.currentPosition(), colour, is_from_side=passes_by)
    if line.words:
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        painter.drawText(words_place(path, passes_by=passes_by), line.words)


def words_place(path: QPainterPath, *, passes_by: bool) -> QPointF:
    """Where the words of a line begin: above the box it leads to, where no other way from the same box has its own."""
    if passes_by:
        return path.pointAtPercent(0.5) + QPointF(6, 4)
    return path.currentPosition() + QPointF(_HEAD + 3, -4)


def _across(above: QRect, below: QRect) -> QPainterPath:
    """From the right edge of one box to the left edge of another."""
    begin = QPointF(above.right(), above.center().y())
    end = QPointF(below.left(), below.center().y())
    half = QPointF((end.x() - begin.x()) / 2, 0)
    path = QPainterPath(begin)
    path.cubicTo(begin + half, end - half, end)
    return path


def _down(above: QRect, below: QRect) -> QPainterPath:
    """From the lower edge of one box to the upper edge of another."""
    begin = QPointF(above.center().x(), above.bottom())
    end = QPointF(below.center().x(), below.top())
    half = QPointF(0, (end.y() - begin.y()) / 2)
    path = QPainterPath(begin)
    path.cubicTo(begin + half, end - half, end)
    return path


def _beside(above: QRect, below: QRect) -> QPainterPath:
    """From right edge to right edge, around what lies between."""
    begin = QPointF(above.right(), above.center().y())
    end = QPointF(below.right(), below.center().y())
    far = max(begin.x(), end.x()) + _BULGE
    path = QPainterPath(begin)
    path.cubicTo(QPointF(far, begin.y()), QPointF(far, end.y()), end)
    return path


def _draw_head(painter: QPainter, tip: QPointF, colour: QColor, *, is_from_side: bool) -> None:
    along = QPointF(_HEAD * 1.4, 0) if is_from_side else QPointF(0, -_HEAD * 1.4)
    wide = QPointF(0, _HEAD) if is_from_side else QPointF(_HEAD, 0)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, tip + along + wide, tip + along - wide]))
