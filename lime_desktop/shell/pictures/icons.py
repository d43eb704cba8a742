"""The icons of apps and organisations: their own picture once it is drawn, the first letter of their name until then."""

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QIconEngine, QImage, QPainter, QPixmap
from shiboken6 import isValid

from lime_desktop.host.appearance.picture_cache import (
    MOST_PICTURE_BYTES,
    SIDE,
    DrawnPictures,
    PictureKey,
    Undrawable,
    picture_key,
)
from lime_desktop.shell.pictures.drawing import PictureDrawing

_AT_HAND = 128
"""So many pictures are held ready to be painted: some 20 MB."""


class Pictures(QObject):
    """Gives icons at once, and says when more of them have their picture."""

    drawn = Signal()
    """A picture came: who shows icons paints again."""

    def __init__(self, kept: DrawnPictures, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept = kept
        self._drawing = PictureDrawing(self._keep)
        self._asked: set[PictureKey] = set()
        self._at_hand: dict[PictureKey, QPixmap] = {}
        """What was painted lately, the latest last."""

    def icon(self, picture: bytes | None, title: str, accent: str, on_accent: str) -> QIcon:
        """An icon that paints what there is at that moment."""
        letter = _Letter(title[:1].upper(), accent, on_accent)
        if picture is None or len(picture) > MOST_PICTURE_BYTES:
            return QIcon(_LiveEngine(self, None, letter))
        key = picture_key(picture)
        if self.pixmap(key) is None and key not in self._asked and self._kept.find(key) is None:
            self._asked.add(key)
            self._drawing.ask(key, picture)
        return QIcon(_LiveEngine(self, key, letter))

    def why_undrawn(self, picture: bytes | None) -> Undrawable | None:
        """Why a picture is not shown, if it was tried in vain."""
        found = None if picture is None else self._kept.find(picture_key(picture))
        return None if isinstance(found, bytes) else found

    def try_again(self, picture: bytes) -> None:
        """Draw a picture that was given up."""
        key = picture_key(picture)
        self._kept.forget(key)
        self._asked.add(key)
        self._drawing.ask(key, picture)

    def pixmap(self, key: PictureKey) -> QPixmap | None:
        """A picture as it was drawn, if it was."""
        picture = self._at_hand.pop(key, None) or self._read(key)
        if picture is not None:
            self._at_hand[key] = picture
            while len(self._at_hand) > _AT_HAND:
                del self._at_hand[next(iter(self._at_hand))]
        return picture

    def _read(self, key: PictureKey) -> QPixmap | None:
        pixels = self._kept.find(key)
        if not isinstance(pixels, bytes):
            return None
        image = QImage(pixels, SIDE, SIDE, SIDE * 4, QImage.Format.Format_RGBA8888)
        return QPixmap.fromImage(image)

    def _keep(self, key: PictureKey, drawn: bytes | Undrawable) -> None:
        """On the drawing's thread."""
        self._kept.keep(key, drawn)
        if isValid(self):
            self.drawn.emit()


class _Letter:
    def __init__(self, letter: str, ground: str, ink: str) -> None:
        self._letter, self._ground, self._ink = letter, ground, ink

    def paint(self, painter: QPainter, rect: QRect) -> None:
        """Paint the letter on a rounded square."""
        side = min(rect.width(), rect.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(self._ground))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(QRectF(rect), side * 0.22, side * 0.22)
        font = QFont(painter.font())
        font.setPixelSize(max(side // 2, 1))
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self._ink))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._letter)


class _LiveEngine(QIconEngine):
    """Asks at each painting what there is to paint."""

    def __init__(self, pictures: Pictures, key: PictureKey | None, letter: _Letter) -> None:
        super().__init__()
        self._pictures, self._key, self._letter = pictures, key, letter
        self._clones: list[QIconEngine] = []

    def clone(self) -> QIconEngine:
        """Another one for an icon that goes its own way; held here, for Qt does not own it."""
        made = _LiveEngine(self._pictures, self._key, self._letter)
        self._clones.append(made)
        return made

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        """Paint the picture, or the letter."""
        del state
        painter.save()
        if mode is QIcon.Mode.Disabled:
            painter.setOpacity(0.5)
        picture = None if self._key is None else self._pictures.pixmap(self._key)
        if picture is None:
            self._letter.paint(painter, rect)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(
                rect,
                picture.scaled(
                    rect.size() * painter.device().devicePixelRatioF(),
                    Qt.AspectRatioMode.KeepAspectRatio,
                    Qt.TransformationMode.SmoothTransformation,
                ),
            )
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        """Paint it by itself."""
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return made
