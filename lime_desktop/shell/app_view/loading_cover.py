"""A plain cover over a web view until its page has painted, so that no black or white frame is seen. Knows no page.

The engine has a surface for each process of a page, and shows it black until the first frame is there. What the page has
drawn first may be its bare look, which the theme that it is told of then replaces. And a view that comes into sight again
is white until the page is drawn anew.
"""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

_BACK_MS = 30
"""As long as a frame takes from the page to the screen."""
_SHOWING_MS = 100
"""As long as that takes of a page that has just started, and asks once more for the theme before it."""
_UNREADY_MS = 600
"""How long a page that has drawn something may take to say that it started: what it shows then is meant to be seen."""
_UNDRAWN_MS = 2_000
"""How long one that has started may take to be drawn; an engine that never says so must not hide it."""


class LoadingCover(QWidget):
    """Covers a widget beside it, and goes by itself once there is something to see."""

    lifted = Signal()
    """What was covered is seen."""
    frame_wanted = Signal()
    """It wants to know when the page, which has been told of the theme, is drawn once more."""

    def __init__(self, covered: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._covered = covered
        self._colour = QColor()
        self._is_drawn = False
        self._is_dressed = False
        self._showing_ms = _SHOWING_MS
        self._lifting = QTimer(self, singleShot=True)
        self._lifting.timeout.connect(self._go)
        covered.installEventFilter(self)
        self.hide()

    def cover(self, colour: str) -> None:
        """Lie over it in this colour, until another page is drawn; where one is to be seen already, that stays in sight."""
        if self._is_drawn and self.isHidden():
            return
        self.be(colour)
        self._is_drawn = self._is_dressed = False
        # Nobody presses what they do not see.
        self._come_up(_SHOWING_MS, is_held_off=True)

    def be(self, colour: str) -> None:
        """Be of another colour from now on."""
        self._colour = QColor(colour)
        self.update()

    def notify_drawn(self) -> None:
        """The page has drawn something."""
        self._is_drawn = True
        self._lift(_UNREADY_MS)

    def notify_ready(self) -> None:
        """The page has what it needs to draw itself as it is meant."""
        self._lifting.stop()
        self._lift(_UNDRAWN_MS)
        # Once the answer is on its way that tells the page of the theme: it leaves when all that came with it is heard.
        QTimer.singleShot(0, self, self.frame_wanted.emit)

    def notify_frame(self) -> None:
        """The page was drawn once more since it has that."""
        self._is_dressed = True
        self._lift(_UNDRAWN_MS)

    def notify_ended(self) -> None:
        """The page's process is gone, and with it what it had drawn."""
        self._is_drawn = False

    def stop(self) -> None:
        """What is covered is about to go."""
        self._lifting.stop()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Be of one colour."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._colour)
        painter.end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Stay over it."""
        if watched is self._covered and event.type() in {QEvent.Type.Resize, QEvent.Type.Move}:
            self._follow()
        if watched is self._covered and event.type() is QEvent.Type.Show:
            self._cover_return()
        return super().eventFilter(watched, event)

    def _cover_return(self) -> None:
        """Lie over a page that is in sight again until it is drawn anew."""
        if self._is_drawn and self.isHidden():
            self._is_dressed = False
            # A page that the person knows is under their hands at once.
            self._come_up(_BACK_MS, is_held_off=False)
            self._lift(_UNDRAWN_MS)
            self.frame_wanted.emit()

    def _come_up(self, showing_ms: int, *, is_held_off: bool) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not is_held_off)
        self._showing_ms = showing_ms
        self._lifting.stop()
        self._follow()
        self.show()
        self.raise_()

    def _go(self) -> None:
        self.hide()
        self.lifted.emit()

    def _follow(self) -> None:
        self.setGeometry(self._covered.geometry())

    def _lift(self, at_latest_ms: int) -> None:
        if self.isHidden():
            return
        if self._is_drawn and self._is_dressed:
            self._lifting.start(self._showing_ms)
        elif not self._lifting.isActive():
            self._lifting.start(at_latest_ms)
