"""One place on the rail: pressed to go there, dragged to another position, with a menu of its own and a count on it."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QToolButton

from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.widgets.menus import open_at
from lime_desktop.shell.widgets.parts import name_control

_SIDE = 48
_BADGE = 18
_MOST_COUNTED = 99
_RAIL_KEYS = {
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right),
    *(Qt.Key.Key_Return, Qt.Key.Key_Enter),
}


@dataclass(frozen=True, slots=True)
class RailItem:
    """One place to go. Shows an app's own icon, or one of the shell's by name."""

    name: str
    """What a person reads in the tip, and hears from a screen reader."""
    go: Callable[[], None]
    icon: QIcon | None = None
    sign: str = ""
    is_current: bool = False
    badge: int | None = None
    """How many things wait there; None where nothing is counted."""
    key: str = ""
    """What it is known by when it is moved; only what has one can be."""
    fill_menu: Callable[[QMenu], None] | None = None
    """Puts what can be done with it into a menu."""


class RailButton(QToolButton):
    """Follows the pointer up and down while it is dragged; where it may stand is the rail's to say."""

    dragged = Signal(QPoint)
    """It is being moved: where the pointer is, on the screen."""
    dropped = Signal()
    walked = Signal(QKeyEvent)
    """A key that is the rail's: the area it scrolls in would keep the arrows for itself."""

    def __init__(self, item: RailItem, icons: Icons) -> None:
        super().__init__()
        self.item = item
        self._icons = icons
        self._pressed_at = QPoint()
        self._is_dragged = False
        self.setProperty("role", "rail")
        name_control(self, item.name)
        self.setCheckable(True)
        self.setChecked(item.is_current)
        self.setFixedSize(_SIDE, _SIDE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if item.icon is not None:
            self.setIcon(item.icon)
            self.setIconSize(QSize(32, 32))
        else:
            icons.put_on(self, item.sign, side=24)
        self.clicked.connect(self._press)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the count over the icon."""
        super().paintEvent(event)
        if not self.item.badge:
            return
        words = str(self.item.badge) if self.item.badge <= _MOST_COUNTED else f"{_MOST_COUNTED}+"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(11)
        font.setBold(True)
        painter.setFont(font)
        width = max(_BADGE, painter.fontMetrics().horizontalAdvance(words) + 10)
        place = QRectF(self.width() - width - 2, 2, width, _BADGE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._icons.colour("accent")))
        painter.drawRoundedRect(place, _BADGE / 2, _BADGE / 2)
        painter.setPen(QColor(self._icons.colour("accent-text")))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
        painter.end()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt calls this
        """Offer what can be done with it, to the mouse and to the menu key."""
        if self.item.fill_menu is None:
            return
        menu = QMenu(self)
        self.item.fill_menu(menu)
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        open_at(menu, event.globalPos() if by_mouse else self.mapToGlobal(self.rect().center()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt calls this
        """Remember where a drag would begin."""
        self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt calls this
        """Become dragged once the pointer has gone far enough to mean it."""
        far = (event.position().toPoint() - self._pressed_at).manhattanLength()
        is_pressed = Qt.MouseButton.LeftButton in event.buttons()
        if self.item.key and is_pressed and far >= QApplication.startDragDistance():
            self._is_dragged = True
            self.setDown(False)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._is_dragged:
            self.dragged.emit(event.globalPosition().toPoint())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt calls this
        """What was dragged was not pressed."""
        if not self._is_dragged:
            super().mouseReleaseEvent(event)
            return
        self._is_dragged = False
        self.setDown(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.dropped.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Pass on what walks the rail; the rest is as for every button."""
        if Qt.Key(event.key()) in _RAIL_KEYS:
            self.walked.emit(event)
        else:
            super().keyPressEvent(event)

    def _press(self, _checked: bool) -> None:  # noqa: FBT001 - Qt sends it
        self.setChecked(self.item.is_current)
        self.item.go()
