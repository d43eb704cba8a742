"""The lines of a drawn graph: straight on to the next box, or beside the boxes they pass by; back ones are dashed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPainterPath,
    QPalette,
    QPen,
    QPolygonF,
    QRegion,
)

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


@dataclass(frozen=True, slots=True)
class LaidLine:
    """A line with its way across the drawing."""

    line: GraphLine
    path: QPainterPath
    leads_down: bool
    passes_by: bool


def lay_line(
    line: GraphLine, ends: tuple[QRect, QRect], *, leads_down: bool, passes_by: bool
) -> LaidLine:
    """A line between two boxes."""
    if not leads_down:
        return LaidLine(line, _across(*ends), leads_down, passes_by)
    path = _beside(*ends) if passes_by else _down(*ends)
    return LaidLine(line, path, leads_down, passes_by)


def draw_line(painter: QPainter, laid: LaidLine, palette: QPalette) -> None:
    """Draw one line, without its words."""
    colour = palette.color(QPalette.ColorRole.Mid)
    style = Qt.PenStyle.DashLine if laid.line.is_back else Qt.PenStyle.SolidLine
    painter.setPen(QPen(colour, 1.5, style))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(laid.path)
    if laid.leads_down:
        tip = laid.path.currentPosition()
        _draw_head(painter, tip, colour, is_from_side=laid.passes_by)


def places_of_words(
    lines: Sequence[LaidLine], metrics: QFontMetrics, boxes: Sequence[QRect], room: QRect
) -> dict[int, QRect]:
    """Where the words of each line stand, by its place among the lines: on no box and on no other words, where that can be."""
    taken, found = list(boxes), dict[int, QRect]()
    for at, laid in enumerate(lines):
        if laid.leads_down and laid.line.words:
            size = QSize(metrics.horizontalAdvance(laid.line.words), metrics.height())
            found[at] = _free_place(laid, size, taken, room)
            taken.append(found[at])
    return found


def _free_place(laid: LaidLine, size: QSize, taken: Sequence[QRect], room: QRect) -> QRect:
    wanted = [QRect(place, size) for place in _candidates(laid, size)]
    inside = [each for each in wanted if room.contains(each)] or wanted
    free = (each for each in inside if not any(map(each.intersects, taken)))
    return next(free, inside[0])


def _candidates(laid: LaidLine, size: QSize) -> Iterator[QPoint]:
    """Beside the line, first above the box it leads to: there no other way from the same box has its own."""
    rest = size.height() // 2
    if laid.passes_by:
        for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
            on_line = laid.path.pointAtPercent(share).toPoint()
            yield on_line + QPoint(6, -rest)
            yield on_line - QPoint(6 + size.width(), rest)
        return
    for share in (1.0, 0.75, 0.5):
        on_line = laid.path.pointAtPercent(share).toPoint()
        top = on_line.y() - size.height() - 1
        yield QPoint(on_line.x() + round(_HEAD) + 3, top)
        yield QPoint(on_line.x() - round(_HEAD) - 3 - size.width(), top)


def without(whole: QRect, places: Iterable[QRect]) -> QRegion:
    """All of an area but some places."""
    left = QRegion(whole)
    for each in places:
        left -= QRegion(each)
    return left


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
